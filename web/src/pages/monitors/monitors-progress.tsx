import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { numberText } from '../../parts/language.ts'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Bar } from '../../parts/progress.tsx'
import { type Progress, leftOf } from './monitors-bulk-run.ts'
import type { BulkWords } from './monitors-bulk-words.ts'
import type { MonitorRow } from './monitors-rows.ts'

type ProgressProps = {
  rows: readonly MonitorRow[]
  progress: Progress
  words: Pick<BulkWords, 'many' | 'partly'>
  /** Ends the run before its next request. */
  onStop: () => void
  /** `left` are those with which it was not done. */
  onClose: (left: readonly string[]) => void
}

/** How far a run is, and at its end what could not be done and why. */
export function ProgressDialog({ rows, progress, words, onStop, onClose }: ProgressProps): ReactNode {
  const stop = (): void => {
    onStop()
    if (progress.isOver) onClose(leftOf(rows, progress))
  }
  const title = progress.isOver ? words.partly(numberText(progress.done), rows.length) : words.many(rows.length)
  return (
    <Dialog title={title} onClose={stop}>
      <ProgressBar progress={progress} all={rows.length} label={words.many(rows.length)} />
      <Failures {...progress} />
      <Button onClick={stop}>{progress.isOver ? <Trans>Close</Trans> : <Trans>Stop</Trans>}</Button>
    </Dialog>
  )
}

function ProgressBar({ progress, all, label }: { progress: Progress; all: number; label: string }): ReactNode {
  const passed = progress.done + progress.failed.length
  const [done, count] = [numberText(passed), numberText(all)]
  return (
    <div className="mb-4">
      <Bar label={label} value={passed} max={all} />
      <p role="status" className="mt-1.5 text-sm text-muted tabular-nums">
        {progress.isWaiting ? (
          <Trans>
            {done} of {count} · more changes than a minute allows: continuing in a moment
          </Trans>
        ) : (
          <Trans>
            {done} of {count}
          </Trans>
        )}
      </p>
    </div>
  )
}

const shownFailures = 20

function Failures({ failed, trouble }: Pick<Progress, 'failed' | 'trouble'>): ReactNode {
  const count = failed.length
  if (count === 0 && trouble === null) return null
  return (
    <div className="mb-4">
      <Notice tone="bad">
        {trouble !== null && <p>{trouble}</p>}
        {count > 0 && (
          <>
            <p className="mb-1 font-medium">
              <Plural value={count} one="# could not be done:" other="# could not be done:" />
            </p>
            <ul className="max-h-48 list-disc overflow-y-auto pl-5 wrap-anywhere">
              {failed.slice(0, shownFailures).map(({ row, message }) => (
                <li key={row.id}>
                  {row.name}: {message}
                </li>
              ))}
              {count > shownFailures && <More count={count - shownFailures} />}
            </ul>
          </>
        )}
      </Notice>
    </div>
  )
}

export function More({ count }: { count: number }): ReactNode {
  return (
    <li>
      <Plural value={count} one="# more" other="# more" />
    </li>
  )
}

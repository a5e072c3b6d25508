import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { type MonitorAction, overviewApi } from '../../api/overview.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { type Progress, leftOf, runAll } from './monitors-bulk-run.ts'
import { bulkWords } from './monitors-bulk-words.ts'
import type { MonitorRow } from './monitors-rows.ts'

type BulkProps = {
  chosen: readonly MonitorRow[]
  onSelect: (selected: ReadonlySet<string>) => void
  onChange: () => Promise<void>
}

/** Actions on all selected monitors. A run goes on when they have left the list. */
export function MonitorsBulk({ chosen, onSelect, onChange }: BulkProps): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <>
      {chosen.length > 0 && <Bar chosen={chosen} onAsk={setAsked} onClear={() => onSelect(new Set())} />}
      {asked !== null && (
        <Doing
          {...asked}
          onClose={(left) => {
            setAsked(null)
            onSelect(new Set(left))
            void onChange()
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  )
}

type Asked = { action: MonitorAction; rows: readonly MonitorRow[] }
type BarProps = { chosen: readonly MonitorRow[]; onAsk: (asked: Asked) => void; onClear: () => void }

function Bar({ chosen, onAsk, onClear }: BarProps): ReactNode {
  const count = shownNumber(chosen.length)
  const running = chosen.filter(({ state }) => state !== 'paused')
  const paused = chosen.filter(({ state }) => state === 'paused')
  const ask = (action: MonitorAction, rows: readonly MonitorRow[]): ReactNode => (
    <Button look={action === 'delete' ? 'danger' : 'secondary'} onClick={() => onAsk({ action, rows })}>
      {bulkWords[action].some(shownNumber(rows.length))}
    </Button>
  )
  return (
    <div
      role="group"
      aria-label={t`Selected monitors`}
      className="sticky top-2 z-20 mb-3 flex flex-wrap items-center gap-2 rounded-xl border border-accent-text bg-surface px-4 py-2 shadow-lg"
    >
      <span role="status" className="grow text-sm font-medium">
        <Trans context="monitors">{count} selected</Trans>
      </span>
      {running.length > 0 && ask('pause', running)}
      {paused.length > 0 && ask('resume', paused)}
      {ask('delete', chosen)}
      <Button look="quiet" onClick={onClear}>
        <Trans context="what is selected">Clear</Trans>
      </Button>
    </div>
  )
}

type DoingProps = Asked & {
  /** `left` are those with which it was not done. */
  onClose: (left: readonly string[]) => void
  onCancel: () => void
}

/** Asks once more, goes on some hundreds at a time, and says what could not be done and why. */
function Doing({ action, rows, onClose, onCancel }: DoingProps): ReactNode {
  const { workspace } = useWorkspace()
  const toast = useToast()
  const [progress, setProgress] = useState<Progress | null>(null)
  const stopping = useRef(new AbortController())
  const words = bulkWords[action]
  const begin = async (): Promise<void> => {
    const { act } = overviewApi(workspace.id)
    const { signal } = stopping.current
    const end = await runAll({ rows, act: (ids) => act(action, ids), signal }, setProgress)
    if (end.done < rows.length) return
    toast(words.done(rows.length))
    onClose([])
  }
  if (progress === null)
    return (
      <Dialog title={words.ask(rows.length)} onClose={onCancel}>
        <Names rows={rows} />
        <p className="mb-5 text-sm text-muted">{i18n._(words.says)}</p>
        <div className="flex gap-2">
          <Button look={action === 'delete' ? 'danger' : 'primary'} onClick={() => void begin()}>
            {words.many(rows.length)}
          </Button>
          <Button onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      </Dialog>
    )
  const stop = (): void => {
    stopping.current.abort()
    if (progress.isOver) onClose(leftOf(rows, progress))
  }
  const title = progress.isOver ? words.partly(shownNumber(progress.done), rows.length) : words.many(rows.length)
  return (
    <Dialog title={title} onClose={stop}>
      <ProgressBar progress={progress} all={rows.length} label={words.many(rows.length)} />
      <Failures {...progress} />
      <Button onClick={stop}>{progress.isOver ? <Trans>Close</Trans> : <Trans>Stop</Trans>}</Button>
    </Dialog>
  )
}

const namedRows = 5

function Names({ rows }: { rows: readonly MonitorRow[] }): ReactNode {
  const others = rows.length - namedRows
  return (
    <ul className="mb-3 list-disc pl-5 text-sm wrap-anywhere">
      {rows.slice(0, namedRows).map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
      {others > 0 && <More count={others} />}
    </ul>
  )
}

function More({ count }: { count: number }): ReactNode {
  return (
    <li>
      <Plural value={count} one="# more" other="# more" />
    </li>
  )
}

/** The browser's own colours know no theme. */
const progressClass =
  'block h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent'

function ProgressBar({ progress, all, label }: { progress: Progress; all: number; label: string }): ReactNode {
  const passed = progress.done + progress.failed.length
  const [done, count] = [shownNumber(passed), shownNumber(all)]
  return (
    <div className="mb-4">
      <progress aria-label={label} value={passed} max={all} className={progressClass} />
      <p role="status" className="mt-1.5 text-sm text-muted tabular-nums">
        {progress.isWaiting ? (
          <Trans>
            {done} of {count} · more changes than are taken within a minute: going on in a moment
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

function shownNumber(count: number): string {
  return count.toLocaleString(i18n.locale)
}

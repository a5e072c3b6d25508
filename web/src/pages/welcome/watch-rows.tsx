import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId } from 'react'
import { Status } from '../../parts/status.tsx'
import { milliseconds } from '../monitor/details.ts'
import { kindWords } from '../monitor/kinds.ts'
import type { WatchRow } from './use-watching.ts'

type RowsProps = { rows: readonly WatchRow[]; onChoose: (row: WatchRow, isChosen: boolean) => void }

/** Each line with what its check said; what can be a monitor can be chosen. */
export function WatchRows({ rows, onChoose }: RowsProps): ReactNode {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-semibold">
        <Trans>What the checks say</Trans>
      </h3>
      <ul aria-label={t`What the checks say`} className="divide-y divide-line rounded-lg border border-line">
        {rows.map((row) => (
          <Row key={row.key} row={row} onChoose={(isChosen) => onChoose(row, isChosen)} />
        ))}
      </ul>
      <p role="status" className="text-sm text-muted">
        {summaryOf(rows)}
      </p>
    </div>
  )
}

function Row({ row, onChoose }: { row: WatchRow; onChoose: (isChosen: boolean) => void }): ReactNode {
  const id = useId()
  const { line, found, isChosen, failure } = row
  const problem = problemOf(row)
  // A bad answer of the target is for the target's people to mend; everything else is for the reader.
  const isOurs = failure !== null || found.type === 'refused'
  const mayBeChosen = found.type === 'checked' || found.type === 'untold'
  const what = (
    <>
      <span className="font-medium">{addressOf(row)}</span>{' '}
      {found.type !== 'refused' && (
        <span className="text-sm text-muted">{i18n._(kindWords[line.wish.kind].title)}</span>
      )}
    </>
  )
  return (
    <li className="flex items-start gap-3 px-3.5 py-2.5">
      {mayBeChosen ? (
        <input
          id={id}
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
      ) : (
        <span className="size-4 shrink-0" />
      )}
      <div className="min-w-0 grow">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="min-w-0 grow basis-40 wrap-anywhere">
            {mayBeChosen ? <label htmlFor={id}>{what}</label> : what}
          </span>
          <Said found={found} />
        </div>
        {problem !== null && (
          <p id={`${id}-problem`} className={`text-sm wrap-anywhere ${isOurs ? 'text-bad' : 'text-muted'}`}>
            {problem}
          </p>
        )}
      </div>
    </li>
  )
}

/** The address as it would be watched; a line that cannot be watched stays as it was typed. */
function addressOf({ line, found }: WatchRow): string {
  switch (found.type) {
    case 'checking':
      return line.wish.url
    case 'checked':
    case 'untold':
      return found.url
    case 'refused':
    case 'known':
      return line.text
  }
}

function problemOf({ found, failure }: WatchRow): string | null {
  if (failure !== null) return failure
  switch (found.type) {
    case 'checking':
      return null
    case 'checked':
      return found.trial.error
    case 'untold':
    case 'refused':
    case 'known':
      return found.message
  }
}

function Said({ found }: { found: WatchRow['found'] }): ReactNode {
  switch (found.type) {
    case 'checking':
      return (
        <span className="flex items-center gap-2 text-sm text-muted">
          <span
            aria-hidden="true"
            className="size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent"
          />
          <Trans>Checking …</Trans>
        </span>
      )
    case 'checked':
      return (
        <span className="flex items-center gap-3">
          {found.trial.latency_ms !== null && (
            <span className="text-sm text-muted tabular-nums">{milliseconds(found.trial.latency_ms)}</span>
          )}
          <Status of={found.trial.status} />
        </span>
      )
    case 'untold':
      return (
        <span className="text-sm font-medium text-warn">
          <Trans>Could not be checked</Trans>
        </span>
      )
    case 'known':
      return (
        <span className="text-sm text-muted">
          <Trans>Already watched</Trans>
        </span>
      )
    case 'refused':
      return (
        <span className="text-sm font-medium text-bad">
          <Trans>Cannot be watched</Trans>
        </span>
      )
  }
}

function summaryOf(rows: readonly WatchRow[]): string {
  const left = rows.filter(({ found }) => found.type === 'checking').length
  if (left > 0) return plural(left, { one: '# is being checked.', other: '# are being checked.' })
  const states = rows.flatMap(({ found }) => (found.type === 'checked' ? [found.trial.status] : []))
  const { length: all } = states
  const answers = states.filter((state) => state !== 'down').length
  if (all === 0) return ''
  return answers === all
    ? t`${answers} of ${all} answer.`
    : t`${answers} of ${all} answer. You can still watch what is down: tick it.`
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { SloRecord } from '../../api/objectives.ts'
import { spanText } from '../incidents/incident-parts.tsx'

type State = SloRecord['state']

/** From here on little is left. */
const lowPercent = 25

/** How much of the error budget is left, as a bar with words below it. */
export function Budget({ slo: { name, state } }: { slo: Pick<SloRecord, 'name' | 'state'> }): ReactNode {
  const { budget } = state
  if (budget === null)
    return (
      <p className="text-sm text-muted">
        <Trans>Nothing is measured yet.</Trans>
      </p>
    )
  const left = Math.max(0, Math.min(100, budget.left_percent))
  const fill = left === 0 ? 'bg-bad-fill' : left < lowPercent ? 'bg-warn' : 'bg-good-bar'
  return (
    <div>
      <div
        role="meter"
        aria-label={t`Error budget of ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={left}
        aria-valuetext={leftText(state)}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div className={`h-full rounded-full ${fill}`} style={{ width: `${left}%` }} />
      </div>
      <p className="mt-1 text-sm text-muted">{leftText(state)}</p>
    </div>
  )
}

function leftText({ budget }: State): string {
  if (budget === null) return ''
  const { left_percent: percent, left_seconds: seconds } = budget
  const span = spanText(Math.abs(seconds) * 1000)
  if (seconds <= 0) return seconds < 0 ? t`Used up: ${span} too much` : t`Used up`
  return t`${percent} % left: ${span}`
}

export function rateText(rate: number | null): string {
  return rate === null ? t({ message: 'unknown', context: 'burn rate' }) : String(rate)
}

export function attainedText({
  objective,
  window_days: days,
  state,
}: Pick<SloRecord, 'objective' | 'window_days' | 'state'>): string {
  const { attained } = state
  return attained === null ? t`${objective} % over ${days} days` : t`${attained} % of ${objective} % over ${days} days`
}

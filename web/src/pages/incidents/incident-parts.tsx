import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { IncidentRecord } from '../../api/overview.ts'
import { Ago } from '../../parts/time.tsx'
import { incidentWords } from './incident-filter.ts'

const looks: Readonly<Record<IncidentRecord['status'], { class: string; dot: string }>> = {
  open: { class: 'bg-bad-soft text-bad', dot: 'bg-bad' },
  acknowledged: { class: 'bg-warn-soft text-warn', dot: 'rotate-45 bg-warn' },
  resolved: { class: 'bg-sunken text-muted', dot: 'rounded-full bg-muted' },
}

export function IncidentStatus({ of }: { of: IncidentRecord['status'] }): ReactNode {
  const look = looks[of]
  return (
    <span
      className={`inline-flex shrink-0 items-center gap-2 rounded-full px-2.5 py-0.5 text-xs font-medium ${look.class}`}
    >
      <span aria-hidden="true" className={`size-2 ${look.dot}`} />
      {i18n._(incidentWords[of])}
    </span>
  )
}

/** How long it took, or since when it runs. */
export function Lasted({ incident }: { incident: IncidentRecord }): ReactNode {
  const { started_at: startedAt, resolved_at: resolvedAt } = incident
  if (resolvedAt !== null) return lastedText(spanText(Date.parse(resolvedAt) - Date.parse(startedAt)))
  return (
    <Trans>
      began <Ago at={startedAt} />, ongoing
    </Trans>
  )
}

export function lastedText(span: string): string {
  return t`lasted ${span}`
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** The two largest units: "2 h 5 min". */
export function spanText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  const first = units.findIndex(([, length]) => seconds >= length)
  let rest = seconds
  const words = units.slice(first, first + 2).flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest %= length
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return words.join(' ')
}

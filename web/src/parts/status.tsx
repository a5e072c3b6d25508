import type { ReactNode } from 'react'
import type { MonitorRecord } from '../api/console.ts'

export type Shown = MonitorRecord['current_status'] | 'paused'

const looks: Readonly<Record<Shown, { label: string; class: string; dot: string }>> = {
  up: { label: 'Up', class: 'bg-good-soft text-good', dot: 'rounded-full bg-good' },
  down: { label: 'Down', class: 'bg-bad-soft text-bad', dot: 'bg-bad' },
  degraded: { label: 'Degraded', class: 'bg-warn-soft text-warn', dot: 'rotate-45 bg-warn' },
  pending: { label: 'Pending', class: 'bg-sunken text-muted', dot: 'rounded-full border-2 border-muted' },
  paused: { label: 'Paused', class: 'bg-sunken text-muted', dot: 'h-0.5! rounded-full bg-muted' },
}

/** Told by word and by shape, not by colour alone. */
export function Status({ of }: { of: Shown }): ReactNode {
  const look = looks[of]
  return (
    <span
      className={`inline-flex w-24 items-center gap-2 rounded-full px-2.5 py-0.5 text-xs font-medium ${look.class}`}
    >
      <span aria-hidden="true" className={`size-2 ${look.dot}`} />
      {look.label}
    </span>
  )
}

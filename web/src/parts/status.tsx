import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { MonitorRecord } from '../api/console.ts'

export type Shown = MonitorRecord['current_status'] | 'paused'

/** The grounds and the shapes of states. */
export const stateLooks: Readonly<Record<Shown, { class: string; dot: string }>> = {
  up: { class: 'bg-good-soft text-good', dot: 'rounded-full bg-good' },
  down: { class: 'bg-bad-soft text-bad', dot: 'bg-bad' },
  degraded: { class: 'bg-warn-soft text-warn', dot: 'rotate-45 bg-warn' },
  pending: { class: 'bg-sunken text-muted', dot: 'rounded-full border-2 border-muted' },
  paused: { class: 'bg-sunken text-muted', dot: 'h-0.5! rounded-full bg-muted' },
}

export const stateWords: Readonly<Record<Shown, MessageDescriptor>> = {
  up: msg({ message: 'Up', context: 'state of a monitor' }),
  down: msg({ message: 'Down', context: 'state of a monitor' }),
  degraded: msg({ message: 'Degraded', context: 'state of a monitor' }),
  pending: msg({ message: 'Pending', context: 'state of a monitor' }),
  paused: msg({ message: 'Paused', context: 'state of a monitor' }),
}

/** Told by word and by shape, not by colour alone. */
export function Status({ of }: { of: Shown }): ReactNode {
  const look = stateLooks[of]
  return (
    <span className={`inline-flex items-center gap-2 rounded-full px-2.5 py-0.5 text-xs font-medium ${look.class}`}>
      <StateShape of={of} />
      {i18n._(stateWords[of])}
    </span>
  )
}

/** Beside a word that says it. */
export function StateShape({ of }: { of: Shown }): ReactNode {
  return <span aria-hidden="true" className={`size-2 shrink-0 ${stateLooks[of].dot}`} />
}

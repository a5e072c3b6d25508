import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { MonitorPicker, useAllMonitors } from './monitor-picker.tsx'
import { Fieldset } from '../schema/fieldset.tsx'

type ReachProps = {
  /** The chosen monitors; null for all. */
  chosen: ReadonlySet<string> | null
  /** What the choice of some is called, and the list in which they are chosen. */
  some: string
  list: string
  onChange: (chosen: ReadonlySet<string> | null) => void
  /** Other ways to choose some. */
  children?: ReactNode
}

/** All monitors, or some. */
export function MonitorReach({ chosen, some, list, onChange, children }: ReachProps): ReactNode {
  const monitors = useAllMonitors()
  const choice = (isAll: boolean, label: string): ReactNode => (
    <label className="flex cursor-pointer items-center gap-2.5 py-1 text-sm">
      <input
        type="radio"
        name="reach"
        checked={(chosen === null) === isAll}
        onChange={() => onChange(isAll ? null : new Set())}
        className="size-4 shrink-0 accent-accent"
      />
      {label}
    </label>
  )
  return (
    <Fieldset name="monitor_ids" legend={t`Monitors`}>
      {choice(true, t`All, including future ones`)}
      {choice(false, some)}
      {chosen !== null && (
        <div className="flex flex-col gap-3">
          {children}
          <MonitorPicker label={list} monitors={monitors} chosen={chosen} onChange={onChange} />
        </div>
      )}
    </Fieldset>
  )
}

import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { MonitorPicker, useAllMonitors } from '../../parts/monitor-picker.tsx'
import { Fieldset } from '../../parts/schema/fieldset.tsx'
import { TagsField } from '../../parts/tags-field.tsx'

type ReachProps = {
  /** The chosen monitors; null for all. */
  chosen: ReadonlySet<string> | null
  tags: readonly string[]
  onChange: (chosen: ReadonlySet<string> | null) => void
}

/** Which monitors a report is about. */
export function Reach({ chosen, tags, onChange }: ReachProps): ReactNode {
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
      {choice(true, t`All, also those to come`)}
      {choice(false, t`Those with a tag, and chosen ones`)}
      {chosen !== null && (
        <div className="flex flex-col gap-3">
          <TagsField held={tags} hint={t`Monitors that have one of these, also those to come. Separated by commas.`} />
          <MonitorPicker label={t`Chosen monitors`} monitors={monitors} chosen={chosen} onChange={onChange} />
        </div>
      )}
    </Fieldset>
  )
}

import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import type { OnCallScheduleRecord } from '../../api/on-call.ts'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { instantIn, localIn } from '../../parts/zone-time.ts'
import { useChanged } from '../../session/workspace.tsx'
import { onCallKey, overridesKey, shiftsKey, useOnCallApi } from './use-on-call.ts'

type OverrideProps = { schedule: OnCallScheduleRecord; names: ReadonlyMap<string, string>; onClose: () => void }

const hourMs = 3_600_000

/** Puts somebody on call for a while; times are those of the schedule's zone. */
export function AddOverride({ schedule: { id, name, time_zone: zone }, names, onClose }: OverrideProps): ReactNode {
  const api = useOnCallApi()
  const changed = useChanged()
  const toast = useToast()
  const [begins] = useState(() => new Date(Math.ceil(Date.now() / hourMs) * hourMs))
  const submit = async (value: Values): Promise<void> => {
    await api.override(id, {
      starts_at: instantIn(zone, value('starts_at'))?.toISOString() ?? '',
      ends_at: instantIn(zone, value('ends_at'))?.toISOString() ?? '',
      contact_id: value('contact_id') === '' ? null : value('contact_id'),
    })
    await changed(onCallKey, overridesKey(id), shiftsKey(id))
    toast(t`The override of ${name} is added.`)
    onClose()
  }
  const options = [...names].map(([value, label]) => ({ value, label }))
  return (
    <FormDialog title={t`Override ${name}`} submit={t`Add the override`} onSubmit={submit} onClose={onClose}>
      <SelectField
        name="contact_id"
        label={t`On call`}
        hint={t`The person whose turn it would be is not on call during this time.`}
        defaultValue={options[0]?.value ?? ''}
        options={[...options, { value: '', label: t`No one` }]}
      />
      <TextField
        name="starts_at"
        label={t`Starts (${zone})`}
        type="datetime-local"
        defaultValue={localIn(zone, begins)}
      />
      <TextField
        name="ends_at"
        label={t`Ends (${zone})`}
        type="datetime-local"
        defaultValue={localIn(zone, new Date(begins.getTime() + 8 * hourMs))}
      />
    </FormDialog>
  )
}

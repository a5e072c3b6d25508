import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { OnCallScheduleRecord } from '../../api/on-call.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { Fieldset } from '../../parts/schema/fieldset.tsx'
import { ZoneField, ownZone } from '../../parts/form/zone-field.tsx'
import { useChanged } from '../../session/workspace.tsx'
import {
  type LayerDraft,
  areLayers,
  changed as changedRow,
  contentOf,
  draftsOf,
  moved,
  mostLayers,
  newLayer,
} from './on-call-draft.ts'
import { LayerFields } from './on-call-layer.tsx'
import { OnCallPreview } from './on-call-preview.tsx'
import { onCallKey, schedulesKey, shiftsKey, useOnCallApi } from './use-on-call.ts'

type DialogProps = {
  of: OnCallScheduleRecord | null
  names: ReadonlyMap<string, string>
  onClose: () => void
}

/** Adds a schedule, or changes one. */
export function ScheduleDialog({ of, names: present, onClose }: DialogProps): ReactNode {
  const api = useOnCallApi()
  const changed = useChanged()
  // Contacts come and go while the dialog is open; what is chosen in it stays.
  const [names] = useState(present)
  const [zone, setZone] = useState(() => of?.time_zone ?? ownZone())
  const [layers, setLayers] = useState<readonly LayerDraft[]>(() =>
    of === null ? [newLayer([], { zone, ids: [...names.keys()] })] : draftsOf(of),
  )
  const restore = (held: unknown): void => {
    if (areLayers(held)) setLayers(held)
  }
  const submit = async (value: Values): Promise<void> => {
    const content = { name: value('name'), time_zone: value('time_zone'), layers: layers.map(contentOf) }
    const { id } = await (of === null ? api.add(content) : api.change(of.id, content))
    await changed(schedulesKey, onCallKey, shiftsKey(id))
    onClose()
  }
  return (
    <FormDialog
      title={of === null ? t`Add a schedule` : t`Change ${of.name}`}
      submit={of === null ? t`Add` : t`Save`}
      held={layers}
      draft={{ form: `schedule ${of?.id ?? ''}`, isNew: of === null, restore }}
      isRoomy
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField name="name" label={t`Name`} autoComplete="off" defaultValue={of?.name ?? ''} />
        <div className="flex flex-col gap-1">
          <ZoneField name="time_zone" label={t`Time zone`} value={zone} onChange={setZone} />
        </div>
      </div>
      <Layers layers={layers} zone={zone} names={names} onChange={setLayers} />
      <OnCallPreview layers={layers} zone={zone} names={names} />
    </FormDialog>
  )
}

type LayersProps = {
  layers: readonly LayerDraft[]
  zone: string
  names: ReadonlyMap<string, string>
  onChange: (layers: readonly LayerDraft[]) => void
}

function Layers({ layers, zone, names, onChange }: LayersProps): ReactNode {
  return (
    <Fieldset
      name="layers"
      legend={t`Layers`}
      hint={t`A later layer takes precedence over an earlier one while it has someone on call.`}
    >
      {layers.map((layer, index) => (
        <LayerFields
          key={layer.key}
          layer={layer}
          index={index}
          names={names}
          onChange={(change) => onChange(changedRow(layers, layer.key, change))}
          order={{
            isLast: index === layers.length - 1,
            onMove: (by) => onChange(moved(layers, index, by)),
            onRemove: () => onChange(layers.filter(({ key }) => key !== layer.key)),
          }}
        />
      ))}
      {layers.length < mostLayers && (
        <div>
          <Button onClick={() => onChange([...layers, newLayer(layers, { zone, ids: [...names.keys()] })])}>
            <Trans>Add a layer</Trans>
          </Button>
        </div>
      )}
    </Fieldset>
  )
}

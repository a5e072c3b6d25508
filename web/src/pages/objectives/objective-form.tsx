import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import type { SloContent, SloRecord } from '../../api/objectives.ts'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { isFlag, isText, isTexts, nullOr, recordOf } from '../../parts/drafts/draft-shape.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { MonitorPicker, useAllMonitors } from '../../parts/form/monitor-picker.tsx'
import { CheckField, Fieldset } from '../../parts/schema/fieldset.tsx'
import { numberOf } from '../../parts/schema/read.ts'
import { TagsField, readTags } from '../../parts/form/tags-field.tsx'
import { usePolicies } from '../../session/use-escalation.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { objectiveKey, objectivesKey, useObjectivesApi } from './use-objectives.ts'

type Chosen = ReadonlySet<string> | null
type Held = { monitors: string[] | null; isTelling: boolean; contacts: string[] | null; policyId: string | null }

const isHeld = recordOf<Held>({
  monitors: nullOr(isTexts),
  isTelling: isFlag,
  contacts: nullOr(isTexts),
  policyId: nullOr(isText),
})

/** Adds an objective, or changes one. */
export function ObjectiveDialog({ of, onClose }: { of: SloRecord | null; onClose: () => void }): ReactNode {
  const api = useObjectivesApi()
  const changed = useChanged()
  const [monitors, setMonitors] = useState<Chosen>(() => (of?.monitor_ids === null ? null : new Set(of?.monitor_ids)))
  const [isTelling, setTelling] = useState(of?.alerts ?? true)
  const [contacts, setContacts] = useState<Chosen>(() => setOf(of?.alert_channel_ids ?? null))
  const [policyId, setPolicyId] = useState(of?.escalation_policy_id ?? null)
  const restore = (held: unknown): void => {
    if (!isHeld(held)) return
    setMonitors(setOf(held.monitors))
    setTelling(held.isTelling)
    setContacts(setOf(held.contacts))
    setPolicyId(held.policyId)
  }
  const submit = async (value: (name: string) => string, sent: FormData): Promise<void> => {
    const slo: SloContent = {
      name: value('name'),
      objective: numberOf(value('objective')) ?? '',
      window_days: numberOf(value('window_days')) ?? '',
      monitor_ids: monitors === null ? null : [...monitors],
      tags: monitors === null ? readTags(sent) : [],
      alerts: isTelling,
      alert_channel_ids: contacts === null ? null : [...contacts],
      escalation_policy_id: policyId,
    }
    if (of === null) await api.add(slo)
    else await api.change(of.id, slo)
    await changed(objectivesKey, ...(of === null ? [] : [objectiveKey(of.id)]))
    onClose()
  }
  return (
    <FormDialog
      title={of === null ? t`Add an objective` : t`Change ${of.name}`}
      submit={of === null ? t`Add` : t`Save`}
      held={{ monitors: listOrNull(monitors), isTelling, contacts: listOrNull(contacts), policyId }}
      draft={{ form: `objective ${of?.id ?? ''}`, isNew: of === null, restore }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Terms of={of} />
      <Reach chosen={monitors} tags={of?.tags ?? []} onChange={setMonitors} />
      <CheckField
        name="alerts"
        label={t`Alert when the error budget burns too fast`}
        hint={t`Also when it is used up, and when it is within budget again.`}
        defaultChecked={isTelling}
        onChange={(event) => setTelling(event.currentTarget.checked)}
      />
      {isTelling && (
        <>
          <Policy chosen={policyId} onChange={setPolicyId} />
          <Told chosen={contacts} isAtOnce={policyId !== null} onChange={setContacts} />
        </>
      )}
    </FormDialog>
  )
}

function Terms({ of }: { of: SloRecord | null }): ReactNode {
  return (
    <>
      <TextField name="name" label={t`Name`} autoComplete="off" defaultValue={of?.name ?? ''} />
      <TextField
        name="objective"
        label={t`Objective (percent)`}
        hint={t`The share of time in which the monitors should be up, such as 99.9.`}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={String(of?.objective ?? 99.9)}
      />
      <TextField
        name="window_days"
        label={t`Window (days)`}
        hint={t`The last 1 to 90 days.`}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={String(of?.window_days ?? 30)}
      />
    </>
  )
}

type ReachProps = { chosen: Chosen; tags: readonly string[]; onChange: (chosen: Chosen) => void }

/** Null where tags choose. */
function Reach({ chosen, tags, onChange }: ReachProps): ReactNode {
  const monitors = useAllMonitors()
  return (
    <Fieldset name="monitor_ids" legend={t`Monitors`}>
      <Choice name="reach" isChosen={chosen !== null} onChoose={() => onChange(new Set())}>
        {t({ message: 'These', context: 'monitors' })}
      </Choice>
      <Choice name="reach" isChosen={chosen === null} onChoose={() => onChange(null)}>
        {t`Those with a tag, including future ones`}
      </Choice>
      {chosen === null ? (
        <TagsField held={tags} />
      ) : (
        <MonitorPicker label={t`Monitors that count`} monitors={monitors} chosen={chosen} onChange={onChange} />
      )}
    </Fieldset>
  )
}

type ToldProps = Omit<ReachProps, 'tags'> & { isAtOnce: boolean }

/** Null for all contacts, or for none but those that a policy tells. */
function Told({ chosen, isAtOnce, onChange }: ToldProps): ReactNode {
  const monitors = useMonitors()
  const { data: contacts } = useRead('contacts', { read: () => monitors.listContacts() })
  const toggle = (id: string): void => {
    const others = new Set(chosen)
    if (!others.delete(id)) others.add(id)
    onChange(others)
  }
  return (
    <Fieldset name="alert_channel_ids" legend={isAtOnce ? t`Alert at once` : t`Alert`}>
      <Choice name="told" isChosen={chosen === null} onChoose={() => onChange(null)}>
        {isAtOnce ? t`Only contacts of the policy` : t`All contacts`}
      </Choice>
      <Choice name="told" isChosen={chosen !== null} onChoose={() => onChange(new Set())}>
        {t({ message: 'These', context: 'contacts' })}
      </Choice>
      {chosen !== null &&
        contacts.map(({ id, name }) => (
          <label key={id} className="flex cursor-pointer items-start gap-2.5 py-1 pl-6 text-sm">
            <input
              type="checkbox"
              checked={chosen.has(id)}
              onChange={() => toggle(id)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 wrap-anywhere">{name}</span>
          </label>
        ))}
    </Fieldset>
  )
}

type PolicyProps = { chosen: string | null; onChange: (id: string | null) => void }

/** The default policy of the workspace is one of monitors, so that an objective has none unless it names it. */
function Policy({ chosen, onChange }: PolicyProps): ReactNode {
  const policies = usePolicies()
  if (policies.length === 0) return null
  return (
    <SelectField
      name="escalation_policy_id"
      label={t`Escalation policy`}
      hint={t`It alerts one step after the other, until a person acknowledges the alarm or it ends.`}
      defaultValue={chosen ?? ''}
      onChange={(value) => onChange(value === '' ? null : value)}
      options={[
        { value: '', label: t`None: all at once` },
        ...policies.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

type ChoiceProps = { name: string; isChosen: boolean; onChoose: () => void; children: ReactNode }

function Choice({ name, isChosen, onChoose, children }: ChoiceProps): ReactNode {
  return (
    <label className="flex cursor-pointer items-center gap-2.5 py-1 text-sm">
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="size-4 shrink-0 accent-accent"
      />
      {children}
    </label>
  )
}

function listOrNull(chosen: Chosen): string[] | null {
  return chosen === null ? null : [...chosen]
}

function setOf(ids: readonly string[] | null): Chosen {
  return ids === null ? null : new Set(ids)
}

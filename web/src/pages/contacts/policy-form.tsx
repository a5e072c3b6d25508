import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { PolicyContent, PolicyRecord } from '../../api/escalation.ts'
import type { OnCallScheduleRecord } from '../../api/on-call.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { isText, isTexts, listOf, recordOf } from '../../parts/drafts/draft-shape.ts'
import { TextField } from '../../parts/form/field.tsx'
import { TagsField, readTags } from '../../parts/form/tags-field.tsx'
import { CheckField, Fieldset } from '../../parts/schema/fieldset.tsx'
import { numberOf } from '../../parts/schema/read.ts'
import { policiesKey, useEscalationApi } from '../../session/use-escalation.ts'
import { useChanged } from '../../session/workspace.tsx'
import type { Contact } from './contact-words.ts'

const mostSteps = 10

/** A step of the form; `key` stays while others come and go. */
type Draft = { key: number; minutes: string; contactIds: ReadonlySet<string>; scheduleIds: ReadonlySet<string> }

const areSteps = listOf(recordOf<Held>({ minutes: isText, contacts: isTexts, schedules: isTexts }))
type Held = { minutes: string; contacts: readonly string[]; schedules: readonly string[] }

function draftOf({ minutes, contacts, schedules }: Held, key: number): Draft {
  return { key, minutes, contactIds: new Set(contacts), scheduleIds: new Set(schedules) }
}

function heldOf({ minutes, contactIds, scheduleIds }: Draft): Held {
  return { minutes, contacts: [...contactIds], schedules: [...scheduleIds] }
}

type DialogProps = {
  of: PolicyRecord | null
  contacts: readonly Contact[]
  schedules: readonly OnCallScheduleRecord[]
  onClose: () => void
}

/** Adds a policy, or changes one. */
export function PolicyDialog({ of, contacts, schedules, onClose }: DialogProps): ReactNode {
  const api = useEscalationApi()
  const changed = useChanged()
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => draftsOf(of))
  const restore = (held: unknown): void => {
    if (areSteps(held) && held.length > 0) setDrafts(held.slice(0, mostSteps).map(draftOf))
  }
  const submit = async (value: (name: string) => string, sent: FormData): Promise<void> => {
    const policy: PolicyContent = {
      name: value('name'),
      steps: drafts.map(({ minutes, contactIds, scheduleIds }) => ({
        after_minutes: numberOf(minutes) ?? '',
        contact_ids: [...contactIds],
        schedule_ids: [...scheduleIds],
      })),
      repeats: numberOf(value('repeats')) ?? '',
      is_default: sent.has('is_default'),
      tags: readTags(sent),
    }
    await (of === null ? api.add(policy) : api.change(of.id, policy))
    await changed(policiesKey)
    onClose()
  }
  return (
    <FormDialog
      title={of === null ? t`Add an escalation policy` : t`Change ${of.name}`}
      submit={of === null ? t`Add` : t`Save`}
      held={drafts.map(heldOf)}
      draft={{ form: `policy ${of?.id ?? ''}`, isNew: of === null, restore }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField name="name" label={t`Name`} autoComplete="off" defaultValue={of?.name ?? ''} />
      <Steps drafts={drafts} contacts={contacts} schedules={schedules} onChange={setDrafts} />
      <TextField
        name="repeats"
        label={t`Repeat all steps (times)`}
        hint={t`After the last step, while no one has acknowledged the incident. At most 9.`}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={String(of?.repeats ?? 0)}
      />
      <CheckField
        name="is_default"
        label={t`Default of the workspace`}
        hint={t`For all monitors that name no policy of their own.`}
        defaultChecked={of?.is_default ?? false}
      />
      <TagsField
        held={of?.tags ?? []}
        hint={t`For monitors that have one of these tags and name no policy of their own. Separated by commas.`}
      />
    </FormDialog>
  )
}

type StepsProps = {
  drafts: readonly Draft[]
  contacts: readonly Contact[]
  schedules: readonly OnCallScheduleRecord[]
  onChange: (drafts: readonly Draft[]) => void
}

function Steps({ drafts, contacts, schedules, onChange }: StepsProps): ReactNode {
  const set = (key: number, change: Partial<Draft>): void =>
    onChange(drafts.map((draft) => (draft.key === key ? Object.assign({}, draft, change) : draft)))
  return (
    <>
      {drafts.map((draft, index) => (
        <Step
          key={draft.key}
          draft={draft}
          index={index}
          contacts={contacts}
          schedules={schedules}
          onChange={(change) => set(draft.key, change)}
          onRemove={drafts.length === 1 ? null : () => onChange(drafts.filter(({ key }) => key !== draft.key))}
        />
      ))}
      {drafts.length < mostSteps && (
        <div>
          <Button onClick={() => onChange([...drafts, newDraft(drafts)])}>
            <Trans>Add a step</Trans>
          </Button>
        </div>
      )}
    </>
  )
}

type StepProps = {
  draft: Draft
  index: number
  contacts: readonly Contact[]
  schedules: readonly OnCallScheduleRecord[]
  onChange: (change: Partial<Draft>) => void
  onRemove: (() => void) | null
}

function Step({ draft, index, contacts, schedules, onChange, onRemove }: StepProps): ReactNode {
  const number = index + 1
  return (
    <section aria-label={t`Step ${number}`} className="flex flex-col gap-3 rounded-lg border border-line p-3">
      <TextField
        name={`steps.${index}.after_minutes`}
        label={index === 0 ? t`Step ${number}: after (minutes)` : t`Step ${number}: minutes after the step before`}
        inputMode="numeric"
        autoComplete="off"
        value={draft.minutes}
        onChange={(event) => onChange({ minutes: event.currentTarget.value })}
      />
      <Fieldset name={`steps.${index}.contact_ids`} legend={t`Alert`}>
        {contacts.map(({ contact: { id, name } }) => (
          <Choice
            key={id}
            id={id}
            name={name}
            chosen={draft.contactIds}
            onChange={(contactIds) => onChange({ contactIds })}
          />
        ))}
      </Fieldset>
      {schedules.length > 0 && (
        <Fieldset name={`steps.${index}.schedule_ids`} legend={t`Alert who is on call in`}>
          {schedules.map(({ id, name }) => (
            <Choice
              key={id}
              id={id}
              name={name}
              chosen={draft.scheduleIds}
              onChange={(scheduleIds) => onChange({ scheduleIds })}
            />
          ))}
        </Fieldset>
      )}
      {onRemove !== null && (
        <div>
          <Button aria-label={t`Remove step ${number}`} onClick={onRemove}>
            <Trans>Remove</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}

type ChoiceProps = {
  id: string
  name: string
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

function Choice({ id, name, chosen, onChange }: ChoiceProps): ReactNode {
  const toggle = (): void => {
    const others = new Set(chosen)
    if (!others.delete(id)) others.add(id)
    onChange(others)
  }
  return (
    <label className="flex cursor-pointer items-start gap-2.5 py-1 text-sm">
      <input
        type="checkbox"
        checked={chosen.has(id)}
        onChange={toggle}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 wrap-anywhere">{name}</span>
    </label>
  )
}

function draftsOf(of: PolicyRecord | null): Draft[] {
  if (of === null) return [{ key: 0, minutes: '0', contactIds: new Set(), scheduleIds: new Set() }]
  return of.steps.map(({ after_minutes: minutes, contact_ids: ids, schedule_ids: scheduleIds }, key) => ({
    key,
    minutes: String(minutes),
    contactIds: new Set(ids),
    scheduleIds: new Set(scheduleIds),
  }))
}

function newDraft(drafts: readonly Draft[]): Draft {
  return {
    key: Math.max(...drafts.map(({ key }) => key)) + 1,
    minutes: '10',
    contactIds: new Set(),
    scheduleIds: new Set(),
  }
}

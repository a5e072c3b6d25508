import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { PolicyContent, PolicyRecord } from '../../api/escalation.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { CheckField, Fieldset } from '../../parts/schema/fieldset.tsx'
import { policiesKey, useEscalationApi } from '../../session/use-escalation.ts'
import { useChanged } from '../../session/workspace.tsx'
import type { Contact } from './contact-words.ts'

const mostSteps = 10

/** A step of the form; `key` stays while others come and go. */
type Draft = { key: number; minutes: string; contactIds: ReadonlySet<string> }

type DialogProps = { of: PolicyRecord | null; contacts: readonly Contact[]; onClose: () => void }

/** Adds a policy, or changes one. */
export function PolicyDialog({ of, contacts, onClose }: DialogProps): ReactNode {
  const api = useEscalationApi()
  const changed = useChanged()
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => draftsOf(of))
  const submit = async (value: (name: string) => string, sent: FormData): Promise<void> => {
    const policy: PolicyContent = {
      name: value('name'),
      steps: drafts.map(({ minutes, contactIds }) => ({
        after_minutes: numberOr(minutes),
        contact_ids: [...contactIds],
      })),
      repeats: numberOr(value('repeats')),
      is_default: sent.has('is_default'),
    }
    await (of === null ? api.add(policy) : api.change(of.id, policy))
    await changed(policiesKey)
    onClose()
  }
  return (
    <FormDialog
      title={of === null ? t`Add an escalation policy` : t`Change ${of.name}`}
      submit={of === null ? t`Add` : t`Save`}
      held={drafts.map(({ minutes, contactIds }) => [minutes, [...contactIds]])}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField name="name" label={t`Name`} autoComplete="off" defaultValue={of?.name ?? ''} />
      <Steps drafts={drafts} contacts={contacts} onChange={setDrafts} />
      <TextField
        name="repeats"
        label={t`Repeat all steps (times)`}
        hint={t`After the last step, while nobody has acknowledged the incident. At most 9.`}
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
    </FormDialog>
  )
}

type StepsProps = {
  drafts: readonly Draft[]
  contacts: readonly Contact[]
  onChange: (drafts: readonly Draft[]) => void
}

function Steps({ drafts, contacts, onChange }: StepsProps): ReactNode {
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
  onChange: (change: Partial<Draft>) => void
  onRemove: (() => void) | null
}

function Step({ draft, index, contacts, onChange, onRemove }: StepProps): ReactNode {
  const number = index + 1
  const toggle = (id: string): void => {
    const contactIds = new Set(draft.contactIds)
    if (!contactIds.delete(id)) contactIds.add(id)
    onChange({ contactIds })
  }
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
      <Fieldset name={`steps.${index}.contact_ids`} legend={t`Tell`}>
        {contacts.map(({ contact: { id, name } }) => (
          <label key={id} className="flex cursor-pointer items-start gap-2.5 py-1 text-sm">
            <input
              type="checkbox"
              name={`steps.${index}.contact_ids`}
              checked={draft.contactIds.has(id)}
              onChange={() => toggle(id)}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 wrap-anywhere">{name}</span>
          </label>
        ))}
      </Fieldset>
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

function draftsOf(of: PolicyRecord | null): Draft[] {
  if (of === null) return [{ key: 0, minutes: '0', contactIds: new Set() }]
  return of.steps.map(({ after_minutes: minutes, contact_ids: ids }, key) => ({
    key,
    minutes: String(minutes),
    contactIds: new Set(ids),
  }))
}

function newDraft(drafts: readonly Draft[]): Draft {
  return { key: Math.max(...drafts.map(({ key }) => key)) + 1, minutes: '10', contactIds: new Set() }
}

/** A text that is no number goes as it is, so that the refusal names its field. */
function numberOr(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { ManyContent } from '../../api/overview.ts'
import { AlertRulesFields, readAlertRules } from '../../parts/form/alert-rules.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Empty } from '../../parts/list.tsx'
import { CheckField, Fieldset } from '../../parts/schema/fieldset.tsx'
import { numberOf } from '../../parts/schema/read.ts'
import { usePolicies } from '../../session/use-escalation.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { useHasPayments } from '../../session/session.ts'
import { useRead } from '../../session/workspace.tsx'

export type ChangePart = 'interval' | 'locations' | 'tags' | 'contacts' | 'policy' | 'rules'

/** What can be changed of many, most wanted first. */
export function partNames({ hasPolicies }: { hasPolicies: boolean }): { part: ChangePart; name: string }[] {
  return [
    { part: 'interval', name: t`Interval` },
    { part: 'locations', name: t`Locations` },
    { part: 'tags', name: t`Tags` },
    { part: 'contacts', name: t`Alerts go to` },
    ...(hasPolicies ? [{ part: 'policy', name: t`Escalation policy` } as const] : []),
    { part: 'rules', name: t`Alert rules` },
  ]
}

export function ChangeFields({ part }: { part: ChangePart }): ReactNode {
  switch (part) {
    case 'interval':
      return (
        <TextField
          name="interval_seconds"
          label={t`Seconds between checks`}
          inputMode="numeric"
          autoComplete="off"
          defaultValue="300"
        />
      )
    case 'locations':
      return <Locations />
    case 'tags':
      return <Tags />
    case 'contacts':
      return <Contacts />
    case 'policy':
      return <Policy />
    case 'rules':
      return <AlertRulesFields held={null} of="monitor" />
  }
}

/** The members of the change that the chosen parts say; what they say wrong, the service refuses. */
export function readChanges(parts: readonly ChangePart[], sent: FormData): ManyContent {
  return Object.fromEntries(parts.flatMap((part) => Object.entries(readPart(part, sent))))
}

function readPart(part: ChangePart, sent: FormData): ManyContent {
  switch (part) {
    case 'interval':
      return { interval_seconds: numberOf(textOf(sent, 'interval_seconds')) ?? '' }
    case 'locations':
      return { locations: sent.getAll('locations') }
    case 'tags':
      return readTagChanges(sent)
    case 'contacts':
      return { alert_channel_ids: textOf(sent, audienceName) === 'all' ? null : sent.getAll('alert_channel_ids') }
    case 'policy':
      return { escalation_policy_id: textOf(sent, 'escalation_policy_id') || null }
    case 'rules':
      return { alert_rules: readAlertRules(sent, 'monitor') }
  }
}

/** An empty line asks for nothing; two of them for a change that there is none of, which the service says. */
function readTagChanges(sent: FormData): ManyContent {
  const [added, removed] = [tagsOf(sent, 'add_tags'), tagsOf(sent, 'remove_tags')]
  return {
    ...(added.length > 0 || removed.length === 0 ? { add_tags: added } : {}),
    ...(removed.length > 0 ? { remove_tags: removed } : {}),
  }
}

function tagsOf(sent: FormData, name: string): string[] {
  return textOf(sent, name)
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

function textOf(sent: FormData, name: string): string {
  const value = sent.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

function Locations(): ReactNode {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const hint = useHasPayments()
    ? t`They replace the current ones; beyond the plan’s slots each one is paid.`
    : t`They replace the current ones.`
  return (
    <Fieldset name="locations" legend={t`Locations`} hint={hint}>
      {locations.map(({ code, name, online }, at) => (
        <CheckField
          key={code}
          name="locations"
          value={code}
          label={online ? name : t`${name} (offline)`}
          defaultChecked={at === 0}
        />
      ))}
    </Fieldset>
  )
}

function Tags(): ReactNode {
  return (
    <>
      <TextField name="add_tags" label={t`Tags to add`} hint={t`Separated by commas.`} autoComplete="off" />
      <TextField name="remove_tags" label={t`Tags to remove`} hint={t`Separated by commas.`} autoComplete="off" />
    </>
  )
}

const audienceName = 'alert_channel_ids audience'

function Contacts(): ReactNode {
  const monitors = useMonitors()
  const { data: contacts } = useRead('contacts', { read: () => monitors.listContacts() })
  const [audience, setAudience] = useState('all')
  const isSome = audience === 'some'
  return (
    <Fieldset name="alert_channel_ids" legend={t`Alerts go to`}>
      <SelectField
        name={audienceName}
        label={t`Contacts`}
        onChange={setAudience}
        options={[
          { value: 'all', label: t`All contacts, including later ones` },
          { value: 'some', label: t`Only these contacts` },
          { value: 'none', label: t`No one` },
        ]}
      />
      {isSome && contacts.length === 0 && (
        <Empty>
          <Trans>The workspace has no contacts yet.</Trans>
        </Empty>
      )}
      {isSome &&
        contacts.map(({ id, name, destination }) => (
          <CheckField key={id} name="alert_channel_ids" value={id} label={`${name} (${destination})`} />
        ))}
    </Fieldset>
  )
}

function Policy(): ReactNode {
  const policies = usePolicies()
  return (
    <SelectField
      name="escalation_policy_id"
      label={t`Policy`}
      options={[
        { value: '', label: t`By its tags, else the default` },
        ...policies.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

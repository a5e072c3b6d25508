import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { MonitorRecord } from '../../api/monitors.ts'
import { AlertRulesFields } from '../../parts/alert-rules.tsx'
import { AreaField, SelectField } from '../../parts/field.tsx'
import { useField } from '../../parts/form.tsx'
import { Empty } from '../../parts/list.tsx'
import { CheckField, Fieldset, inputClass } from '../../parts/schema/fieldset.tsx'
import { SchemaField } from '../../parts/schema/schema-field.tsx'
import { type Schema, defaultOf, hintOf } from '../../api/schema.ts'
import { usePolicies } from '../../session/use-escalation.ts'
import { useHasPayments } from '../../session/session.ts'
import { useRead } from '../../session/workspace.tsx'
import { type Audience, type FormOf, audienceName, unitName } from './input.ts'
import { isCalled, kindWords } from './kinds.ts'
import { MonitorTags } from './monitor-tags.tsx'
import { Parents } from './parents.tsx'
import { witnessesText } from './witnesses.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { TagsField } from '../../parts/tags-field.tsx'

/** One of the fields that monitors of every kind have, or the options of the kind. */
export function MonitorField({ name, of }: { name: string; of: FormOf }): ReactNode {
  const schema = of.forms.input.properties?.[name] ?? {}
  const { record } = of
  const isKept = record !== null
  const filled = filledFrom(of)
  switch (name) {
    case 'check_options':
      return <Options of={of} />
    case 'locations':
      return <Locations of={of} />
    case 'alert_channel_ids':
      return <Contacts name={name} of={of} />
    case 'alert_channel_tags':
      // Among the contacts.
      return null
    case 'tags':
      return <MonitorTags held={filled?.tags ?? []} />
    case 'depends_on':
      return <Parents name={name} record={record} held={filled?.depends_on ?? []} />
    case 'escalation_policy_id':
      return <Policy held={filled?.escalation_policy_id ?? null} />
    case 'notes':
      return (
        <AreaField
          name={name}
          label={t`Notes`}
          hint={t`For everyone who looks after it, in Markdown. Shown on its page, and the beginning in alerts.`}
          defaultValue={filled?.notes ?? ''}
          rows={6}
        />
      )
    case 'alert_rules':
      return <AlertRulesFields held={filled?.alert_rules ?? null} of="monitor" />
    case 'interval_seconds':
    case 'heartbeat_grace_seconds':
      return <Duration name={name} schema={schema} of={of} />
    case 'request_headers':
      return (
        <SchemaField schema={{ ...schema, writeOnly: true }} name={name} isKept={isKept} hint={t`Kept encrypted.`} />
      )
    case 'url':
    case 'name':
      return <Named name={name} schema={schema} of={of} />
    default:
      return (
        <SchemaField
          schema={schema}
          name={name}
          isKept={isKept}
          initial={filled === null ? suggested(name, of) : heldOf(filled, name)}
          {...wordsOf(name)}
        />
      )
  }
}

function Named({ name, schema, of }: { name: 'url' | 'name'; schema: Schema; of: FormOf }): ReactNode {
  const words = name === 'url' ? targetWords(of) : {}
  const initial = name === 'name' ? nameOf(of) : (filledFrom(of)?.url ?? undefined)
  return <SchemaField schema={schema} name={name} isKept={of.record !== null} isRequired initial={initial} {...words} />
}

/** What the form shows before something is typed; null for a new monitor that is like no other. */
function filledFrom({ record, copied }: FormOf): MonitorRecord | null {
  return record ?? copied ?? null
}

function nameOf({ record, copied }: FormOf): string | undefined {
  if (record !== null || copied === undefined) return record?.name
  const { name } = copied
  return t`Copy of ${name}`
}

/** By which policy its outages are told; nothing to choose where there is none. */
function Policy({ held }: { held: string | null }): ReactNode {
  const policies = usePolicies()
  if (policies.length === 0) return null
  const usual = policies.find(({ is_default: isDefault }) => isDefault)?.name
  const isTagged = policies.some(({ tags }) => tags.length > 0)
  const none = usual === undefined ? t`None: all at once` : t`The default: ${usual}`
  return (
    <SelectField
      name="escalation_policy_id"
      label={t`Escalation policy`}
      hint={t`It tells one step after the other; contacts that the monitor names are told at once.`}
      defaultValue={held ?? ''}
      options={[
        { value: '', label: isTagged ? t`By its tags, else the default` : none },
        ...policies.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}

/** Words in place of the schema's, which are for readers of JSON. */
const labels: Readonly<Record<string, { label: MessageDescriptor; hint?: MessageDescriptor }>> = {
  keyword: { label: msg`Text in the answer`, hint: msg`The body of the answer must contain it.` },
  expected_status_min: { label: msg`Lowest accepted status code` },
  expected_status_max: { label: msg`Highest accepted status code` },
  failure_threshold: { label: msg`Failed rounds before an incident opens` },
  recovery_threshold: { label: msg`Good rounds before it resolves` },
  confirmation_threshold: { label: msg`Locations that must agree` },
  alert_degraded_rounds: {
    label: msg`Degraded rounds in a row that alert`,
    hint: msg`Empty for no alert. It is up all the while: no incident opens.`,
  },
  alert_slow_factor: {
    label: msg`How many times the usual response time alerts`,
    hint: msg`From 2 to 20; empty for no alert. Usual is what 95 % of its checks took at most at this time of day, in the last 28 days.`,
  },
  alert_slow_rounds: { label: msg`Slow rounds in a row that alert` },
  expiry_alerts: { label: msg`Tell before domain and certificate expire` },
  vulnerability_alerts: {
    label: msg`Look for software with known vulnerabilities`,
    hint: msg`Where the plan includes it.`,
  },
  vulnerability_severity: { label: msg`Lowest severity that alerts` },
  charts: { label: msg`On public status pages` },
  runbook_url: {
    label: msg`Runbook`,
    hint: msg`A page that says what to do, such as https://wiki.example.com/shop. Alerts have a button that opens it.`,
  },
  keep_evidence: {
    label: msg`Keep evidence of failures`,
    hint: msg`Headers, addresses and certificates that locations saw, and the beginning of the page where the monitor sends no secrets. Kept encrypted for 30 days.`,
  },
}

function wordsOf(name: string): { label?: string; hint?: string } {
  const words = labels[name]
  if (words === undefined) return {}
  return { label: i18n._(words.label), hint: words.hint === undefined ? '' : i18n._(words.hint) }
}

function targetWords({ kind }: FormOf): { label: string; hint: string } {
  const { target, example } = kindWords[kind]
  return { label: target === null ? t`Target` : i18n._(target), hint: t`Such as ${example}` }
}

function heldOf(record: MonitorRecord, name: string): unknown {
  return new Map<string, unknown>(Object.entries(record)).get(name) ?? undefined
}

/** What a new monitor of the console has where the API's default is another. */
function suggested(name: string, { kind }: FormOf): unknown {
  if (name === 'keep_evidence') return true
  // With the default of two, a daily job that recovered would stay down for another day.
  return name === 'recovery_threshold' && isCalled(kind) ? 1 : undefined
}

function Options({ of }: { of: FormOf }): ReactNode {
  const { kind, forms, record } = of
  const filled = filledFrom(of)
  const { options } = forms.kinds[kind]
  return Object.entries(options.properties ?? {}).map(([member, schema]) => {
    const name = `check_options.${member}`
    const initial = filled?.check_options[member]
    if (member === 'member_ids') return <Members key={member} name={name} schema={schema} of={of} />
    return (
      <SchemaField
        key={member}
        schema={schema}
        name={name}
        initial={initial}
        isKept={record !== null}
        isRequired={options.required?.includes(member) ?? false}
      />
    )
  })
}

function Members({ name, schema, of }: { name: string; schema: Schema; of: FormOf }): ReactNode {
  const { data: monitors } = useRead('monitors', { read: (api) => api.listMonitors() })
  const { record } = of
  const held: unknown = filledFrom(of)?.check_options['member_ids']
  const ids = new Set<unknown>(Array.isArray(held) ? held : [])
  const possible = monitors.filter(({ id, kind }) => kind !== 'group' && id !== record?.id)
  return (
    <Fieldset name={name} legend={t`Members`} hint={hintOf(schema)}>
      {possible.length === 0 && (
        <Empty>
          <Trans>There are no monitors yet that a group could have.</Trans>
        </Empty>
      )}
      {possible.map(({ id, name: words }) => (
        <CheckField key={id} name={name} value={id} label={words} defaultChecked={ids.has(id)} />
      ))}
    </Fieldset>
  )
}

function Locations({ of }: { of: FormOf }): ReactNode {
  const { kind, forms } = of
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const [first] = locations
  const chosen = new Set(filledFrom(of)?.locations ?? (first === undefined ? [] : [first.code]))
  const { isSingle } = forms.kinds[kind]
  const words = witnessesText(locations)
  const standing = words === null ? '' : ` ${words}`
  const each = useHasPayments()
    ? t`Each one checks by itself; beyond the plan’s slots each one is paid.`
    : t`Each one checks by itself.`
  return (
    <Fieldset
      name="locations"
      legend={isSingle ? t`Location` : t`Locations`}
      hint={isSingle ? undefined : each + standing}
    >
      {locations.map(({ code, name, online }) => (
        <CheckField
          key={code}
          type={isSingle ? 'radio' : 'checkbox'}
          name="locations"
          value={code}
          label={online ? name : t`${name} (offline)`}
          defaultChecked={chosen.has(code)}
        />
      ))}
    </Fieldset>
  )
}

const audiences: readonly { value: Audience; label: MessageDescriptor }[] = [
  { value: 'keep', label: msg`Whom they go to now` },
  { value: 'all', label: msg`All contacts, also later ones` },
  { value: 'some', label: msg`Only these contacts` },
  { value: 'tagged', label: msg`Those with a tag, and chosen ones` },
  { value: 'none', label: msg`Nobody` },
]

function Contacts({ name, of }: { name: string; of: FormOf }): ReactNode {
  const { record } = of
  const filled = filledFrom(of)
  const monitors = useMonitors()
  const { data: contacts } = useRead('contacts', { read: () => monitors.listContacts() })
  const [audience, setAudience] = useState<Audience>(record === null ? audienceOf(filled, contacts.length) : 'keep')
  const held = new Set(filled?.alert_channel_ids)
  const offered = audiences.filter(({ value }) => record !== null || value !== 'keep')
  return (
    <Fieldset name={name} legend={t`Alerts go to`}>
      <select
        aria-label={t`Alerts go to`}
        name={audienceName(name)}
        value={audience}
        onChange={({ target }) => setAudience(offered.find(({ value }) => value === target.value)?.value ?? 'all')}
        className={inputClass}
      >
        {offered.map(({ value, label }) => (
          <option key={value} value={value}>
            {i18n._(label)}
          </option>
        ))}
      </select>
      {audience === 'tagged' && (
        <TagsField
          name="alert_channel_tags"
          label={t`Contacts with a tag`}
          held={filled?.alert_channel_tags ?? []}
          hint={t`Separated by commas. Contacts that get such a tag later are alerted too.`}
        />
      )}
      {audience === 'some' && contacts.length === 0 && (
        <Empty>
          <Trans>The workspace has no contacts yet.</Trans>
        </Empty>
      )}
      {(audience === 'some' || audience === 'tagged') &&
        contacts.map(({ id, name: words, destination }) => (
          <CheckField
            key={id}
            name={name}
            value={id}
            label={`${words} (${destination})`}
            defaultChecked={held.has(id)}
          />
        ))}
    </Fieldset>
  )
}

/** What a monitor shows does not tell apart all contacts and each of them by name: a copy alerts all, later ones too. */
function audienceOf(copied: MonitorRecord | null, contacts: number): Audience {
  if (copied === null) return 'all'
  const { alert_channel_ids: ids, alert_channel_tags: tags } = copied
  if (tags.length > 0) return 'tagged'
  if (ids.length === 0) return 'none'
  return ids.length === contacts ? 'all' : 'some'
}

const unitChoices = [
  { seconds: 1, label: msg`seconds` },
  { seconds: 60, label: msg`minutes` },
  { seconds: 3600, label: msg`hours` },
] as const

/** In the largest unit that divides it. */
function Duration({ name, schema, of }: { name: string; schema: Schema; of: FormOf }): ReactNode {
  const { kind } = of
  const filled = filledFrom(of)
  const { id, problem } = useField(name)
  const usual = name === 'interval_seconds' ? kindWords[kind].intervalSeconds : undefined
  const held = filled === null ? (usual ?? defaultOf(schema)) : heldOf(filled, name)
  const seconds = typeof held === 'number' ? held : 300
  const unit = unitChoices.findLast((each) => seconds % each.seconds === 0 && seconds > 0) ?? unitChoices[0]
  const label = durationLabel(name, kind)
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={seconds / unit.seconds}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          aria-invalid={problem === null ? undefined : true}
          className={`${inputClass} max-w-28`}
        />
        <select
          name={unitName(name)}
          aria-label={t`${label}, unit`}
          defaultValue={unit.seconds}
          className={`${inputClass} max-w-36`}
        >
          {unitChoices.map((each) => (
            <option key={each.seconds} value={each.seconds}>
              {i18n._(each.label)}
            </option>
          ))}
        </select>
      </div>
      {problem !== null && (
        <p id={`${id}-problem`} className="text-sm text-bad">
          {problem}
        </p>
      )}
    </div>
  )
}

function durationLabel(name: string, kind: FormOf['kind']): string {
  if (name === 'heartbeat_grace_seconds') return t`A call may be late by`
  return isCalled(kind) ? t`A call is expected every` : t`Check every`
}

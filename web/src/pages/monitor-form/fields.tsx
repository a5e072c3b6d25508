import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { AlertRulesFields } from '../../parts/form/alert-rules.tsx'
import { AreaField } from '../../parts/form/field.tsx'
import { ZoneField } from '../../parts/form/zone-field.tsx'
import { Empty } from '../../parts/list.tsx'
import { CheckField, Fieldset } from '../../parts/schema/fieldset.tsx'
import { SchemaField } from '../../parts/schema/schema-field.tsx'
import { StatusField } from '../../parts/schema/status-field.tsx'
import { targetFor, wishOf } from '../../parts/targets.ts'
import { type Schema, defaultOf, hintOf } from '../../api/schema.ts'
import { useHasPayments } from '../../session/session.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { Contacts, Policy } from './contacts-field.tsx'
import { Duration } from './duration-field.tsx'
import { targetWords, wordsOf } from './field-words.ts'
import { type FormOf, filledFrom, heldOf } from './input.ts'
import { isCalled } from '../monitor/kinds.ts'
import { MonitorTags } from './monitor-tags.tsx'
import { Parents } from '../monitor/parents.tsx'
import { witnessesText } from '../monitor/witnesses.ts'

/** One of the fields that monitors of every kind have, or an option of the kind. */
export function MonitorField({ name, of }: { name: string; of: FormOf }): ReactNode {
  const [, option] = /^check_options\.(.+)$/.exec(name) ?? []
  if (option !== undefined) return <Option member={option} of={of} />
  const schema = of.forms.input.properties?.[name] ?? {}
  const { record, kind } = of
  const isKept = record !== null
  const filled = filledFrom(of)
  switch (name) {
    case 'expected_status_min':
      return <Status of={of} />
    case 'expected_status_max':
    case 'expected_statuses':
      // In the same field.
      return null
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
          hint={t`For everyone who looks after it, in Markdown. Shown on its page; alerts show the beginning.`}
          defaultValue={filled?.notes ?? ''}
          rows={6}
        />
      )
    case 'alert_rules':
      return <AlertRulesFields held={filled?.alert_rules ?? null} of="monitor" />
    case 'interval_seconds':
    case 'heartbeat_grace_seconds':
      return <Duration name={name} of={of} />
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
          {...(name === 'keep_evidence' && isCalled(kind) ? logWords() : {})}
        />
      )
  }
}

/** What a job sends is all that is seen of it. */
function logWords(): { label: string; hint: string } {
  return {
    label: t`Keep the logs of failed runs`,
    hint: t`The last 10 KB of what a job sends when it reports a failure, without what looks like a secret. Kept encrypted for 30 days.`,
  }
}

function Named({ name, schema, of }: { name: 'url' | 'name'; schema: Schema; of: FormOf }): ReactNode {
  const words = name === 'url' ? targetWords(of) : {}
  const initial = name === 'name' ? nameOf(of) : (filledFrom(of)?.url ?? pastedOf(of))
  return <SchemaField schema={schema} name={name} isKept={of.record !== null} isRequired initial={initial} {...words} />
}

function pastedOf({ kind, target }: FormOf): string | undefined {
  return target === undefined ? undefined : targetFor(kind, target)
}

function nameOf({ record, copied, target }: FormOf): string | undefined {
  if (record === null && copied === undefined) return target === undefined ? undefined : wishOf(target).name
  if (record !== null || copied === undefined) return record?.name
  const { name } = copied
  return t`Copy of ${name}`
}

/** What a new monitor of the console has where the API's default is another. */
function suggested(name: string, { kind }: FormOf): unknown {
  if (name === 'keep_evidence') return true
  // With the default of two, a daily job that recovered would stay down for another day.
  return name === 'recovery_threshold' && isCalled(kind) ? 1 : undefined
}

/** Which status codes count as up. */
function Status({ of }: { of: FormOf }): ReactNode {
  const filled = filledFrom(of)
  const { expected_status_min: least = {}, expected_status_max: most = {} } = of.forms.input.properties ?? {}
  const [min, max] = [defaultOf(least), defaultOf(most)]
  return (
    <StatusField
      name="expected_status_min"
      min={filled?.expected_status_min ?? min}
      max={filled?.expected_status_max ?? max}
      list={filled?.expected_statuses}
      placeholder={t`Default: ${String(min)}-${String(max)}`}
    />
  )
}

function Option({ member, of }: { member: string; of: FormOf }): ReactNode {
  const { kind, forms, record } = of
  const { options } = forms.kinds[kind]
  const schema = options.properties?.[member] ?? {}
  const name = `check_options.${member}`
  if (member === 'time_zone') return <Zone name={name} held={filledFrom(of)?.check_options[member]} />
  if (member === 'member_ids') return <Members name={name} schema={schema} of={of} />
  return (
    <SchemaField
      schema={schema}
      name={name}
      initial={filledFrom(of)?.check_options[member]}
      isKept={record !== null}
      isRequired={options.required?.includes(member) ?? false}
    />
  )
}

function Zone({ name, held }: { name: string; held: unknown }): ReactNode {
  const [zone, setZone] = useState(typeof held === 'string' ? held : '')
  return <ZoneField name={name} label={t`Time zone of the schedule`} value={zone} onChange={setZone} />
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
          <Trans>There are no monitors yet to put in a group.</Trans>
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

import { t } from '@lingui/core/macro'
import type { KindName, MonitorForms, MonitorRecord, Payload } from '../../api/monitors.ts'
import { readAlertRules } from '../../parts/form/alert-rules.tsx'
import { type Problems, checkObject, checkValue, isRecord } from '../../parts/schema/check.ts'
import { idleOptions } from '../../parts/schema/option-needs.ts'
import { readObject, readStatus, readValue, textOf } from '../../parts/schema/read.ts'
import { statusFieldOf } from '../../parts/schema/status-codes.ts'
import { readTags } from '../../parts/form/tags-field.tsx'
import { targetFor } from '../../parts/targets.ts'
import { type Schema, defaultOf, isNullable } from '../../api/schema.ts'
import { kindAsks } from './kind-asks.ts'
import { fieldGroups } from './layout.ts'

export type FormOf = {
  kind: KindName
  forms: MonitorForms
  /** The stored monitor; null for a new one. */
  record: MonitorRecord | null
  /** For a new one, the monitor from which its form is filled. */
  copied?: MonitorRecord
  /** For a new one, the target that was pasted before its kind was chosen. */
  target?: string
  /** Whether the person may let its checks reach the network that Perigee stands in. */
  mayAllowPrivate: boolean
  /** Whether its newest check was refused because the target is of that network. */
  wasRefusedPrivate: boolean
}

/** What the form shows before something is typed; null for a new monitor that is like no other. */
export function filledFrom({ record, copied }: FormOf): MonitorRecord | null {
  return record ?? copied ?? null
}

export function heldOf(record: MonitorRecord, name: string): unknown {
  return new Map<string, unknown>(Object.entries(record)).get(name) ?? undefined
}

export type MonitorInput = { payload: Payload; problems: Problems }

/** Reads a form, with the problems that show by its shape alone. */
export function readMonitor(data: FormData, of: FormOf): MonitorInput {
  const { kind, forms, record } = of
  const names = new Set(fieldGroups(kind, forms).flatMap((group) => group.names.map(memberOf)))
  const properties = forms.input.properties ?? {}
  const payload: Record<string, unknown> = record === null ? { kind } : {}
  const problems: Problems = {}
  if (data.has('billing_period')) payload['billing_period'] = data.get('billing_period')
  for (const name of names) {
    const schema = properties[name] ?? {}
    const value = readField(data, name, of)
    const given = value === undefined && record !== null ? emptied(name, schema, data) : value
    if (given === undefined && isNeeded(name, record)) problems[name] = [t`This field is required.`]
    else if (given !== undefined) payload[name] = given
    if (name !== 'check_options') Object.assign(problems, checkValue(schema, given, name))
  }
  const options = payload['check_options']
  if (isRecord(options)) Object.assign(problems, checkObject(forms.kinds[kind].options, options, 'check_options'))
  return { payload, problems }
}

/** The member of the API that a field is of: an option is of `check_options`. */
function memberOf(name: string): string {
  return name.startsWith('check_options.') ? 'check_options' : name
}

/** The value that clears a field which was emptied: none, or its default, as the empty field says. */
function emptied(name: string, schema: Schema, data: FormData): unknown {
  if (uncleared.has(name)) return undefined
  if (!data.has(statusFieldOf(name))) return undefined
  return isNullable(schema) ? null : defaultOf(schema)
}

/** Null is none of their values where a form shows them, or does not mean that they are empty. */
const uncleared: ReadonlySet<string> = new Set([
  'url',
  'heartbeat_grace_seconds',
  'alert_channel_ids',
  'request_headers',
])

/** A change leaves out what it leaves alone: contacts, headers and the permission. */
function isNeeded(name: string, record: MonitorRecord | null): boolean {
  if (record === null) return name === 'name' || name === 'url'
  return !['alert_channel_ids', 'alert_channel_tags', 'request_headers', privateTarget].includes(name)
}

export const privateTarget = 'allow_private_target'

/** Left out unless it changes: the service keeps it, and refuses it from people who may not set it. */
function readPermission(data: FormData, { record, mayAllowPrivate }: FormOf): boolean | undefined {
  const isWanted = data.has(privateTarget)
  return mayAllowPrivate && isWanted !== (record?.allow_private_target ?? false) ? isWanted : undefined
}

/** The fields of options that count for nothing with what the other options are. */
export function idleFields(options: Readonly<Record<string, unknown>>, { kind, forms }: FormOf): ReadonlySet<string> {
  const known = Object.keys(forms.kinds[kind].options.properties ?? {})
  const idle = idleOptions(known, (option) => options[option])
  return new Set([...idle].map((option) => `check_options.${option}`))
}

/** What was typed into a field that is no longer shown stays there, and is not sent. */
function readOptions(data: FormData, schema: Schema): Record<string, unknown> {
  const given = readObject(schema, 'check_options', data)
  const idle = idleOptions(Object.keys(schema.properties ?? {}), (option) => given[option])
  const options = Object.fromEntries(Object.entries(given).filter(([option]) => !idle.has(option)))
  const members = data.getAll('check_options.member_ids')
  return members.length === 0 ? options : { ...options, member_ids: members }
}

function readField(data: FormData, name: string, of: FormOf): unknown {
  const { kind, forms } = of
  switch (name) {
    case 'check_options':
      return readOptions(data, forms.kinds[kind].options)
    case privateTarget:
      return readPermission(data, of)
    case 'url':
      return readTarget(textOf(data, name), of) || undefined
    case 'expected_status_min':
    case 'expected_status_max':
    case 'expected_statuses':
      return readStatus(name, data)
    case 'interval_seconds':
    case 'heartbeat_grace_seconds':
      return readDuration(data, name) ?? usualSeconds(name, of)
    case 'locations':
    case 'depends_on':
      return data.getAll(name)
    case 'alert_channel_ids':
      return readContacts(data, name)
    case 'alert_channel_tags':
      return readContactTags(data, name)
    case 'tags':
      return readTags(data)
    case 'escalation_policy_id':
      return data.get(name) || null
    case 'alert_rules':
      return readAlertRules(data, 'monitor')
    default:
      return readValue(forms.input.properties?.[name] ?? {}, name, data)
  }
}

/** What is stored stays as it is: another target would start the monitor anew. */
function readTarget(typed: string, { kind, record }: FormOf): string {
  return typed === record?.url ? typed : targetFor(kind, typed)
}

/** The name of the field with the unit of a duration, in seconds. */
export function unitName(name: string): string {
  return `${name}.unit`
}

function readDuration(data: FormData, name: string): unknown {
  const amount = readValue({ type: 'integer' }, name, data)
  return typeof amount === 'number' ? amount * Number(data.get(unitName(name))) : amount
}

/** How often a monitor is checked, or how late a call may be, where nothing is chosen. */
export function usualSeconds(name: string, { kind, forms }: FormOf): number {
  const own = name === 'interval_seconds' ? kindAsks[kind].intervalSeconds : undefined
  const usual = own ?? defaultOf(forms.input.properties?.[name] ?? {})
  return typeof usual === 'number' ? usual : 300
}

/** Which contacts get alerts: `all` includes contacts that are added later. */
export type Audience = 'keep' | 'all' | 'some' | 'tagged' | 'none'

export function audienceName(name: string): string {
  return `${name}.audience`
}

function readContacts(data: FormData, name: string): unknown {
  switch (data.get(audienceName(name))) {
    case 'all':
      return null
    case 'some':
    case 'tagged':
      return data.getAll(name)
    case 'none':
      return []
    case null:
    default:
      return undefined
  }
}

/** Their field stands among the contacts. */
function readContactTags(data: FormData, name: string): unknown {
  switch (data.get(audienceName('alert_channel_ids'))) {
    case 'tagged':
      return readTags(data, name)
    case 'all':
    case 'some':
    case 'none':
      return []
    case null:
    default:
      return undefined
  }
}

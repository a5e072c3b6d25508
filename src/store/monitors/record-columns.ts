// Where the members of a monitor's record stand, and how they are read: made of the table of its fields.
import { namesOf, partsOf } from '#core/language/tables.ts'
import { isoTimeOf } from '#core/language/utc-day.ts'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import { monitorFields } from '#core/monitors/monitor-fields.ts'
import type { MonitorRecord, SettingField } from '#core/monitors/monitor.ts'
import { nextDueAt } from '#core/monitors/schedule.ts'
import { unknownSinceMs } from '#core/monitors/unknown-since.ts'
import { columnOf, isoTimeColumn, momentColumn, orNull, textsColumn } from '#store/database/columns.ts'
import { type RecordColumns, recordsReader } from '#store/database/row-text.ts'
import type { Monitors } from '#store/database/schema.ts'
import { lastJump } from '#store/installation/own-troubles.ts'

const shown = partsOf(monitorFields, 'shown')

/** A field that is no setting, and no column of `monitors` either. */
type FieldElsewhere = Exclude<keyof MonitorRecord, SettingField | keyof Monitors>

/** When it was known last how a monitor is; a clock that jumped ahead has not kept anybody from checking it. */
export const knownAt = `greatest(m.created_at, s.round_at, s.last_checked_at, ${lastJump})`

/** The monitor's state is `s`, the ends that its checks report are `registration` and `certificate`. */
const elsewhere: Readonly<Record<FieldElsewhere, string>> = {
  current_status: 's.current_status',
  consecutive_failures: 's.consecutive_failures',
  last_checked_at: 's.last_checked_at',
  next_check_at: 's.deadline_at',
  unknown_since: knownAt,
  domain_name: 'registration.name',
  domain_expires_at: 'registration.expires_at',
  cert_issuer: 'certificate.issuer',
  cert_expires_at: 'certificate.expires_at',
}

/**
 * A deleted member stays in the list of its group, since a delete locks no other monitors; the API shows those that are
 * there, which are the ones that count.
 */
const shownOptions = `
case
  when m.kind = 'group' then jsonb_set(m.check_options, '{member_ids}', (
    select coalesce(jsonb_agg(listed.id order by listed.place), '[]')
    from jsonb_array_elements_text(m.check_options -> 'member_ids') with ordinality as listed (id, place)
    where (
      -- A look at the index for each member, where exists would read all monitors once.
      select true
      from monitors as member
      where member.id = listed.id::uuid
        and member.workspace_id = m.workspace_id
    )
  ))
  else m.check_options
end`

/** The same of parents. */
const shownParents = `
case
  when m.depends_on = '{}' then m.depends_on
  else array(
    select listed.id
    from unnest(m.depends_on) with ordinality as listed (id, place)
    where (
      select true
      from monitors as parent
      where parent.id = listed.id
        and parent.workspace_id = m.workspace_id
    )
    order by listed.place
  )
end`

const presentOthers: Partial<Record<keyof MonitorRecord, string>> = {
  check_options: shownOptions,
  depends_on: shownParents,
}

/** SQL of each member of a record of the monitor `m`, in the order in which `readRecords` takes them. */
export const recordExpressions: readonly string[] = namesOf(shown).map(
  (field) => presentOthers[field] ?? expressionOf(field),
)

/** The same, but with all members and parents that were given, also those that are gone. */
export const storedExpressions: readonly string[] = namesOf(shown).map(expressionOf)

/** Members that are made of a column and of more: they have no column that says what the record says. */
type ComputedField = 'alert_channel_ids' | 'next_check_at' | 'unknown_since'

/** SQL of a member that a column says by itself. */
export function columnExpression(field: Exclude<keyof MonitorRecord, ComputedField | 'check_options'>): string {
  return expressionOf(field)
}

function expressionOf(field: keyof MonitorRecord): string {
  return isElsewhere(field) ? elsewhere[field] : `m.${field}`
}

function isElsewhere(field: keyof MonitorRecord): field is FieldElsewhere {
  return Object.hasOwn(elsewhere, field)
}

/** `channelIds` are all contacts of the workspace: a monitor that names none, nor a tag, alerts them all, and its record has them. */
export type Moment = { now: Date; channelIds: string[] }

const contacts = orNull(textsColumn)
const isoTime = orNull(isoTimeColumn)

const computed: Pick<RecordColumns<MonitorRecord, Moment>, ComputedField> = {
  alert_channel_ids: {
    compute: (text, { alert_channel_tags: tags }, { channelIds }) =>
      contacts(text) ?? (tags.length > 0 ? [] : channelIds),
  },
  next_check_at: { compute: (text, record, { now }) => nextCheckAt(record, { callDueAt: isoTime(text), now }) },
  unknown_since: {
    compute: (text, record, { now }) => {
      const sinceMs = unknownSinceMs(record, { knownAtMs: momentColumn(text), nowMs: now.getTime() })
      return sinceMs === null ? null : isoTimeOf(sinceMs)
    },
  },
}

export const readRecords: (rows: readonly string[], moment: Moment) => MonitorRecord[] = recordsReader<
  MonitorRecord,
  Moment
>({ ...recordColumns(), ...computed })

const rhythm = [
  'id',
  'kind',
  'status',
  'interval_seconds',
  'retry_interval_seconds',
  'current_status',
  'consecutive_failures',
  'last_checked_at',
] as const satisfies readonly (keyof MonitorRecord)[]

/** What a computed member is made of, beside its own column. */
const madeOf: Partial<Record<keyof MonitorRecord, readonly (keyof MonitorRecord)[]>> = {
  alert_channel_ids: ['alert_channel_tags'],
  next_check_at: rhythm,
  unknown_since: ['kind', 'status', 'current_status', 'interval_seconds', 'timeout_ms'],
  // What a monitor sends stands in both, and is sealed as one.
  request_body: ['check_options'],
  check_options: ['request_body'],
}

/** How some members of records are read: what of a statement they need, and nothing more. */
export type PartReader = {
  expressions: readonly string[]
  read: (rows: readonly string[], moment: Moment) => Partial<MonitorRecord>[]
  hasContent: boolean
  hasContacts: boolean
  hasDomain: boolean
  hasCertificate: boolean
}

/** Of the members that are asked for, with those that they are made of; of all for null. */
export function partReader(fields: readonly (keyof MonitorRecord)[] | null): PartReader {
  const names = namesOf(shown)
  const wanted = new Set(fields?.flatMap((field) => [field, ...(madeOf[field] ?? [])]) ?? names)
  const read = names.filter((name) => wanted.has(name))
  const hasAny = (...some: (keyof MonitorRecord)[]): boolean => some.some((name) => wanted.has(name))
  return {
    expressions: read.map((name) => presentOthers[name] ?? expressionOf(name)),
    read: fields === null ? readRecords : recordsReader<Partial<MonitorRecord>, Moment>(partColumns(read)),
    hasContent: hasAny('check_options'),
    hasContacts: hasAny('alert_channel_ids'),
    hasDomain: hasAny('domain_name', 'domain_expires_at'),
    hasCertificate: hasAny('cert_issuer', 'cert_expires_at'),
  }
}

function partColumns(names: readonly (keyof MonitorRecord)[]): RecordColumns<Partial<MonitorRecord>, Moment>
function partColumns(names: readonly (keyof MonitorRecord)[]): object {
  const columns = new Map(Object.entries({ ...recordColumns(), ...computed }))
  return Object.fromEntries(names.map((name) => [name, columns.get(name)]))
}

type Schedule = Pick<MonitorRecord, (typeof rhythm)[number]>

/** For a monitor that waits to be called: when the next call is missed. */
function nextCheckAt(schedule: Schedule, { callDueAt, now }: { callDueAt: string | null; now: Date }): string | null {
  const { id, kind, status, interval_seconds: interval } = schedule
  if (status === 'paused') return null
  if (kindTraits[kind].source === 'called') return callDueAt
  const [regularMs, retryMs] = [nextDueAt(id, interval, now).getTime(), retryAtMs(schedule)]
  return isoTimeOf(retryMs >= now.getTime() ? Math.min(regularMs, retryMs) : regularMs)
}

/** When a failed round is repeated; before all times where it is not. */
function retryAtMs(schedule: Schedule): number {
  const { kind, retry_interval_seconds: retry, current_status: current, last_checked_at: at } = schedule
  if (retry === null || at === null || schedule.consecutive_failures === 0) return -Infinity
  return kindTraits[kind].source !== 'probed' || current === 'down' ? -Infinity : Date.parse(at) + retry * 1000
}

/** A column for each member, as its schema describes it. */
function recordColumns(): RecordColumns<MonitorRecord, Moment>
function recordColumns(): object {
  return Object.fromEntries(Object.entries(shown).map(([name, schema]) => [name, columnOf(schema)]))
}

// What each section of a project has of its own; what is the same for all of them stands where it is done.
import { z } from 'zod'
import { contactLimit } from '#core/contacts/contact-record.ts'
import { maxPolicies } from '#core/contacts/escalation.ts'
import { maxSchedules } from '#core/contacts/on-call-schedule.ts'
import { maxWindows } from '#core/maintenance.ts'
import { maxSlos } from '#core/objectives/slo.ts'
import { maxReports } from '#core/reports/report.ts'
import { statusLimits } from '#core/status-pages/status-page.ts'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import { monitorFields } from '#core/monitors/monitor-fields.ts'
import { namesOf } from '#core/language/tables.ts'
import type { Section } from './entries.ts'

type Values = Readonly<Record<string, unknown>>

/** A member of the API that holds ids, in whose place the files name others by their keys. */
export type NamingField = {
  /** The way from an entry to the maps that have it; `*` stands for each of a list. */
  within: readonly string[]
  sent: string
  written: string
  to: Section
  /** `placed`: maps of an id and the name that is shown in place of the monitor's own. */
  form: 'one' | 'list' | 'placed'
  /** The kind of monitor that has it, where not all have. */
  ofKind?: string
}

/** What becomes of an object that stands in the files no more. */
export type Leaving =
  /** It is deleted at once, since nothing goes with it that the files did not have. */
  | { type: 'goes' }
  /** It cannot be switched off: it stays as it is, and is deleted after a while. */
  | { type: 'stays' }
  /** It is switched off, and deleted after a while. `on` is how it is woken; `secrets` are the fields that have some. */
  | { type: 'rests'; field: string; off: unknown; on: (secrets: ReadonlySet<string>) => unknown }

export type SectionTraits = {
  /** Of the operations, below the root of the API. */
  path: string
  description: string
  /** By which an entry and an object without a key are taken for the same. */
  knownBy: 'name' | 'slug'
  /** What an entry may say beside the body of the operation that creates it. */
  own: Readonly<Record<string, z.ZodType>>
  references: readonly NamingField[]
  /** Values that a field has anyway, which an export leaves out. */
  usual: Values
  /** The same of the items of a list. */
  usualInItems?: Readonly<Record<string, Values>>
  /** Whether a field has its value anyway for a reason of its own. */
  isUsual?: (field: string, fields: Values) => boolean
  /** The field with the options of its kind, some of which may be secret. */
  options: string | null
  /** Fields that the service never shows. */
  hidden: readonly string[]
  /** Fields that are decided when it is made, and not compared. */
  decidedOnce: readonly string[]
  /** Whether a change has to say all that is set, since the operation replaces it whole. */
  isReplacedWhole: boolean
  /** Whether no request can make it at that time. */
  isPast?: (fields: Values, time: string) => boolean
  /** Whether all that it needs was deleted, so that no request can make it again. */
  isBereft?: (fields: Values) => boolean
  /** How many a workspace may have; null where its plan decides. */
  most: number | null
  leaving: Leaving
}

const names = { within: [], form: 'list' } as const
const policyOfOne = {
  within: [],
  form: 'one',
  written: 'escalation_policy',
  sent: 'escalation_policy_id',
  to: 'escalation_policies',
} as const
const none = { own: {}, usual: {}, options: null, hidden: [], decidedOnce: [], isReplacedWhole: false } as const

export const sectionTraits: Readonly<Record<Section, SectionTraits>> = {
  contacts: {
    ...none,
    path: 'alert-channels',
    description: 'Who is alerted.',
    knownBy: 'name',
    own: { enabled: z.boolean().optional() },
    references: [],
    usual: { enabled: true, options: {} },
    options: 'options',
    most: contactLimit,
    leaving: { type: 'rests', field: 'enabled', off: false, on: () => true },
  },
  on_call_schedules: {
    ...none,
    path: 'on-call-schedules',
    description: 'Contacts that take turns.',
    knownBy: 'name',
    references: [
      { within: ['layers', '*'], form: 'list', written: 'participants', sent: 'participants', to: 'contacts' },
    ],
    usual: { layers: [] },
    usualInItems: { layers: { name: null, weekday: null, restrictions: [] } },
    most: maxSchedules,
    // Overrides and the address of its calendar go with it, which no file has.
    leaving: { type: 'stays' },
  },
  escalation_policies: {
    ...none,
    path: 'escalation-policies',
    description: 'Who is told of an outage after whom.',
    knownBy: 'name',
    references: [
      { within: ['steps', '*'], form: 'list', written: 'contacts', sent: 'contact_ids', to: 'contacts' },
      { within: ['steps', '*'], form: 'list', written: 'schedules', sent: 'schedule_ids', to: 'on_call_schedules' },
    ],
    usual: { repeats: 0, is_default: false, tags: [] },
    usualInItems: { steps: { contact_ids: [], schedule_ids: [] } },
    isBereft: ({ steps }) => isEmpty(steps),
    most: maxPolicies,
    leaving: { type: 'goes' },
  },
  monitors: {
    ...none,
    path: 'monitors',
    description: 'What is checked.',
    knownBy: 'name',
    own: { paused: z.boolean().optional() },
    references: [
      { ...names, written: 'contacts', sent: 'alert_channel_ids', to: 'contacts' },
      { ...names, written: 'depends_on', sent: 'depends_on', to: 'monitors' },
      policyOfOne,
      {
        within: ['check_options'],
        form: 'list',
        written: 'members',
        sent: 'member_ids',
        to: 'monitors',
        ofKind: 'group',
      },
    ],
    usual: {
      ...Object.fromEntries(namesOf(monitorFields).flatMap((name) => initialOf(monitorFields[name], name))),
      kind: 'http',
      url: null,
      keyword: null,
      check_options: {},
      allow_private_target: false,
      heartbeat_grace_seconds: null,
      alert_channel_ids: null,
      vulnerability_alerts: false,
      billing_period: null,
      paused: false,
    },
    // A repository has these alerts always.
    isUsual: (field, { kind }) => field === 'vulnerability_alerts' && isRepository(kind),
    options: 'check_options',
    hidden: ['request_headers'],
    decidedOnce: ['billing_period'],
    most: null,
    leaving: { type: 'rests', field: 'paused', off: true, on: () => false },
  },
  status_pages: {
    ...none,
    path: 'status-pages',
    description: 'Public pages.',
    knownBy: 'slug',
    references: [{ within: ['sections', '*'], form: 'placed', written: 'monitors', sent: 'monitors', to: 'monitors' }],
    usual: {
      description: '',
      homepage: null,
      domain: null,
      language: 'en',
      theme: 'auto',
      accent: null,
      layout: 'list',
      history: '90_days',
      response_charts: true,
      visibility: 'public',
      tags: [],
      monitor_tags: [],
      sections: [],
    },
    hidden: ['password'],
    most: statusLimits.pages,
    leaving: {
      type: 'rests',
      field: 'visibility',
      off: 'draft',
      // Whether it asked for its password before is not known; a page that has one does so again.
      on: (secrets) => (secrets.has('password') ? 'password' : 'public'),
    },
  },
  maintenance: {
    ...none,
    path: 'maintenance-windows',
    description: 'Planned windows in which alerts rest.',
    knownBy: 'name',
    references: [{ ...names, written: 'monitors', sent: 'monitor_ids', to: 'monitors' }],
    usual: {
      description: null,
      time_zone: 'UTC',
      monitor_ids: null,
      monitor_tags: [],
      excludes_uptime: false,
      tags: [],
    },
    isReplacedWhole: true,
    isPast: ({ schedule }, time) => isOver(schedule, time),
    isBereft: ({ monitor_ids: ids, monitor_tags: tags }) => isEmpty(ids) && isEmpty(tags),
    most: maxWindows,
    leaving: { type: 'goes' },
  },
  objectives: {
    ...none,
    path: 'slos',
    description: 'How much of the time monitors are to be up.',
    knownBy: 'name',
    references: [
      { ...names, written: 'monitors', sent: 'monitor_ids', to: 'monitors' },
      { ...names, written: 'contacts', sent: 'alert_channel_ids', to: 'contacts' },
      policyOfOne,
    ],
    usual: {
      monitor_ids: null,
      tags: [],
      window_days: 30,
      alerts: false,
      alert_channel_ids: null,
      escalation_policy_id: null,
    },
    isBereft: ({ monitor_ids: ids }) => isEmpty(ids),
    most: maxSlos,
    // What was attained is computed from incidents, which stay.
    leaving: { type: 'goes' },
  },
  reports: {
    ...none,
    path: 'reports',
    description: 'A week or a month in figures, by mail.',
    knownBy: 'name',
    references: [
      { ...names, written: 'monitors', sent: 'monitor_ids', to: 'monitors' },
      { ...names, written: 'recipients', sent: 'recipients', to: 'contacts' },
    ],
    usual: { weekday: 1, hour: 8, monitor_ids: null, tags: [], objective: 99.9, enabled: true },
    isBereft: ({ monitor_ids: ids, tags, recipients }) => isEmpty(recipients) || (isEmpty(ids) && isEmpty(tags)),
    most: maxReports,
    leaving: { type: 'rests', field: 'enabled', off: false, on: () => true },
  },
}

/** Maintenance that takes place once and is over at a time can be planned by no request any more. */
function isOver(schedule: unknown, time: string): boolean {
  const once = z.object({ type: z.literal('once'), ends_at: z.string() }).safeParse(schedule)
  return once.success && Date.parse(once.data.ends_at) <= Date.parse(time)
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}

function isRepository(kind: unknown): boolean {
  return Object.entries(kindTraits).some(([name, { software }]) => name === kind && software === 'always')
}

function initialOf(field: object, name: string): [string, unknown][] {
  return 'initial' in field ? [[name, field.initial]] : []
}

export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

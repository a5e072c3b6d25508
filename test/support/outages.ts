// Outages near changes of clocks, as they may come.
import fc from 'fast-check'
import {
  contactRulesSchema,
  type ContactRules,
  monitorRulesSchema,
  type MonitorRules,
} from '#core/contacts/alert-rules.ts'
import { type OnCallLayer, storedLayersSchema } from '#core/contacts/on-call-schedule.ts'
import type { OnCallSchedule } from '#core/contacts/on-call-shifts.ts'
import type { ModelContact, Outage } from './outage-model.ts'

const mostMinutes = 600
/** Longer than any outage with the quiet hours after its end. */
export const maxMinutes = mostMinutes + 1440
const minuteMs = 60_000
const dayMs = 86_400_000

export const contactIds = ['a', 'b', 'c', 'd'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`)

/** Both changes of three zones, one of which changes by half an hour. */
const changes = [
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-10-03T15:30:00Z',
]
const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC')

const timeOf = (minute: number): string => {
  const ofDay = minute % 1440
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
}

/** Of evenings and nights, as clocks are changed at night; two of them leave some time of every day. */
const quietHours = fc
  .record({
    time_zone: zone,
    from: fc.integer({ min: 18 * 60, max: 27 * 60 }),
    lasts: fc.integer({ min: 1, max: 600 }),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })),
  })
  .map(({ time_zone, from, lasts, weekdays }) => {
    const daily = { time_zone, from: timeOf(from), to: timeOf(from + lasts) }
    return weekdays === null ? daily : Object.assign(daily, { weekdays })
  })

/** Each is left out as often as not. */
const rules = fc.record(
  {
    after_minutes: fc.integer({ min: 0, max: 90 }),
    quiet_hours: quietHours,
    remind_every_minutes: fc.integer({ min: 20, max: 150 }),
  },
  { requiredKeys: [] },
)
const contactRules: fc.Arbitrary<ContactRules> = fc
  .tuple(rules, fc.constantFrom(undefined, undefined, ['down', 'up'], ['down'], ['up']))
  .map(([given, events]) => contactRulesSchema.parse(events === undefined ? given : { ...given, events }))
const monitorRules: fc.Arbitrary<MonitorRules> = fc
  .tuple(rules, fc.boolean())
  .map(([given, critical]) => monitorRulesSchema.parse({ ...given, critical }))

const often = fc.integer({ min: 0, max: 4 }).map((number) => number > 0)
const contact: fc.Arbitrary<ModelContact> = fc.record({
  isOn: often,
  isConfirmed: often,
  isFailing: often.map((is) => !is),
  rules: contactRules,
})

const someContacts = fc.uniqueArray(fc.constantFrom(...contactIds), { maxLength: 2 })
const schedule = fc.record({
  timeZone: zone,
  participants: fc.uniqueArray(fc.constantFrom(...contactIds), { maxLength: 3 }),
  rotation: fc.record({
    every: fc.integer({ min: 1, max: 12 }),
    unit: fc.constantFrom('hours' as const, 'days' as const),
  }),
  quarter: fc.integer({ min: 0, max: 95 }),
  daysBefore: fc.integer({ min: 0, max: 5 }),
})
type GivenSchedule = { timeZone: string; participants: string[]; rotation: OnCallLayer['rotation'] } & Days
type Days = { quarter: number; daysBefore: number }

const step = fc.record({
  minutes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 240 })),
  contacts: someContacts,
  schedules: fc.array(schedule, { maxLength: 1 }),
})
const policy = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  repeats: fc.integer({ min: 0, max: 3 }),
})

export const outages: fc.Arbitrary<Outage> = fc
  .record({
    change: fc.constantFrom(...changes),
    minutesBefore: fc.integer({ min: -120, max: 420 }),
    contacts: fc.tuple(contact, contact, contact, contact),
    monitor: fc.record({ rules: monitorRules, named: fc.option(someContacts) }),
    policy: fc.option(policy, { freq: 1 }),
    acknowledgedAfter: fc.option(fc.integer({ min: 0, max: mostMinutes }), { freq: 1 }),
    endsAfter: fc.oneof(fc.integer({ min: 0, max: mostMinutes }), fc.integer({ min: 300, max: mostMinutes })),
  })
  .map(({ change, minutesBefore, contacts, monitor, policy: given, acknowledgedAfter, endsAfter }) => {
    const opensAt = new Date(Date.parse(change) - minutesBefore * minuteMs)
    return {
      opensAt,
      contacts: new Map(contacts.map((each, index) => [contactIds[index] ?? '', each])),
      monitor,
      policy: given === null ? null : { ...given, steps: given.steps.map((each) => withSchedules(each, opensAt)) },
      acknowledgedAfter: acknowledgedAfter !== null && acknowledgedAfter < endsAfter ? acknowledgedAfter : null,
      endsAfter,
    }
  })

type GivenStep = { minutes: number; contacts: string[]; schedules: GivenSchedule[] }

function withSchedules({ schedules, ...given }: GivenStep, opensAt: Date) {
  return { ...given, schedules: schedules.map((each) => scheduleOf(each, opensAt)) }
}

function scheduleOf({ timeZone, quarter, daysBefore, ...layer }: GivenSchedule, opensAt: Date): OnCallSchedule {
  const startDate = new Date(opensAt.getTime() - daysBefore * dayMs).toISOString().slice(0, 10)
  const layers = storedLayersSchema.parse([{ ...layer, hand_over: timeOf(quarter * 15), start_date: startDate }])
  return { timeZone, layers, overrides: [] }
}

/** A night in which the clocks of Berlin are changed, and in which reminders come due while the alert itself waits. */
export const nightOutage: Outage = {
  opensAt: new Date('2026-03-28T22:00:00Z'),
  contacts: new Map([
    [
      contactIds[0] ?? '',
      {
        isOn: true,
        isConfirmed: true,
        isFailing: false,
        rules: { quiet_hours: { time_zone: 'Europe/Berlin', from: '22:00', to: '07:00' }, remind_every_minutes: 60 },
      },
    ],
  ]),
  monitor: { rules: {}, named: null },
  policy: null,
  acknowledgedAfter: null,
  endsAfter: 600,
}

// Who is told what of an outage, as somebody finds out who looks at everything once a minute.
import type { ContactRules, MonitorRules, QuietHours } from '#core/contacts/alert-rules.ts'
import { type OnCallSchedule } from '#core/contacts/on-call-shifts.ts'
import { quarterMs, walk } from './on-call-model.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

export type ModelContact = { isOn: boolean; isConfirmed: boolean; isFailing: boolean; rules: ContactRules }
export type ModelStep = { minutes: number; contacts: readonly string[]; schedules: readonly OnCallSchedule[] }

/** Minutes are counted from the opening. Contacts are named as their ids are. */
export type Outage = {
  opensAt: Date
  contacts: ReadonlyMap<string, ModelContact>
  monitor: { rules: MonitorRules; named: readonly string[] | null }
  policy: { steps: readonly ModelStep[]; repeats: number } | null
  acknowledgedAfter: number | null
  endsAfter: number
}

/** `12 Ann monitor.down`: in which minute a message left. */
export type Message = { minute: number; contact: string; type: 'monitor.down' | 'monitor.reminder' | 'monitor.up' }

type Waiting = { type: Message['type']; from: number }
type Desk = { waiting: Waiting | null; wasTold: boolean; wasOrdered: boolean; remindsAt: number | null }
type Escalation = { step: number; turn: number; dueAt: number }

/** All messages until `lastMinute`, by minute. In each minute things are due first, and then the outage may end. */
export function messagesOf(outage: Outage, lastMinute: number): Message[] {
  const { contacts, monitor, policy } = outage
  const quiet = createQuiet(outage, lastMinute)
  const onCall = createOnCall(outage, lastMinute)
  const desks = new Map([...contacts.keys()].map((id): [string, Desk] => [id, newDesk()]))
  const messages: Message[] = []
  let escalation: Escalation | null = policy === null ? null : firstStep(outage)
  let isOpen = true

  const order = (id: string, minute: number, from = minute): void => {
    const [desk, contact] = [desks.get(id), contacts.get(id)]
    if (desk === undefined || contact === undefined || desk.waiting !== null) return
    desk.waiting = { type: desk.wasTold ? 'monitor.reminder' : 'monitor.down', from }
    const every = longer(contact.rules.remind_every_minutes, monitor.rules.remind_every_minutes)
    if (!desk.wasTold && every !== null) desk.remindsAt = from + every
    desk.wasOrdered = true
  }
  const isQuiet = (id: string, minute: number): boolean => quiet(id, minute)
  const send = (minute: number): void => {
    for (const [contact, desk] of desks) {
      if (desk.waiting === null || desk.waiting.from > minute || isQuiet(contact, minute)) continue
      messages.push({ minute, contact, type: desk.waiting.type })
      desk.waiting = null
      desk.wasTold = true
    }
  }
  const takeStep = (place: Escalation, minute: number): Escalation | null => {
    const step = policy?.steps[place.step]
    const ids = new Set([...(step?.contacts ?? []), ...(step?.schedules ?? []).flatMap((each) => onCall(each, minute))])
    let isTold = false
    for (const id of ids) {
      const contact = contacts.get(id)
      if (contact === undefined || !isReachable(contact) || !wants(contact, 'down') || isQuiet(id, minute)) continue
      order(id, minute)
      if (!contact.isFailing) isTold = true
    }
    const isLast = place.step + 1 === policy?.steps.length
    if (isLast && place.turn === policy?.repeats) {
      const isReached = [...desks].some(
        ([id, { waiting, wasTold }]) => wasTold || (waiting !== null && contacts.get(id)?.isFailing === false),
      )
      if (!isReached) for (const [id, contact] of contacts) if (isReachable(contact)) order(id, minute)
      return null
    }
    const next = isLast ? { step: 0, turn: place.turn + 1 } : { step: place.step + 1, turn: place.turn }
    return { ...next, dueAt: minute + (isTold ? (policy?.steps[next.step]?.minutes ?? 0) : 0) }
  }
  const stop = (): void => {
    escalation = null
    for (const desk of desks.values()) {
      desk.waiting = null
      desk.remindsAt = null
    }
  }

  for (const [id, contact] of contacts) {
    const isNamed = policy === null ? (monitor.named?.includes(id) ?? true) : (monitor.named?.includes(id) ?? false)
    if (!isNamed || !isReachable(contact) || !wants(contact, 'down')) continue
    order(id, 0, longer(contact.rules.after_minutes, monitor.rules.after_minutes) ?? 0)
  }
  for (let minute = 0; minute <= lastMinute; minute += 1) {
    while (escalation !== null && escalation.dueAt <= minute) escalation = takeStep(escalation, minute)
    for (const [id, desk] of desks) {
      if (desk.remindsAt !== minute) continue
      const contact = contacts.get(id)
      desk.remindsAt += longer(contact?.rules.remind_every_minutes, monitor.rules.remind_every_minutes) ?? 0
      desk.waiting ??= { type: 'monitor.reminder', from: minute }
    }
    send(minute)
    if (minute === outage.acknowledgedAfter) stop()
    if (minute !== outage.endsAfter || !isOpen) continue
    isOpen = false
    stop()
    for (const [id, desk] of desks) {
      const contact = contacts.get(id)
      const isNamed = monitor.named?.includes(id) ?? true
      // Without a policy the end is also told to contacts that want to hear of ends only.
      const isConcerned = desk.wasTold || (!desk.wasOrdered && policy === null && isNamed)
      if (contact !== undefined && isConcerned && isReachable(contact) && wants(contact, 'up'))
        desk.waiting = { type: 'monitor.up', from: minute }
    }
    send(minute)
  }
  return messages
}

function newDesk(): Desk {
  return { waiting: null, wasTold: false, wasOrdered: false, remindsAt: null }
}

function firstStep({ monitor, policy }: Outage): Escalation {
  return { step: 0, turn: 0, dueAt: (monitor.rules.after_minutes ?? 0) + (policy?.steps[0]?.minutes ?? 0) }
}

function isReachable({ isOn, isConfirmed }: ModelContact): boolean {
  return isOn && isConfirmed
}

function wants({ rules }: ModelContact, event: 'down' | 'up'): boolean {
  return rules.events === undefined || rules.events.includes(event)
}

function longer(one: number | undefined, other: number | undefined): number | null {
  return one === undefined && other === undefined ? null : Math.max(one ?? 0, other ?? 0)
}

/** Whether a contact, or the monitor, is quiet in a minute. */
function createQuiet(
  { opensAt, contacts, monitor }: Outage,
  lastMinute: number,
): (id: string, minute: number) => boolean {
  const span = { from: opensAt.getTime(), minutes: lastMinute }
  const ofMonitor = quietMinutes(monitor.rules.quiet_hours, span)
  const ofContacts = new Map([...contacts].map(([id, { rules }]) => [id, quietMinutes(rules.quiet_hours, span)]))
  return (id, minute) =>
    monitor.rules.critical !== true && (ofMonitor[minute] === true || ofContacts.get(id)?.[minute] === true)
}

type Span = { from: number; minutes: number }

function quietMinutes(quiet: QuietHours | undefined, span: Span): boolean[] {
  if (quiet === undefined) return []
  return wallClock(quiet.time_zone, span).map((shown) => holds(quiet, shown))
}

/**
 * What a clock shows in each minute that is stopped rather than put back: the latest that it has shown. Clocks are
 * changed when a quarter of an hour begins, so that it is read four times an hour.
 */
function wallClock(timeZone: string, { from, minutes }: Span): string[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const read: string[] = []
  let quarter = NaN
  let begun = NaN
  let shown = ''
  for (let at = from - 180 * minuteMs; at <= from + minutes * minuteMs; at += minuteMs) {
    const current = Math.floor(at / quarterMs) * quarterMs
    if (current !== quarter) begun = Date.parse(`${format.format(current).replace(' ', 'T')}Z`)
    quarter = current
    const now = new Date(begun + at - quarter).toISOString().slice(0, 16).replace('T', ' ')
    if (now > shown) shown = now
    if (at >= from) read.push(shown)
  }
  return read
}

/** `shown` is a date and a time of day. Quiet hours hold that began today, or yesterday. */
function holds({ from, to, weekdays }: QuietHours, shown: string): boolean {
  const today = Date.parse(`${shown.slice(0, 10)}T00:00:00Z`)
  return [today, today - dayMs].some((day) => {
    if (weekdays !== undefined && !weekdays.includes(new Date(day).getUTCDay() || 7)) return false
    const begins = `${dateOf(day)} ${from}`
    const ends = `${dateOf(to > from ? day : day + dayMs)} ${to}`
    return begins <= shown && shown < ends
  })
}

function dateOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10)
}

function createOnCall(
  { opensAt, policy }: Outage,
  lastMinute: number,
): (of: OnCallSchedule, minute: number) => string[] {
  const from = new Date(Math.floor(opensAt.getTime() / quarterMs) * quarterMs)
  const until = new Date(opensAt.getTime() + (lastMinute + 15) * minuteMs)
  const schedules = new Set(policy?.steps.flatMap((step) => step.schedules))
  const walks = new Map([...schedules].map((schedule) => [schedule, walk(schedule, { from, until })]))
  return (schedule, minute) => {
    const quarter = Math.floor((opensAt.getTime() + minute * minuteMs - from.getTime()) / quarterMs)
    const id = walks.get(schedule)?.[quarter] ?? null
    return id === null ? [] : [id]
  }
}

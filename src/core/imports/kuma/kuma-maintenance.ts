// Maintenance of Uptime Kuma. What happened within it counts in no uptime there.
import { createLocalClock } from '#core/language/local-clock.ts'
import { isTimeZone } from '#core/language/time-zone.ts'
import type { MaintenanceSchedule } from '#core/maintenance.ts'
import type { Findings, Where } from '#core/imports/findings.ts'
import { innerJson } from '#core/imports/import-json.ts'
import { createTree, type KumaTree } from './kuma-groups.ts'
import { kumaPlace, type KumaRow, type KumaTables } from './kuma-rows.ts'
import { oneLine, shown } from '#core/imports/monitor-parts.ts'

type Row = KumaRow<'maintenance'>
type Links = ReadonlyMap<number, readonly KumaRow<'monitor_maintenance'>[]>
type Zoned = Where & { timeZone: string; now: Date }

/** `keys` are those of the monitors that arrive, by their ids there. */
export function readKumaMaintenance(
  tables: KumaTables,
  keys: ReadonlyMap<number, string>,
  { findings, now }: { findings: Findings; now: Date },
): void {
  const tree = createTree(tables.monitor)
  const links = Map.groupBy(tables.monitor_maintenance, ({ maintenance_id: id }) => id)
  const serverZone = serverZoneOf(tables)
  for (const row of tables.maintenance) {
    const where = { place: kumaPlace('maintenance', { id: row.id, name: row.title }), findings, now }
    if (!row.active) {
      findings.lost(where.place, `${shown(row.title ?? 'It')} is switched off there and is left out.`)
      continue
    }
    const timeZone = zoneOf(row, serverZone, where)
    const schedule = scheduleOf(row, { ...where, timeZone })
    if (schedule === null) continue
    const covered = coveredBy(row, { links, tree, keys })
    if (covered.length === 0) {
      findings.lost(where.place, 'None of its monitors is imported.')
      continue
    }
    const name = oneLine(row.title ?? '', 160)
    findings.addMaintenance({
      key: findings.keyOf('maintenance', name),
      place: where.place,
      input: {
        name: name === '' ? 'Maintenance' : name,
        description: row.description === null ? null : Array.from(row.description).slice(0, 2000).join(''),
        schedule,
        time_zone: timeZone,
        monitor_ids: covered.slice(0, 1000),
        excludes_uptime: true,
      },
    })
  }
}

/** Maintenance of a group is one of all that is in it. */
function coveredBy(
  { id }: Row,
  { links, tree, keys }: { links: Links; tree: KumaTree; keys: ReadonlyMap<number, string> },
): string[] {
  const covered = new Set<number>()
  for (const monitorId of new Set(links.get(id)?.map((link) => link.monitor_id))) {
    covered.add(monitorId)
    for (const leaf of tree.leavesBelow(monitorId)) covered.add(leaf.id)
  }
  return [...covered].flatMap((monitorId) => keys.get(monitorId) ?? [])
}

/** Settings are stored as JSON. */
function serverZoneOf({ setting }: KumaTables): string | null {
  const value = innerJson(setting.find(({ key }) => key === 'serverTimezone')?.value ?? null)
  return typeof value === 'string' && isTimeZone(value) ? value : null
}

function zoneOf({ timezone }: Row, serverZone: string | null, { place, findings }: Where): string {
  if (timezone !== null && timezone !== 'SAME_AS_SERVER' && isTimeZone(timezone)) return timezone
  if (timezone === 'SAME_AS_SERVER' && serverZone !== null) return serverZone
  if (timezone !== null && timezone !== 'UTC')
    findings.changed(
      `${place}.timezone`,
      `The file does not say which time zone "${shown(timezone)}" is, so its times are in UTC.`,
    )
  return 'UTC'
}

/** Null, with a note, for what has no counterpart or has ended. */
function scheduleOf(row: Row, where: Zoned): MaintenanceSchedule | null {
  const { place, findings } = where
  switch (row.strategy) {
    case 'single':
      return onceOf(row, where)
    case 'recurring-weekday':
      return isOver(row, where) ? null : weeklyOf(row, weekdaysOf(row), where)
    case 'recurring-interval':
      if (row.interval_day === 1) return isOver(row, where) ? null : weeklyOf(row, [1, 2, 3, 4, 5, 6, 7], where)
      findings.lost(`${place}.interval_day`, `In Perigee, a window cannot repeat every ${row.interval_day ?? 0} days.`)
      return null
    case 'recurring-day-of-month':
      return isOver(row, where) ? null : monthlyOf(row, where)
    case 'cron':
      return isOver(row, where) ? null : cronOf(row, where)
    case 'manual':
    case null:
    default:
      findings.lost(`${place}.strategy`, 'In Perigee, maintenance has a schedule. Pause the monitors instead.')
      return null
  }
}

function onceOf(row: Row, { place, findings, timeZone, now }: Zoned): MaintenanceSchedule | null {
  const clock = createLocalClock(timeZone)
  const [starts, ends] = [localTime(row.start_date), localTime(row.end_date)]
  if (starts === null || ends === null) {
    findings.lost(place, 'It has no start or no end that can be read.')
    return null
  }
  const endsAt = clock.momentOf(ends)
  if (endsAt > now.getTime()) return { type: 'once', starts_at: isoOf(clock.momentOf(starts)), ends_at: isoOf(endsAt) }
  findings.lost(place, `It ended on ${isoOf(endsAt).slice(0, 10)} and is left out.`)
  return null
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

const localForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(?::\d\d)?/

/** In milliseconds since 1970 as though the zone were UTC. Years that no plan has are none. */
function localTime(text: string | null): number | null {
  const [, day, time] = localForm.exec(text ?? '') ?? []
  if (day === undefined || day < '1970' || day >= '2100') return null
  const local = Date.parse(`${day}T${time}:00Z`)
  return Number.isNaN(local) ? null : local
}

/** Whether a repeated window has ended. One that ends later, or begins later, does not here, which is noted. */
function isOver({ start_date: start, end_date: end }: Row, { place, findings, timeZone, now }: Zoned): boolean {
  const clock = createLocalClock(timeZone)
  const [starts, ends] = [localTime(start), localTime(end)]
  if (ends !== null && clock.momentOf(ends) <= now.getTime()) {
    findings.lost(place, `It ended on ${isoOf(ends).slice(0, 10)} and is left out.`)
    return true
  }
  if (ends !== null)
    findings.changed(
      `${place}.end_date`,
      `It ends on ${isoOf(ends).slice(0, 10)} in Uptime Kuma. In Perigee, repeated windows do not end, so delete it then.`,
    )
  if (starts !== null && clock.momentOf(starts) > now.getTime())
    findings.changed(
      `${place}.start_date`,
      `It begins on ${isoOf(starts).slice(0, 10)} in Uptime Kuma, and at its first time of day in Perigee.`,
    )
  return false
}

/** Sunday is 0 there and 7 here. */
function weekdaysOf({ weekdays }: Row): number[] {
  const listed = innerJson(weekdays)
  const days = Array.isArray(listed) ? listed.slice(0, 100).map(Number) : []
  return [...new Set(days.map((day) => (day === 0 ? 7 : day)))].filter(
    (day) => Number.isInteger(day) && day >= 1 && day <= 7,
  )
}

function weeklyOf(row: Row, weekdays: readonly number[], { place, findings }: Where): MaintenanceSchedule | null {
  const times = timesOf(row)
  if (times !== null && weekdays.length > 0)
    return {
      type: 'weekly',
      weekdays: weekdays.toSorted((one, other) => one - other),
      starts: times.starts,
      duration_minutes: times.minutes,
    }
  findings.lost(place, 'It has no weekday, or no time of day, that can be read.')
  return null
}

function monthlyOf(row: Row, { place, findings }: Where): MaintenanceSchedule | null {
  const times = timesOf(row)
  const listed = innerJson(row.days_of_month)
  const days = (Array.isArray(listed) ? listed.slice(0, 100) : []).map((day) =>
    day === 'lastDay1' ? 'L' : String(day),
  )
  const known = [...new Set(days.filter((day) => /^(?:[1-9]|[12]\d|3[01]|L)$/.test(day)))]
  if (times === null || known.length === 0) {
    findings.lost(place, 'It has no day of the month, or no time of day, that can be read.')
    return null
  }
  const [hours, minutes] = times.starts.split(':').map(Number)
  return { type: 'cron', expression: `${minutes} ${hours} ${known.join(',')} * *`, duration_minutes: times.minutes }
}

function cronOf({ cron, duration }: Row, { place, findings }: Where): MaintenanceSchedule | null {
  if (cron !== null && duration !== null)
    return { type: 'cron', expression: cron.trim(), duration_minutes: Math.max(1, Math.round(duration / 60)) }
  findings.lost(place, 'It has no expression or no duration.')
  return null
}

const timeForm = /^(\d{1,2}):(\d\d)/

function timesOf({ start_time: start, end_time: end }: Row): { starts: string; minutes: number } | null {
  const [from, until] = [minuteOf(start), minuteOf(end)]
  if (from === null || until === null) return null
  const minutes = until > from ? until - from : until - from + 1440
  return { starts: `${twoDigits(Math.floor(from / 60))}:${twoDigits(from % 60)}`, minutes }
}

function minuteOf(time: string | null): number | null {
  const [, hours, minutes] = timeForm.exec(time ?? '') ?? []
  const minute = Number(hours) * 60 + Number(minutes)
  return Number.isNaN(minute) || minute >= 1440 || Number(minutes) > 59 ? null : minute
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

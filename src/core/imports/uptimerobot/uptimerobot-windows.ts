// Maintenance windows of UptimeRobot, which its monitors list.
import { z } from 'zod'
import type { MaintenanceSchedule } from '#core/maintenance.ts'
import type { Findings, Where } from '#core/imports/findings.ts'
import { numberOrNull, textOrNull } from '#core/imports/import-json.ts'
import { nameOf } from '#core/imports/monitor-parts.ts'

export const robotWindowSchema = z.object({
  id: textOrNull,
  type: numberOrNull,
  friendly_name: textOrNull,
  value: textOrNull,
  start_time: textOrNull,
  duration: numberOrNull,
  status: numberOrNull,
})
type RobotWindow = z.infer<typeof robotWindowSchema>

type Windows = {
  /** A window is one, however many monitors list it. */
  add: (window: RobotWindow, monitorKey: string) => void
  finish: () => void
}

export function createRobotWindows(findings: Findings, now: Date): Windows {
  const found = new Map<string, { window: RobotWindow; keys: string[] }>()
  return {
    add: (window, monitorKey) => {
      const id = window.id ?? `${window.type}:${window.value}:${window.start_time}`
      const known = found.get(id)
      if (known === undefined) found.set(id, { window, keys: [monitorKey] })
      else known.keys.push(monitorKey)
    },
    finish: () => {
      for (const { window, keys } of found.values()) addWindow(window, keys, { findings, now })
    },
  }
}

const paused = 0

function addWindow(
  window: RobotWindow,
  keys: readonly string[],
  { findings, now }: { findings: Findings; now: Date },
): void {
  const place = `mwindow ${window.id ?? '?'}`
  if (window.status === paused) {
    findings.lost(place, 'It is switched off, so it is left out.')
    return
  }
  const schedule = scheduleOf(window, { place, findings, now })
  if (schedule === null) return
  if (schedule.type !== 'once')
    findings.changed(`${place}.start_time`, 'The file does not say its time zone, so its times are in UTC.')
  const name = nameOf(window.friendly_name, 'Maintenance')
  const input = { name, schedule, monitor_ids: keys.slice(0, 1000) }
  findings.addMaintenance({ key: findings.keyOf('maintenance', name), place, input })
}

/** Of the types once, daily, weekly and monthly; null, with a note, for what cannot be read or is over. */
function scheduleOf(window: RobotWindow, where: Where & { now: Date }): MaintenanceSchedule | null {
  const { place, findings, now } = where
  const { type, duration, start_time: start } = window
  const minutes = Math.max(1, Math.round(duration ?? 0))
  const time = /^([01]?\d|2[0-3]):([0-5]\d)/.exec(start ?? '')
  const [, hours = '', minute = ''] = time ?? []
  const days = daysOf(window.value)
  if (type === 1 && /^\d{9,11}$/.test(start ?? '')) {
    const startsAt = Number(start) * 1000
    const endsAt = startsAt + minutes * 60_000
    if (endsAt > now.getTime()) return { type: 'once', starts_at: isoOf(startsAt), ends_at: isoOf(endsAt) }
    findings.lost(place, 'It has ended, so it is left out.')
    return null
  }
  const starts = `${hours.padStart(2, '0')}:${minute}`
  if (time !== null && type === 2)
    return { type: 'weekly', weekdays: [1, 2, 3, 4, 5, 6, 7], starts, duration_minutes: minutes }
  if (time !== null && type === 3 && days.length > 0 && days.every((day) => day <= 7))
    return { type: 'weekly', weekdays: days, starts, duration_minutes: minutes }
  if (time !== null && type === 4 && days.length > 0)
    return {
      type: 'cron',
      expression: `${Number(minute)} ${Number(hours)} ${days.join(',')} * *`,
      duration_minutes: minutes,
    }
  findings.lost(place, 'It has no schedule that can be read.')
  return null
}

/** Days of the week or of the month: `2-4-5`. */
function daysOf(value: string | null): number[] {
  const days = (value ?? '').slice(0, 200).split('-').map(Number)
  return [...new Set(days)]
    .filter((day) => Number.isInteger(day) && day >= 1 && day <= 31)
    .toSorted((one, other) => one - other)
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

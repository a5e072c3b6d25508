import type { MaintenanceRecord, OccurrenceRecord, Schedule } from '../api/maintenance.ts'

export type Stage = 'current' | 'next' | 'past'

/** A window that comes again is never past, even where its next time is not known yet. `nowMs` since 1970. */
export function stageOf({ current, next, schedule }: MaintenanceRecord, nowMs: number): Stage {
  if (current !== null) return 'current'
  const mayCome = schedule.type !== 'once' || Date.parse(schedule.starts_at) > nowMs
  return next.length > 0 || mayCome ? 'next' : 'past'
}

/** When it is, or was, or will be next; null where that is more than five weeks away. */
export function timeOf({ current, next, schedule }: MaintenanceRecord): OccurrenceRecord | null {
  return current ?? next[0] ?? (schedule.type === 'once' ? schedule : null)
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export const weekdayNames = weekdays.map((name, index) => ({ value: index + 1, name }))

/** How it repeats, in words; null where it does not. */
export function repeatText(schedule: Schedule, zone: string): string | null {
  switch (schedule.type) {
    case 'once':
      return null
    case 'weekly': {
      const days = weekdayNames.filter(({ value }) => schedule.weekdays.includes(value))
      const named = days.length === 7 ? 'Every day' : `Every ${listText(days.map(({ name }) => name))}`
      return `${named} at ${schedule.starts} (${zone}), for ${durationText(schedule.duration_minutes)}`
    }
    case 'cron':
      return `Cron ${schedule.expression} (${zone}), for ${durationText(schedule.duration_minutes)}`
  }
}

export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours === 0 ? [] : `${hours} h`, rest === 0 && hours > 0 ? [] : `${rest} min`].flat().join(' ')
}

/** `Monday, Tuesday and Friday` */
export function listText(words: readonly string[]): string {
  return new Intl.ListFormat('en').format(words)
}

import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import type { MaintenanceRecord, OccurrenceRecord, Schedule } from '../../api/maintenance.ts'
import { listed, weekdayNames } from '../../parts/language.ts'

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

/** Which monitors it covers. */
export function reachText({ monitor_ids: ids, monitor_tags: tags }: MaintenanceRecord): string {
  if (ids === null) return t`All monitors`
  const count = ids.length
  const named = plural(count, { one: '# monitor', other: '# monitors' })
  if (tags.length === 0) return named
  return count === 0 ? taggedText(tags) : listed([named, taggedText(tags)])
}

export function taggedText(tags: readonly string[]): string {
  const names = listed(tags)
  return t`monitors tagged ${names}`
}

/** How it repeats, in words; null where it does not. */
export function repeatText(schedule: Schedule, zone: string): string | null {
  if (schedule.type === 'once') return null
  const duration = durationText(schedule.duration_minutes)
  if (schedule.type === 'cron') {
    const { expression } = schedule
    return t`Cron ${expression} (${zone}), for ${duration}`
  }
  const { weekdays, starts } = schedule
  const chosen = weekdayNames().filter(({ value }) => weekdays.includes(value))
  if (chosen.length === 7) return t`Every day at ${starts} (${zone}), for ${duration}`
  const days = listText(chosen.map(({ name }) => name))
  return t`Every ${days} at ${starts} (${zone}), for ${duration}`
}

export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours === 0 ? [] : `${hours} h`, rest === 0 && hours > 0 ? [] : `${rest} min`].flat().join(' ')
}

/** `Monday, Tuesday and Friday` */
function listText(words: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale).format(words)
}

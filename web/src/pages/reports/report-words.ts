import { plural, t } from '@lingui/core/macro'
import type { ReportContent, ReportRecord } from '../../api/reports.ts'
import { inLanguage, listed, numberText, weekdayNames } from '../../parts/language.ts'

/** Days of calendars are shown as they are, in no zone. */
const dayOnly = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))
const monthOnly = inLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

/** `October 2026`, or `Week 47 of 2026, 16 – 22 Nov 2026`. */
export function periodText({ key, type, first_day: first, last_day: last }: ReportContent['period']): string {
  if (type === 'monthly') return monthOnly().format(new Date(first))
  const [year, number] = [key.slice(0, 4), Number(key.slice(6))]
  const days = dayOnly().formatRange(new Date(first), new Date(last))
  return t`Week ${number} of ${year}, ${days}`
}

export function percentText(percent: number | null): string {
  if (percent === null) return t`not measured`
  return `${numberText(percent)} %`
}

export function lengthText(seconds: number): string {
  if (seconds === 0) return t({ message: 'none', context: 'downtime' })
  if (seconds < 60) return t`${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return t`${minutes} min`
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  if (days > 0) return hours === 0 ? t`${days} d` : t`${days} d ${hours} h`
  return rest === 0 ? t`${hours} h` : t`${hours} h ${rest} min`
}

/** When a report is sent, such as `Every Monday at 08:00 (Europe/Sofia)`. */
export function rhythmText({ period, weekday, hour, time_zone: zone }: ReportRecord): string {
  const time = `${String(hour).padStart(2, '0')}:00`
  if (period === 'monthly') return t`On the first of every month at ${time} (${zone})`
  const day = weekdayNames().find(({ value }) => value === weekday)?.name ?? ''
  return t`Every ${day} at ${time} (${zone})`
}

/** What a report is about. */
export function reachText({ monitor_ids: ids, tags }: Pick<ReportRecord, 'monitor_ids' | 'tags'>): string {
  if (ids === null && tags.length === 0) return t`All monitors`
  const named = ids?.length ?? 0
  const monitors = plural(named, { one: '# monitor', other: '# monitors' })
  const tagged = t`monitors tagged ${listed(tags)}`
  if (tags.length === 0) return monitors
  return named === 0 ? tagged : t`${monitors} and ${tagged}`
}

/** Which part of the downtime that the objective allows was used: 1 is all of it; null where none is allowed. */
export function usedShare(uptime: number | null, objective: number): number | null {
  return uptime === null || objective === 100 ? null : (100 - uptime) / (100 - objective)
}

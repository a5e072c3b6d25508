import { plural, t } from '@lingui/core/macro'
import { inLanguage, weekdayNames } from '../../parts/language.ts'
import { milliseconds } from '../monitor/details.ts'
import type { HourOfWeek, WeekHour } from './week-hours.ts'

/** From the fastest to the slowest. */
export const shades = ['bg-chart-1/15', 'bg-chart-1/35', 'bg-chart-1/55', 'bg-chart-1/75', 'bg-chart-1'] as const

const hourFormat = inLanguage((locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone: 'UTC' }))

export function hourText(hour: number): string {
  return hourFormat().format(new Date(hour * 3_600_000))
}

export function nameOfHour({ weekday, hour }: HourOfWeek): string {
  const name = weekdayNames().find(({ value }) => value === weekday)?.name ?? ''
  return `${name}, ${hourText(hour)}`
}

export function hourSentence(at: WeekHour): string {
  const name = nameOfHour(at)
  if (at.ms === null) return t`${name}: no checks`
  const checks = plural({ checks: at.checks }, { one: '# check', other: '# checks' })
  const mean = milliseconds(at.ms)
  return t`${name}: ${mean} on average of ${checks}`
}

export function slowestText(at: WeekHour): string {
  const [name, mean] = [nameOfHour(at), milliseconds(at.ms ?? 0)]
  return t`Slowest: ${name}, ${mean}`
}

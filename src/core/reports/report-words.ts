// Figures of reports in words, the same in mails and on paper.
import type { ReportContent } from './report-content.ts'

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `3 November`, of a day such as `2026-11-03`. */
export function dayWords(day: string): string {
  return `${Number(day.slice(8))} ${monthName(day)}`
}

/** `October 2026`; `Week 47 of 2026, 16 to 22 November`. */
export function periodWords({ key, type, first_day: first, last_day: last }: ReportContent['period']): string {
  if (type === 'monthly') return `${monthName(first)} ${first.slice(0, 4)}`
  const week = `Week ${Number(key.slice(6))} of ${key.slice(0, 4)}`
  const begin = first.slice(0, 7) === last.slice(0, 7) ? String(Number(first.slice(8))) : dayWords(first)
  return `${week}, ${begin} to ${dayWords(last)}`
}

function monthName(day: string): string {
  return months[Number(day.slice(5, 7)) - 1] ?? ''
}

/** `99.95 %`, with up to three decimals. */
export function percentWords(percent: number | null): string {
  return percent === null ? 'not measured' : `${Number(percent.toFixed(3))} %`
}

/** `none`, `45 s`, `12 min`, `2 h 5 min`, `3 d 4 h`: two units at most. */
export function lengthWords(seconds: number): string {
  if (seconds === 0) return 'none'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  const rest = hours % 24
  return rest === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${rest} h`
}

/** The first sentence of a report. */
export function verdictWords({ totals, objective, monitor_count: count }: ReportContent): string {
  if (count === 0) return 'This report has no monitors.'
  if (totals.uptime === null) return 'Nothing was measured in this period.'
  const reached = totals.met === true ? 'reached' : 'missed'
  return `Uptime was ${percentWords(totals.uptime)}. The objective of ${percentWords(objective)} was ${reached}.`
}

/** How this period compares with the one before; null where nothing was measured then. */
export function comparisonWords({ totals, previous }: ReportContent): string | null {
  if (totals.uptime === null || previous.uptime === null) return null
  const points = Math.round((totals.uptime - previous.uptime) * 1000) / 1000
  const incidents = `${countWords(previous.incidents, 'incident')} then, ${totals.incidents} now`
  if (points === 0) return `Uptime was the same as in the previous period; ${incidents}.`
  const change = `${Math.abs(points)} percentage points ${points > 0 ? 'better' : 'worse'}`
  return `That is ${change} than in the previous period (${percentWords(previous.uptime)}); ${incidents}.`
}

export function countWords(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

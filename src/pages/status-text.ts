import { type StatusBar, availability } from '#core/status-bars.ts'
import { dayOf } from '#core/utc-day.ts'
import { escapeHtml } from './page.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const
const longMonths = [
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
] as const

/** `21 Nov 2026` of `2026-11-21`. */
export function dayText(day: string): string {
  return `${shortDayText(day)} ${day.slice(0, 4)}`
}

/** `21 Nov` */
export function shortDayText(day: string): string {
  return `${Number(day.slice(8, 10))} ${months[Number(day.slice(5, 7)) - 1] ?? ''}`
}

/** `November 2026` of any day of it. */
export function monthText(day: string): string {
  return `${longMonths[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`
}

/** `21 Nov 2026, 10:04 UTC` */
export function momentText(at: Date): string {
  return `${dayText(dayOf(at))}, ${at.toISOString().slice(11, 16)} UTC`
}

/** An element that a script may put into the reader's own zone. */
export function moment(at: Date): string {
  return `<time datetime="${at.toISOString().slice(0, 19)}Z">${momentText(at)}</time>`
}

/** `less than a minute`, `4 min`, `2 h 5 min`, `3 d 4 h`: two units at most, rounded down. */
export function spanText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes === 0) return 'less than a minute'
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  const days = Math.floor(hours / 24)
  if (days === 0) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`
}

/** `1,440` */
export function countText(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** What a run of bars that look the same says to whoever points at it; `isShort`: without years. */
export function runText(run: readonly StatusBar[], isShort: boolean): string {
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined) return ''
  const when = spanOfDays({ from: first.from, to: last.to }, isShort)
  switch (first.tone) {
    case 'none':
      return `${when}: no checks`
    case 'degraded':
      return `${when}: degraded`
    case 'up':
    case 'near':
    case 'partial':
    case 'down':
      return `${when}: ${availability(first) ?? ''}`
  }
}

/** What went wrong in the time of a bar. */
export function barText(bar: StatusBar, isShort: boolean): string {
  const { checks, failed, degraded } = bar
  const when = spanOfDays(bar, isShort)
  if (failed === 0) return `${when}: degraded in ${countText(degraded)} of ${countText(checks)} checks`
  return `${when}: ${availability(bar) ?? ''}, ${countText(failed)} of ${countText(checks)} failed`
}

function spanOfDays({ from, to }: { from: string; to: string }, isShort: boolean): string {
  const text = isShort ? shortDayText : dayText
  if (from === to) return text(from)
  // `21 to 24 Nov`
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7)
  return isOneMonth ? `${Number(from.slice(8))} to ${text(to)}` : `${text(from)} to ${text(to)}`
}

/** What follows an address and is no part of it: `(see https://example.com/a).` */
const trailing = /[.,;:!?'")\]}>]+$/

/** Text that somebody wrote: escaped, line breaks as such, http and https addresses as links. */
export function richText(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"]{1,2000}/gi)) {
    const url = match[0].replace(trailing, '')
    if (URL.parse(url) === null) continue
    html += `${plain(text.slice(end, match.index))}<a href="${escapeHtml(url)}" rel="nofollow noopener noreferrer">${escapeHtml(url)}</a>`
    end = match.index + url.length
  }
  return html + plain(text.slice(end))
}

function plain(text: string): string {
  return escapeHtml(text.replaceAll(/\r\n?/g, '\n')).replaceAll('\n', '<br>')
}

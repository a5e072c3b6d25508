import { type StatusBar, availability } from '#core/status-pages/status-bars.ts'
import { kept } from '#core/language/kept.ts'
import type { Texts } from '#core/language/texts.ts'
import { dayOf } from '#core/language/utc-day.ts'
import { escapeHtml } from '#http/html-page.ts'

/** A language with what pages say most often. Dates are UTC days. */
export type PageTexts = Texts & {
  /** `21 Nov 2026` of `2026-11-21`. */
  day: (date: string) => string
  /** `21 Nov` */
  shortDay: (date: string) => string
  /** `99.50 %`; whole where nothing failed. */
  percent: (percent: number) => string
}

export function pageTexts(i18n: Texts): PageTexts {
  return {
    ...i18n,
    day: kept((date: string) =>
      i18n._('{day} {month} {year}', { day: dayIn(date), month: monthIn(i18n, date, 'short'), year: date.slice(0, 4) }),
    ),
    shortDay: kept((date: string) =>
      i18n._('{day} {month}', { day: dayIn(date), month: monthIn(i18n, date, 'short') }),
    ),
    percent: kept((percent: number) =>
      i18n._('{percent} %', { percent: percent === 100 ? i18n.count(percent) : i18n.decimal(percent) }),
    ),
  }
}

function dayIn(date: string): number {
  return Number(date.slice(8, 10))
}

function monthIn(i18n: Texts, date: string, length: 'short' | 'long'): string {
  return i18n.month(Number(date.slice(5, 7)) - 1, length)
}

/** `November 2026` of any day of it. */
export function monthText(i18n: Texts, date: string): string {
  return i18n._('{month} {year}', { month: monthIn(i18n, date, 'long'), year: date.slice(0, 4) })
}

/** `21 Nov 2026, 10:04 UTC` */
export function momentText(i18n: PageTexts, at: Date): string {
  return i18n._('{date}, {time} UTC', { date: i18n.day(dayOf(at)), time: at.toISOString().slice(11, 16) })
}

/** An element that a script may put into the reader's own zone. */
export function moment(i18n: PageTexts, at: Date): string {
  return `<time datetime="${at.toISOString().slice(0, 19)}Z">${escapeHtml(momentText(i18n, at))}</time>`
}

/** `less than a minute`, `4 min`, `2 h 5 min`, `3 d 4 h`: two units at most, rounded down. */
export function spanText(i18n: Texts, ms: number): string {
  const allMinutes = Math.max(0, Math.floor(ms / 60_000))
  const allHours = Math.floor(allMinutes / 60)
  const [days, hours, minutes] = [Math.floor(allHours / 24), allHours % 24, allMinutes % 60]
  if (allMinutes === 0) return i18n._('less than a minute')
  if (allHours === 0) return i18n._('{minutes} min', { minutes })
  if (days === 0)
    return minutes === 0 ? i18n._('{hours} h', { hours }) : i18n._('{hours} h {minutes} min', { hours, minutes })
  return hours === 0 ? i18n._('{days} d', { days }) : i18n._('{days} d {hours} h', { days, hours })
}

/** What a run of bars that look the same says when a reader points at it; `isShort`: without years. */
export function runText(
  i18n: PageTexts,
  run: readonly StatusBar[],
  { isShort, isBefore }: { isShort: boolean; isBefore: boolean },
): string {
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined) return ''
  const when = spanOfDays(i18n, { from: first.from, to: last.to }, isShort)
  const percent = availability(first)
  if (isBefore) return i18n._('{when}: not watched yet', { when })
  if (percent === null) return i18n._('{when}: no checks', { when })
  if (first.tone === 'degraded') return i18n._('{when}: degraded', { when })
  return i18n._('{when}: {availability}', { when, availability: i18n.percent(percent) })
}

/** What went wrong in the time of a bar. */
export function barText(i18n: PageTexts, bar: StatusBar, isShort: boolean): string {
  const checks = i18n.count(bar.checks)
  const when = spanOfDays(i18n, bar, isShort)
  const percent = availability(bar)
  if (percent === null) return i18n._('{when}: no checks', { when })
  if (bar.failed === 0)
    return i18n._('{when}: degraded in {degraded} of {checks} checks', {
      when,
      degraded: i18n.count(bar.degraded),
      checks,
    })
  return i18n._('{when}: {availability}, {failed} of {checks} failed', {
    when,
    availability: i18n.percent(percent),
    failed: i18n.count(bar.failed),
    checks,
  })
}

function spanOfDays(i18n: PageTexts, { from, to }: { from: string; to: string }, isShort: boolean): string {
  const text = isShort ? i18n.shortDay : i18n.day
  const until = text(to)
  if (from === to) return until
  // `21 to 24 Nov`
  const isOneMonth = from.slice(0, 7) === to.slice(0, 7)
  return i18n._('{from} to {until}', { from: isOneMonth ? i18n.count(dayIn(from)) : text(from), until })
}

/** A message as HTML: pieces of HTML in place of its tags, such as `<start/>`, and all else escaped. */
export function withPieces(message: string, pieces: Readonly<Record<string, string>>): string {
  return message
    .split(/(<[^<>]*>)/)
    .map((part) => (part.startsWith('<') ? pieces[part] : undefined) ?? escapeHtml(part))
    .join('')
}

/** What follows an address and is no part of it: `(see https://example.com/a).` */
const trailing = /[.,;:!?'")\]}>]+$/

/** Text that a person wrote: escaped, line breaks as such, http and https addresses as links. */
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

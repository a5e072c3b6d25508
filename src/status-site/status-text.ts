import { type StatusBar, availability } from '#core/status-pages/status-bars.ts'
import { type PageTexts, daysText, momentText } from '#core/status-pages/page-texts.ts'
import { escapeHtml } from '#http/html-page.ts'

/** An element that a script may put into the reader's own zone. */
export function moment(i18n: PageTexts, at: Date): string {
  return `<time datetime="${at.toISOString().slice(0, 19)}Z">${escapeHtml(momentText(i18n, at))}</time>`
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
  const when = daysText(i18n, { from: first.from, to: last.to }, isShort)
  const percent = availability(first)
  if (isBefore) return i18n._('{when}: not watched yet', { when })
  if (percent === null) return i18n._('{when}: no checks', { when })
  if (first.tone === 'degraded') return i18n._('{when}: degraded', { when })
  return i18n._('{when}: {availability}', { when, availability: i18n.percent(percent) })
}

/** What went wrong in the time of a bar. */
export function barText(i18n: PageTexts, bar: StatusBar, isShort: boolean): string {
  const checks = i18n.count(bar.checks)
  const when = daysText(i18n, bar, isShort)
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

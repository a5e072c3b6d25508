// Settings that all sources have in their own ways, brought within what our monitors can be set to. What had to be
// changed for that is noted.
import type { z } from 'zod'
import { parseHostPort } from '#core/language/host-port.ts'
import { maxStatusRanges, type StatusRange, statusesWithin } from '#core/monitors/expected-statuses.ts'
import { maxNotesLength, methods } from '#core/monitors/monitor-fields.ts'
import { requestHeaders } from '#core/monitors/request-headers.ts'
import { tagKey } from '#core/tag-key.ts'
import { maxTags, tagSchema } from '#core/tags.ts'
import type { Where } from './findings.ts'

type Bounds = { what: string; unit: string; min: number; max: number }

export function intervalOf(seconds: number, where: Where): number {
  return bounded(seconds, { what: 'It is checked', unit: 'every %s seconds', min: 10, max: 86_400 }, where)
}

export function timeoutOf(ms: number, where: Where): number {
  return bounded(ms, { what: 'A check may take', unit: '%s ms', min: 500, max: 60_000 }, where)
}

/** `failures` in a row open an incident. */
export function failuresOf(failures: number, where: Where): number {
  return bounded(failures, { what: 'An incident opens after', unit: '%s failures in a row', min: 1, max: 10 }, where)
}

/** How late a call may be. */
export function graceOf(seconds: number, where: Where): number {
  return bounded(seconds, { what: 'A call may be late by', unit: '%s seconds', min: 0, max: 86_400 }, where)
}

function bounded(value: number, { what, unit, min, max }: Bounds, { place, findings }: Where): number {
  const whole = Math.min(max, Math.max(min, Math.round(value)))
  if (whole !== value)
    findings.changed(
      place,
      `${what} ${unit.replace('%s', String(value))} there and ${unit.replace('%s', String(whole))} here.`,
    )
  return whole
}

const maxNameLength = 160

/** One line, cut to the length that names have here. */
export function nameOf(name: string | null, fallback: string): string {
  const line = oneLine(name ?? '', maxNameLength)
  return line === '' ? oneLine(fallback, maxNameLength) : line
}

/** What people wrote about a monitor; white space alone is none. */
export function notesOf(words: string | null, { place, findings }: Where): { notes?: string } {
  const whole = (words ?? '').trim()
  if (whole === '') return {}
  const notes = Array.from(whole.slice(0, 2 * maxNotesLength))
    .slice(0, maxNotesLength)
    .join('')
  if (notes.length < whole.length)
    findings.lost(place, `Only the first ${maxNotesLength} characters of its text are imported.`)
  return { notes }
}

export function oneLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return Array.from(line).slice(0, maxLength).join('').trim()
}

/** Words that are no tags here are made ones, or left out; the same word twice is one. */
export function tagsOf(words: readonly string[], { place, findings }: Where): string[] {
  const found = new Map<string, string>()
  for (const word of words) {
    const tag = oneLine(word.replaceAll(',', ' '), 50)
    if (!tagSchema.safeParse(tag).success) continue
    if (tag !== word) findings.changed(place, `The tag "${shown(word)}" becomes "${tag}".`)
    if (!found.has(tagKey(tag))) found.set(tagKey(tag), tag)
  }
  const tags = [...found.values()]
  if (tags.length > maxTags) findings.lost(place, `Only ${maxTags} of its ${tags.length} tags are imported.`)
  return tags.slice(0, maxTags)
}

/** What others wrote, short enough for a sentence. */
export function shown(text: string): string {
  const line = oneLine(text, 80)
  return line.length < text.trim().length ? `${line}…` : line
}

/** Null where it is not a method that checks use. */
export function methodOf(method: string | null, { place, findings }: Where): (typeof methods)[number] {
  const wanted = (method ?? 'GET').toUpperCase()
  const found = methods.find((each) => each === wanted)
  if (found === undefined)
    findings.changed(place, `Checks do not support the method ${shown(wanted)}, so this one uses GET.`)
  return found ?? 'GET'
}

/** Headers that cannot be sent are left out, one by one. */
export function headersOf(
  entries: Iterable<readonly [name: string, value: string]>,
  { place, findings }: Where,
): z.output<typeof requestHeaders> {
  const found: Record<string, string> = {}
  for (const [name, value] of entries) {
    const one = { [name]: value }
    if (Object.keys(found).length < 100 && requestHeaders.safeParse(one).success) Object.assign(found, one)
    else findings.lost(place, `The header ${shown(name)} cannot be sent in this form.`)
  }
  return found
}

/** RFC 7617; the name and the password as UTF-8. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${base64(`${user}:${password}`)}`
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

type ExpectedParts = ReturnType<typeof statusesWithin>

/** Beyond as many parts as a list may have, an answer that is right there is still never wrong here. */
export function statusesOf(ranges: readonly StatusRange[], { place, findings }: Where): ExpectedParts {
  const fitting = ranges
    .map(([min, max]): StatusRange => [Math.max(100, min), Math.min(599, max)])
    .filter(([min, max]) => min <= max)
  if (fitting.length === 0) {
    findings.changed(place, 'No status in its list is an HTTP status. In Perigee, 200 to 399 count as up.')
    return { expected_status_min: 200, expected_status_max: 399 }
  }
  const { expected_statuses: list, ...bounds } = statusesWithin(fitting)
  if (list === undefined) return bounds
  if (list.length <= maxStatusRanges) return { ...bounds, expected_statuses: list }
  const { expected_status_min: min, expected_status_max: max } = bounds
  findings.changed(place, `In Perigee, all statuses from ${min} to ${max} count as up, not only some of them.`)
  return bounds
}

/** For a source that judges a redirect itself. Ours is judged where the expected statuses are all of redirects. */
export function noteRedirects(
  { expected_status_min: min, expected_status_max: max }: ExpectedParts,
  { place, findings }: Where,
): void {
  if (min < 300 || max > 399) findings.changed(place, 'Perigee follows redirects; the other tool did not.')
}

/** `host:port`, with the brackets that IPv6 needs. Null for what is no host, or no port where one is needed. */
export function hostPortOf(host: string | null, port: number | null): string | null {
  if (host === null) return null
  const bare = host.trim()
  const written = bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare
  const whole = port === null ? written : `${written}:${port}`
  return parseHostPort(whole) === null ? null : whole
}

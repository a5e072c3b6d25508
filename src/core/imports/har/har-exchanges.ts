// Which requests of a recording a visitor makes: pages, and what their scripts ask the site itself.
import type { Findings } from '#core/imports/findings.ts'
import { countLeft } from '#core/imports/requests/transaction.ts'
import { methods } from '#core/monitors/monitor-fields.ts'
import type { HarEntry } from './har-rows.ts'

export type Exchange = {
  place: string
  url: URL
  request: HarEntry['request']
  /** What came after all redirects, which a check follows itself. */
  answered: HarEntry
  /** With redirects. */
  ms: number
}

/** What belongs to one owner, such as `example.co.uk` for `www.example.co.uk`. */
export type SiteOf = (host: string) => string

type Recorded = { entry: HarEntry; place: string; url: URL }
type Left = 'unsayable' | 'elsewhere' | 'files' | 'unanswered' | 'repeated'

export function chosenExchanges(
  entries: readonly HarEntry[],
  { siteOf, findings }: { siteOf: SiteOf; findings: Findings },
): Exchange[] {
  const recorded = inOrder(entries)
  const first = recorded.find((each) => isPage(each) && reasonAgainst(each, null) === null)
  const site = siteOf((first ?? recorded[0])?.url.hostname ?? '')
  const left = new Map<Left, number>()
  const chosen: Exchange[] = []
  const redirected = new Map<string, Exchange>()
  const asked = new Set<string>()
  for (const each of recorded) {
    const { entry, place, url } = each
    const source = redirected.get(url.href)
    if (source !== undefined) {
      redirected.delete(url.href)
      source.answered = entry
      source.ms += msOf(entry)
      noteRedirect(entry, url, { source, redirected })
      continue
    }
    const { method } = entry.request
    const question = `${method} ${url.href}`
    const isRepeated = asked.has(question) && (method === 'GET' || method === 'HEAD')
    const reason = reasonAgainst(each, { site, siteOf }) ?? (isRepeated ? 'repeated' : null)
    if (reason !== null) {
      left.set(reason, (left.get(reason) ?? 0) + 1)
      continue
    }
    // What was sent may have changed what the same question is answered with.
    if (method !== 'GET' && method !== 'HEAD') asked.clear()
    asked.add(question)
    const exchange = { place, url, request: entry.request, answered: entry, ms: msOf(entry) }
    chosen.push(exchange)
    noteRedirect(entry, url, { source: exchange, redirected })
  }
  for (const [reason, count] of left)
    findings.lost('log.entries', `${countLeft(count)} left out: ${whyLeft(reason, site)}.`)
  return chosen
}

/** By the time at which they began, since programs need not write them in that order. */
function inOrder(entries: readonly HarEntry[]): Recorded[] {
  return entries
    .flatMap((entry, index) => {
      const url = URL.parse(entry.request.url)
      if (url === null) return []
      url.hash = ''
      const beganMs = Date.parse(entry.startedDateTime)
      return [{ entry, place: `log.entries[${index}]`, url, beganMs: Number.isNaN(beganMs) ? 0 : beganMs }]
    })
    .toSorted((one, other) => one.beganMs - other.beganMs)
}

/** Far longer than any check may take. */
const longestMs = 600_000

function msOf({ time }: HarEntry): number {
  return Math.min(longestMs, Math.max(0, time ?? 0))
}

function typeOf({ response }: HarEntry): string {
  return response?.content?.mimeType ?? ''
}

function isPage({ entry }: Recorded): boolean {
  const { _resourceType: type } = entry
  return type === 'document' || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(typeOf(entry))
}

const asksItself = new Set(['document', 'xhr', 'fetch'])
const files =
  /^\s*(?:(?:image|font|audio|video)\/|text\/css\b|(?:text|application)\/(?:x-)?(?:java|ecma)script\b|application\/(?:font|x-font|vnd\.ms-fontobject|wasm|manifest\+json))/i

/** `own` is null where the site is still looked for. */
function reasonAgainst(
  { entry, url }: Recorded,
  own: { site: string; siteOf: SiteOf } | null,
): Exclude<Left, 'repeated'> | null {
  const { _resourceType: type, request, response } = entry
  if (!/^https?:$/.test(url.protocol) || !methods.some((method) => method === request.method)) return 'unsayable'
  if (own !== null && own.siteOf(url.hostname) !== own.site) return 'elsewhere'
  if (type === '' ? files.test(typeOf(entry)) : !asksItself.has(type)) return 'files'
  return (response?.status ?? 0) < 200 ? 'unanswered' : null
}

function whyLeft(reason: Left, site: string): string {
  switch (reason) {
    case 'unsayable':
      return 'checks do not send such requests, such as preflights and WebSockets'
    case 'elsewhere':
      return `they went to other sites than ${site}`
    case 'files':
      return 'images, fonts, styles, scripts and the like'
    case 'unanswered':
      return 'they have no answer in the file'
    case 'repeated':
      return 'the same was asked before'
  }
}

type Redirecting = { source: Exchange; redirected: Map<string, Exchange> }

function noteRedirect({ response }: HarEntry, url: URL, { source, redirected }: Redirecting): void {
  const status = response?.status ?? 0
  if (status < 300 || status > 399 || response?.redirectURL === undefined || response.redirectURL === '') return
  const next = URL.parse(response.redirectURL, url.href)
  if (next === null) return
  next.hash = ''
  redirected.set(next.href, source)
}

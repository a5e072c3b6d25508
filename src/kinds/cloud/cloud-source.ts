import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { declaredCharset, headerCharset } from '#kinds/web/charset.ts'
import { type CloudReport, readJsonReport } from './cloud-report.ts'

/** What an answer turned out to be: a report, or a page that may say where one is. */
export type Source = { type: 'report'; report: CloudReport } | { type: 'page'; feeds: URL[] } | { type: 'unknown' }

const knownPages: Readonly<Record<string, string>> = {
  'status.cloud.google.com': 'https://status.cloud.google.com/incidents.json',
  'health.aws.amazon.com': 'https://health.aws.amazon.com/public/currentevents',
  'status.aws.amazon.com': 'https://health.aws.amazon.com/public/currentevents',
  'azure.status.microsoft': 'https://azure.status.microsoft/en-us/status/feed/',
  'status.azure.com': 'https://azure.status.microsoft/en-us/status/feed/',
}
const summaryPath = '/api/v2/summary.json'

/** Where the report of a status page may be, the likeliest first. An address that looks like one of data is tried as it is. */
export function sourcesOf(target: URL): URL[] {
  const summary = new URL(summaryPath, target)
  if (/\.(?:json|xml|rss|atom)$|\/(?:feed|rss|atom|currentevents)\/?$/i.test(target.pathname)) return [target]
  const known = Object.hasOwn(knownPages, target.hostname) ? knownPages[target.hostname] : undefined
  if (known !== undefined) return [new URL(known)]
  return target.pathname === '/' && target.search === '' ? [summary, target] : [target, summary]
}

/** Looks by content, because addresses and content types tell little. Never throws for what an answer holds. */
export async function readSource(
  answer: { body: Uint8Array; headers: Readonly<Record<string, string>>; finalUrl: string },
  nowMs: number,
): Promise<Source> {
  const text = decode(answer.body, answer.headers).trim()
  if (text.startsWith('{') || text.startsWith('[')) {
    const report = readJsonReport(parseJson(text), nowMs)
    return report === null ? { type: 'unknown' } : { type: 'report', report }
  }
  if (!text.startsWith('<')) return { type: 'unknown' }
  const start = text.slice(0, 2000)
  if (/<(?:rss|feed|rdf:RDF)\b/.test(start)) return readFeed(text, nowMs)
  return /<html\b|<!doctype html/i.test(start)
    ? { type: 'page', feeds: feedsOf(text, answer.finalUrl) }
    : { type: 'unknown' }
}

/** The parser is loaded when the first feed has come. */
async function readFeed(text: string, nowMs: number): Promise<Source> {
  const [{ FeedError, parseFeed }, { reportOfFeed }] = await Promise.all([
    import('./news-feed.ts'),
    import('./feed-report.ts'),
  ])
  try {
    return { type: 'report', report: reportOfFeed(parseFeed(text), nowMs) }
  } catch (error) {
    if (error instanceof FeedError) return { type: 'unknown' }
    throw error
  }
}

/** A byte order mark wins over the header, the header over what the text says of itself. */
function decode(bytes: Uint8Array, headers: Readonly<Record<string, string>>): string {
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const charset = (isMarked ? null : headerCharset(headers)) ?? xmlCharset(bytes) ?? declaredCharset(bytes)
  return new TextDecoder(charset).decode(bytes)
}

function xmlCharset(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const label = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w-]{1,40})["']/i.exec(start)?.[1]
  return label === undefined ? null : headerCharset({ 'content-type': `text/xml; charset=${label}` })
}

/** Feeds that a page offers in its head: its `link` elements of relation "alternate". */
function feedsOf(page: string, base: string): URL[] {
  const links = page.slice(0, 64 * 1024).matchAll(/<link\b[^>]{1,500}>/gi)
  const urls = Array.from(links, ([tag]) => tag)
    .filter((tag) => /\btype\s*=\s*["']?application\/(?:rss|atom)\+xml/i.test(tag))
    .map((tag) => URL.parse(/\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1]?.replaceAll('&amp;', '&') ?? '', base))
  return urls.filter((url): url is URL => url?.protocol === 'https:' || url?.protocol === 'http:')
}

/** Reports have up to 4 MiB, most of it prose. */
const maxJsonCost = 10_000

/** Undefined where the text is no JSON, or was made to be slow. */
function parseJson(text: string): unknown {
  const read = parseBoundedJson(text, maxJsonCost)
  return read.type === 'value' ? read.value : undefined
}

import { XMLParser } from 'fast-xml-parser'

/** An entry of a feed, in plain text but for its description. `atMs` is null where it bears no date. */
export type FeedItem = { title: string; description: string; atMs: number | null; thread: string; categories: string[] }

export type Feed = { title: string; items: FeedItem[] }

/** The text is no feed, or none that can be read. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
}

/** Feeds of status pages have a tenth of this. */
export const maxFeedLength = 512 * 1024
/**
 * Openings of elements and attributes: the parser takes about a microsecond for each, and hardly any time for prose. Two
 * hundred entries with ten elements and a long description in HTML have 10,000.
 */
const maxMarks = 16_000
const maxItems = 200

/** The first 200 entries of an RSS 0.9 to 2.0 or Atom feed, as they stand. Throws FeedError. */
export function parseFeed(text: string): Feed {
  if (text.length > maxFeedLength || hasMoreMarks(text, maxMarks)) throw new FeedError('The feed is too long.')
  const root = parseXml(text)
  const rss = objectOf(root['rss'])
  const rdf = objectOf(root['rdf:RDF'])
  const atom = objectOf(root['feed'])
  if (rss === null && rdf === null && atom === null) throw new FeedError('The text is not a feed.')
  const channel = objectOf(rss?.['channel']) ?? objectOf(rdf?.['channel']) ?? atom ?? {}
  const entries = [...listOf(channel['item']), ...listOf(rdf?.['item']), ...listOf(atom?.['entry'])]
  return {
    title: textOf(channel['title']),
    items: entries
      .slice(0, maxItems)
      .map((entry) => objectOf(entry))
      .filter((entry) => entry !== null)
      .map(readItem),
  }
}

function hasMoreMarks(text: string, most: number): boolean {
  let marks = 0
  for (const _ of text.matchAll(/[<=]/g)) if (++marks > most) return true
  return false
}

type Element = Record<string, unknown>

function parseXml(text: string): Element {
  // What was cut off between two elements would parse.
  const root = /<\/(rss|rdf:RDF|feed)\s*>\s*(?:<!--[^>]*-->\s*)?$/.exec(text.slice(-1000))
  const isEmpty = /<(?:rss|rdf:RDF|feed)\b[^>]*\/>\s*$/.test(text.slice(-1000))
  if (root === null && !isEmpty) throw new FeedError('The text is not a complete feed.')
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    // Entities that a document defines are never expanded; the usual ones are decoded below.
    processEntities: false,
    maxNestedTags: 50,
  })
  try {
    return objectOf(parser.parse(text)) ?? {}
  } catch (error) {
    throw new FeedError('The text is not valid XML.', { cause: error })
  }
}

function readItem(entry: Element): FeedItem {
  const title = textOf(entry['title'])
  const link = textOf(entry['link']) || textOf(objectOf(listOf(entry['link'])[0])?.['@href'])
  const dates = ['pubDate', 'updated', 'published', 'dc:date'].map((name) => Date.parse(textOf(entry[name])))
  return {
    title,
    description: ['description', 'content:encoded', 'content', 'summary']
      .map((name) => textOf(entry[name]))
      .join('\n')
      .trim(),
    atMs: dates.find((date) => !Number.isNaN(date)) ?? null,
    thread: (textOf(entry['guid']) || textOf(entry['id']) || link || title).replace(/_\d{9,}$/, ''),
    categories: listOf(entry['category']).map((category) => textOf(objectOf(category)?.['@term']) || textOf(category)),
  }
}

/** The text of an element, of one with attributes, or of the first of several. */
function textOf(value: unknown): string {
  const [first] = listOf(value)
  const text = typeof first === 'string' ? first : objectOf(first)?.['#text']
  return typeof text === 'string' ? decodeEntities(text).trim().slice(0, 5000) : ''
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined ? [] : [value]
}

function objectOf(value: unknown): Element | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, ...groups) => {
    const [decimal, hex, name]: unknown[] = groups
    if (typeof name === 'string') return entities[name.toLowerCase()] ?? whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number(`0x${String(hex)}`)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readSource, type Source } from './cloud-source.ts'

const nowMs = Date.parse('2026-11-21T10:00:00Z')

function read(body: Uint8Array | string, headers: Record<string, string> = {}): Promise<Source> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return readSource({ body: bytes, headers, finalUrl: 'https://a.example/status/' }, nowMs)
}

function utf16(text: string, isBigEndian: boolean): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

const item = '<item><title>Größe</title><pubDate>Sat, 21 Nov 2026 09:50:00 GMT</pubDate><guid>1</guid></item>'
const feed = `<rss version="2.0"><channel><title>A</title>${item}</channel></rss>`
const linkOf = (href: string, type = 'application/rss+xml'): string => `<link type="${type}" href="${href}">`
const htmlWith = (...parts: string[]): string => `<!doctype html><html><head>${parts.join('')}</head></html>`

describe('an answer of a status page', () => {
  const kinds: [what: string, body: string, type: Source['type']][] = [
    ['a report in JSON', '{"page":{},"status":{"indicator":"none"},"components":[],"incidents":[]}', 'report'],
    ['other JSON', '{"a":1}', 'unknown'],
    ['a list in JSON', '[1]', 'unknown'],
    ['half of it', '{"page":', 'unknown'],
    ['a feed', feed, 'report'],
    ['a page', htmlWith(), 'page'],
    ['a page in capitals', '<HTML></HTML>', 'page'],
    ['other markup', '<svg></svg>', 'unknown'],
    ['a text that names markup', 'See <rss> and <html>', 'unknown'],
    ['a broken feed', '<rss><channel>', 'unknown'],
    ['a page that begins late', `<!--${' '.repeat(1988)}--><html>`, 'page'],
    ['a page that begins too late', `<!--${' '.repeat(1989)}--><html>`, 'unknown'],
  ]
  for (const [what, body, type] of kinds)
    it(`is ${type} where it is ${what}`, async () => assert.equal((await read(body)).type, type))

  const named = `<?xml version="1.0" encoding="iso-8859-1"?>${feed}`
  const charsets: [what: string, body: Uint8Array, headers: Record<string, string>][] = [
    ['as UTF-8', Buffer.from(feed), {}],
    ['by its header', Buffer.from(feed, 'latin1'), { 'content-type': 'text/xml; charset=iso-8859-1' }],
    ['by what it says of itself', Buffer.from(named, 'latin1'), {}],
  ]
  for (const [what, body, headers] of charsets)
    it(`is read ${what}`, async () => {
      const source = await read(body, headers)
      assert.equal(source.type === 'report' && source.report.incidents[0]?.name, 'Größe')
    })

  const feeds: [what: string, page: string, expected: string[]][] = [
    ['one', htmlWith(linkOf('history.rss')), ['https://a.example/status/history.rss']],
    [
      'several',
      htmlWith(linkOf('/a.atom', 'application/atom+xml'), linkOf('https://b.example/?x=1&amp;y=2')),
      ['https://a.example/a.atom', 'https://b.example/?x=1&y=2'],
    ],
    ['none of another type', htmlWith(linkOf('/a.css', 'text/css')), []],
    ['none by another protocol', htmlWith(linkOf('ftp://a.example/'), linkOf('mailto:a@a.example')), []],
    ['one by HTTP', htmlWith(linkOf('http://a.example/')), ['http://a.example/']],
    ['one within 64 KiB', htmlWith(' '.repeat(65_000), linkOf('/a')), ['https://a.example/a']],
    ['none behind that', htmlWith(' '.repeat(65_536), linkOf('/a')), []],
  ]
  for (const [what, page, expected] of feeds)
    it(`offers feeds: ${what}`, async () => {
      const source = await read(page)
      assert.deepEqual(source.type === 'page' && source.feeds.map(({ href }) => href), expected)
    })

  it('may be marked by its first two bytes, which win over its header', async () => {
    for (const isBigEndian of [true, false]) {
      const source = await read(utf16(feed, isBigEndian), { 'content-type': 'text/xml; charset=utf-8' })
      assert.equal(source.type === 'report' && source.report.incidents[0]?.name, 'Größe', String(isBigEndian))
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { webAddress } from '../../../test/support/web-addresses.ts'
import { readAddresses } from './addresses.ts'
import { ImportError, importLimits } from './imported.ts'

const list = `\uFEFF# Ours
https://shop.example.com/\tShop
http://example.org/health

example.com
db.example.com:5432 The database
192.0.2.1
2001:db8::1
[2001:db8::2]:443
https://shop.example.com/ again
not/an/address
`

const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>https://example.com/</loc><lastmod>2026-01-01</lastmod></url>
  <url><loc>
    https://example.com/?a=1&amp;b=2
  </loc><image:image><image:loc>https://example.com/a.png</image:loc></image:image></url>
  <url><loc><![CDATA[https://example.com/?c=3&d=4]]></loc></url>
</urlset>`

describe('a list of addresses', () => {
  it('becomes a monitor for each', () => {
    const { monitors, notes } = readAddresses(list)
    assert.deepEqual(
      monitors.map(({ input, place }) => [place, input.name, input.kind, input.url]),
      [
        ['line 2', 'Shop', 'http', 'https://shop.example.com/'],
        ['line 3', 'example.org/health', 'http', 'http://example.org/health'],
        ['line 5', 'example.com', 'http', 'https://example.com/'],
        ['line 6', 'The database', 'tcp', 'db.example.com:5432'],
        ['line 7', '192.0.2.1', 'ping', '192.0.2.1'],
        ['line 8', '2001:db8::1', 'ping', '2001:db8::1'],
        ['line 9', '[2001:db8::2]:443', 'tcp', '[2001:db8::2]:443'],
      ],
    )
    assert.deepEqual(
      notes.map(({ effect, place }) => `${effect} ${place}`),
      ['changed line 5', 'lost line 10', 'lost line 11'],
    )
  })

  it('is watched from the first day on, with no history', () => {
    for (const { isPaused, history } of readAddresses(list).monitors) assert.deepEqual([isPaused, history], [false, []])
  })

  it('is refused where it is empty or too long', () => {
    assert.throws(() => readAddresses('# nothing\n'), new ImportError('It holds no addresses.'))
    const many = Array.from({ length: importLimits.monitors + 1 }, (_, index) => `https://example.com/${index}`).join(
      '\n',
    )
    assert.throws(() => readAddresses(many), new ImportError('It holds 5001 addresses, and an import takes 5000.'))
    const most = many.slice(0, many.lastIndexOf('\n'))
    assert.equal(readAddresses(most).monitors.length, 5000)
  })
})

describe('a sitemap', () => {
  it('becomes a monitor for each page', () => {
    assert.deepEqual(
      readAddresses(sitemap).monitors.map(({ input, place }) => [place, input.url]),
      [
        ['url 1', 'https://example.com/'],
        ['url 2', 'https://example.com/?a=1&b=2'],
        ['url 3', 'https://example.com/?c=3&d=4'],
      ],
    )
  })

  it('is no index of others', () => {
    const index = '<sitemapindex><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>'
    assert.throws(() => readAddresses(index), /Import the sitemaps that it lists/)
  })

  it('takes no longer for what was made to be slow', () => {
    for (const text of ['<loc>', '<loc><![CDATA[', `<loc>${' '.repeat(1000)}`])
      assert.throws(() => readAddresses(`<urlset>${text.repeat(2_000_000 / text.length)}`), ImportError)
  })
})

describe('the reader of addresses', () => {
  it('throws nothing but its own error', () => {
    const line = fc.oneof(fc.string(), webAddress, fc.ipV6(), fc.domain(), fc.constant('<loc>'))
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r', ' '), (lines, separator) => {
        try {
          readAddresses(lines.join(separator))
        } catch (error) {
          if (!(error instanceof ImportError)) throw error
        }
      }),
      { numRuns: 500 },
    )
  })
})

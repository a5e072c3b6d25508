import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { createTexts } from '#core/language/texts.ts'
import { momentText, monthText, pageTexts, spanText } from '#core/status-pages/page-texts.ts'
import { richText, withPieces } from './status-text.ts'

const i18n = pageTexts(createTexts())

/** Elements of a piece of HTML with their attributes, and its text. */
function read(html: string): { elements: [string, Record<string, string>][]; text: string } {
  const elements: [string, Record<string, string>][] = []
  let text = ''
  const parser = new Parser({
    onopentag: (name, attributes) => {
      elements.push([name, attributes])
      if (name === 'br') text += '\n'
    },
    ontext: (piece) => (text += piece),
  })
  parser.write(html)
  parser.end()
  return { elements, text }
}

const link = (url: string) => `<a href="${url}" rel="nofollow noopener noreferrer">${url}</a>`

describe('text that somebody wrote', () => {
  for (const [text, html] of [
    ['plain', 'plain'],
    ['a\nb\r\nc\rd', 'a<br>b<br>c<br>d'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['data:text/html,x', 'data:text/html,x'],
    ['see https://example.com/a.', `see ${link('https://example.com/a')}.`],
    ['(https://example.com/a)', `(${link('https://example.com/a')})`],
    ['HTTPS://example.com', link('HTTPS://example.com')],
    ['https://example.com/?a=1&b=2', link('https://example.com/?a=1&amp;b=2')],
    ["https://example.com/'onclick='x", link('https://example.com/&#39;onclick=&#39;x')],
    ['https://example.com/"onclick="x', `${link('https://example.com/')}&quot;onclick=&quot;x`],
    ['https://example.com/<b>', `${link('https://example.com/')}&lt;b&gt;`],
    ['https://', 'https://'],
    ['xhttps://example.com', 'xhttps://example.com'],
    ['https://a.b https://c.d', `${link('https://a.b')} ${link('https://c.d')}`],
    ['&lt;b&gt;', '&amp;lt;b&amp;gt;'],
  ] as const)
    it(`${JSON.stringify(text)} becomes ${html}`, () => assert.equal(richText(text), html))

  it('reads as it was written, with nothing but links to http and https and line breaks in it', () => {
    const pieces = fc.constantFrom(
      'https://',
      'http://a.b/',
      '<',
      '>',
      '"',
      "'",
      '&',
      '\n',
      ' ',
      'javascript:',
      '</a>',
      '.',
      ')',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (written) => {
        const text = written.join('').replaceAll(/\r\n?/g, '\n').replaceAll('\0', '')
        const { elements, text: shown } = read(richText(text))
        assert.equal(shown, text)
        for (const [name, attributes] of elements) {
          if (name === 'br') continue
          assert.deepEqual([name, Object.keys(attributes)], ['a', ['href', 'rel']])
          assert.match(attributes['href'] ?? '', /^https?:\/\//i)
        }
      }),
    )
  })
})

describe('a message with pieces of HTML', () => {
  const pieces = { '<start/>': '<b>now</b>', '<hidden>': '<i>', '</hidden>': '</i>' }
  for (const [message, html] of [
    ['Since <start/>.', 'Since <b>now</b>.'],
    ['<hidden>A & B</hidden> C', '<i>A &amp; B</i> C'],
    ['<start> <script>x</script>', '&lt;start&gt; &lt;script&gt;x&lt;/script&gt;'],
    ['constructor', 'constructor'],
    ['a < b > c', 'a &lt; b &gt; c'],
  ] as const)
    it(`${message} becomes ${html}`, () => assert.equal(withPieces(message, pieces), html))
})

describe('times and numbers', () => {
  it('are written as people write them', () => {
    assert.equal(momentText(i18n, new Date('2026-01-02T03:04:59.999Z')), '2 Jan 2026, 03:04 UTC')
    assert.equal(monthText(i18n, '2026-02-01'), 'February 2026')
    assert.deepEqual([0, 50, 99.5, 99.99, 100].map(i18n.percent), ['0.00 %', '50.00 %', '99.50 %', '99.99 %', '100 %'])
    assert.deepEqual([0, 999, 1000, 1234567].map(i18n.count), ['0', '999', '1,000', '1,234,567'])
  })
  for (const [minutes, text] of [
    [-5, 'less than a minute'],
    [0.9, 'less than a minute'],
    [1, '1 min'],
    [60, '1 h'],
    [125, '2 h 5 min'],
    [1440, '1 d'],
    [1441 + 60, '1 d 1 h'],
  ] as const)
    it(`${minutes} minutes are "${text}"`, () => assert.equal(spanText(i18n, minutes * 60_000), text))
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FeedError, maxFeedLength, parseFeed } from './news-feed.ts'
import { reportOfFeed } from './feed-report.ts'

const rss = (items: string, title = 'Status') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${title}</title>${items}</channel></rss>\n`

describe('a feed', () => {
  it('is read as RSS', () => {
    const item = `<item><title><![CDATA[API & <b>web</b>]]></title><description>Errors &amp;amp; &#x1F525; &lt;b&gt;</description>
      <guid isPermaLink="false">https://a.example/#ec2_1687000000</guid><pubDate>Fri, 16 Jun 2023 04:00:00 PDT</pubDate>
      <category>API</category><category domain="x">Web</category></item>`
    assert.deepEqual(parseFeed(rss(item)), {
      title: 'Status',
      items: [
        {
          title: 'API & <b>web</b>',
          description: 'Errors &amp; 🔥 <b>',
          atMs: Date.parse('2023-06-16T11:00:00Z'),
          thread: 'https://a.example/#ec2',
          categories: ['API', 'Web'],
        },
      ],
    })
  })

  it('is read as Atom', () => {
    const text = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">S</title><entry><id>tag:1</id>
      <title type="html">Down</title><updated>2023-06-16T11:00:00Z</updated><published>2020-01-01T00:00:00Z</published>
      <link rel="alternate" href="https://a.example/1"/><category term="DNS"/><content type="html">Text</content></entry></feed>`
    assert.deepEqual(parseFeed(text), {
      title: 'S',
      items: [
        {
          title: 'Down',
          description: 'Text',
          atMs: Date.parse('2023-06-16T11:00:00Z'),
          thread: 'tag:1',
          categories: ['DNS'],
        },
      ],
    })
  })

  it('is read as RSS 1.0', () => {
    const text =
      '<rdf:RDF xmlns="x"><channel><title>S</title></channel><item><title>Down</title><link>l</link><dc:date>2023-06-16</dc:date></item></rdf:RDF>'
    const { title, items } = parseFeed(text)
    assert.deepEqual(
      [title, items],
      ['S', [{ title: 'Down', description: '', atMs: Date.parse('2023-06-16'), thread: 'l', categories: [] }]],
    )
  })

  it('may be empty', () => {
    assert.deepEqual(parseFeed(rss('')).items, [])
    assert.deepEqual(parseFeed('<rss version="2.0"/>').items, [])
  })

  it('does not expand entities of its own', () => {
    const text = rss('<item><title>&a;&#xFFFFFFF;</title></item>').replace(
      '<rss',
      '<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss',
    )
    assert.equal(parseFeed(text).items[0]?.title, '&a;&#xFFFFFFF;')
  })

  it('has at most 200 entries', () => {
    assert.equal(parseFeed(rss('<item><title>a</title></item>'.repeat(300))).items.length, 200)
  })

  const whole = rss('<item><title>a</title></item>')
  const broken: [what: string, text: string][] = [
    ['nothing', ''],
    ['a page', '<!doctype html><html><body>rss</body></html>'],
    ['another document', '<svg></svg>'],
    ['a feed cut off inside an element', whole.slice(0, -20)],
    ['a feed cut off between elements', whole.slice(0, whole.indexOf('</channel>'))],
    ['too many levels', rss('<a>'.repeat(60) + '</a>'.repeat(60))],
    ['too much', rss('x'.repeat(maxFeedLength))],
    ['a name that is none', rss('<__proto__></__proto__>')],
  ]
  for (const [what, text] of broken) it(`is not ${what}`, () => assert.throws(() => parseFeed(text), FeedError))

  it('is read or refused, whatever it holds, and never anything else', () => {
    const markup =
      '<item> </item> <title> </title> <![CDATA[ ]]> <!-- --> <!DOCTYPE]a][ <a]b=" "/> <?x ?> <guid> <link] > <'
    const others = '&amp; &#0; &#xD800; x \0 é <constructor> <pubDate> </pubDate> 16]Jun]2023 <entry> <category]term="'
    const pieces = fc.constantFrom(
      ...`${markup} ${others}`.split(' ').map((piece) => piece.replaceAll(']', ' ')),
      ']]>',
      ']>',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 60 }), (parts) => {
        try {
          reportOfFeed(parseFeed(rss(parts.join(''))), 0)
        } catch (error) {
          assert.ok(error instanceof FeedError, String(error))
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('is refused where it has more elements than a feed has', () => {
    const item = '<item><title>a</title></item>'
    assert.equal(parseFeed(rss(item.repeat(3_000))).items.length, 200)
    assert.throws(() => parseFeed(rss(item.repeat(5_000))), FeedError)
  })
})

describe('the report of a feed', () => {
  const nowMs = Date.parse('2026-05-02T12:00:00Z')
  type Entry = { title: string; description?: string; hoursAgo?: number | null; guid?: string }
  function report(entries: Entry[], title?: string) {
    const items = entries.map(({ title: name, description = '', hoursAgo = 1, guid = name }) => {
      const date = hoursAgo === null ? '' : new Date(nowMs - hoursAgo * 3_600_000).toUTCString()
      return `<item><title>${name}</title><description><![CDATA[${description}]]></description><guid>${guid}</guid><pubDate>${date}</pubDate></item>`
    })
    const { indicator, components, incidents } = reportOfFeed(parseFeed(rss(items.join(''), title)), nowMs)
    assert.equal(components, null)
    return [indicator, ...incidents.map(({ name }) => name)]
  }

  const cases: [what: string, entries: Entry[], expected: string[]][] = [
    ['nothing', [], ['none']],
    ['slow requests', [{ title: 'Slow requests' }], ['minor', 'Slow requests']],
    ['an outage', [{ title: 'Outage of the API' }], ['major', 'Outage of the API']],
    ['a major outage', [{ title: 'Major outage' }], ['critical', 'Major outage']],
    ['the worst of several', [{ title: 'Slow' }, { title: 'API down' }], ['major', 'Slow', 'API down']],
    ['maintenance', [{ title: 'Scheduled maintenance, API down' }], ['none', 'Scheduled maintenance, API down']],
    ['yesterday', [{ title: 'Outage', hoursAgo: 25 }], ['none']],
    ['tomorrow', [{ title: 'Outage', hoursAgo: -24 }], ['none']],
    ['no date', [{ title: 'Outage', hoursAgo: null }], ['major', 'Outage']],
    ['a title that says it is over', [{ title: '[RESOLVED] Outage' }], ['none']],
    ['a title that says it is not', [{ title: 'Unresolved outage' }], ['major', 'Unresolved outage']],
    [
      'a newest update that says it is over',
      [{ title: 'Outage', description: '<p><b>Resolved</b> - Fixed.' }],
      ['none'],
    ],
    [
      'an update that hopes',
      [{ title: 'Outage', description: '<b>Monitoring</b> We hope to have it resolved soon.' }],
      ['major', 'Outage'],
    ],
    [
      'the newest entry of an incident',
      [
        { title: 'Service is operating normally: API errors', hoursAgo: 1, guid: 'https://a#api_1700000200' },
        { title: 'Service disruption: API errors', hoursAgo: 3, guid: 'https://a#api_1700000100' },
      ],
      ['none'],
    ],
    [
      'the newest entry, wherever it stands',
      [
        { title: 'Operating normally', hoursAgo: 3, guid: 'a' },
        { title: 'Down again', hoursAgo: 1, guid: 'a' },
      ],
      ['major', 'Down again'],
    ],
  ]
  for (const [what, entries, expected] of cases)
    it(`is ${expected[0]} for ${what}`, () => assert.deepEqual(report(entries), expected))

  it('takes all that a list of current events holds', () => {
    assert.deepEqual(report([{ title: 'Storage outage', hoursAgo: 50 }], 'Azure Status'), ['major', 'Storage outage'])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MailContent, mailHtml, mailText } from './mail-layout.ts'

const link = { label: 'Open the incident', url: 'https://perigee.example/incidents/1' }
const acknowledge = { label: 'Acknowledge', url: 'https://perigee.example/acknowledge/1' }
const runbook = { label: 'Open the runbook', url: 'https://wiki.example/?a=1&b=2' }
const footer = { text: 'No longer want these?', label: 'Unsubscribe', url: 'https://perigee.example/unsubscribe' }
const least: MailContent = {
  tone: 'plain',
  headline: 'Shop <1>',
  lead: 'It works.',
  facts: [],
  link: null,
  footer: null,
}
const whole: MailContent = {
  ...least,
  facts: [
    { label: 'Cause', value: '<b> & "c"' },
    { label: 'Since', value: "today's noon" },
  ],
  link,
  acknowledge,
  runbook,
  footer,
}

describe('the text of a mail', () => {
  it('has its parts one below the other, its links in their order and the footer below a line', () =>
    assert.equal(
      mailText(whole),
      `It works.

Cause: <b> & "c"
Since: today's noon

Acknowledge: https://perigee.example/acknowledge/1
Open the incident: https://perigee.example/incidents/1
Open the runbook: https://wiki.example/?a=1&b=2

-- 
No longer want these? Unsubscribe: https://perigee.example/unsubscribe
`,
    ))

  it('leaves out what there is nothing of', () => assert.equal(mailText(least), 'It works.\n'))
})

describe('the HTML of a mail', () => {
  it('has its facts in a table, its links in their order and the footer below', () => {
    const html = mailHtml(whole)
    assert.equal(html.match(/<tr>/g)?.length, 2)
    assert.match(html, /Cause<\/td><td [^>]+>&lt;b&gt; &amp; &quot;c&quot;<\/td>/)
    assert.match(html, /Since<\/td><td [^>]+>today&#39;s noon<\/td>/)
    const links = [...html.matchAll(/<a href="([^"]+)"( style="[^"]+")?>([^<]+)<\/a>/g)]
    assert.deepEqual(
      links.map(([, url, style, label]) => [label, url, style === undefined ? 'link' : 'button']),
      [
        [acknowledge.label, acknowledge.url, 'button'],
        [link.label, link.url, 'link'],
        [runbook.label, 'https://wiki.example/?a=1&amp;b=2', 'button'],
        [footer.label, footer.url, 'link'],
      ],
    )
  })

  it('leaves out what there is nothing of, with its lines', () => {
    const html = mailHtml(least)
    assert.doesNotMatch(html, /<table|<a |<img|\n\n/)
    assert.match(html, /<h1 [^>]+>Shop &lt;1&gt;<\/h1>\n<p [^>]+>It works\.<\/p>\n<\/div>\n<\/body>/)
  })

  it('is in English unless it is in another language', () => {
    assert.match(mailHtml(least), /<html lang="en">/)
    assert.match(mailHtml({ ...least, language: 'de' }), /<html lang="de">/)
  })

  const logos: [width: number, height: number, shown: string][] = [
    [200, 48, 'width="200" height="48"'],
    [20, 16, 'width="20" height="16"'],
    [800, 100, 'width="200" height="25"'],
    [100, 96, 'width="50" height="48"'],
    [2000, 1, 'width="200" height="1"'],
    [1, 2000, 'width="1" height="48"'],
  ]
  for (const [width, height, shown] of logos)
    it(`shows a logo of ${width} × ${height} pixels with ${shown}`, () => {
      const logo = { url: 'https://perigee.example/a.png', alt: '"Shop"', width, height }
      const src = 'src="https://perigee.example/a.png" alt="&quot;Shop&quot;"'
      assert.ok(mailHtml({ ...least, logo }).includes(`<img ${src} ${shown} style="border:0">`))
    })
})

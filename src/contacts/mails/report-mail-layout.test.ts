import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type MailSection, reportHtml, reportText } from './report-mail-layout.ts'

const mail = {
  tone: 'good',
  headline: 'Shop',
  lead: 'All is well.',
  link: { label: 'Open', url: 'https://perigee.example/' },
  footer: { text: 'Weekly.', label: 'Unsubscribe', url: 'https://perigee.example/u' },
} as const
const labelled: MailSection = { title: 'Summary', columns: null, rows: [['Uptime', '100 %']], lines: [] }
const table: MailSection = {
  title: 'Monitors',
  columns: ['Monitor', 'Uptime', 'Downtime'],
  rows: [['<Shop>', '100 %', '0 s']],
  lines: ['1 more.'],
}
const lines: MailSection = { title: 'Notes', columns: null, rows: [], lines: ['Nothing is known.'] }

describe('the sections of the mail of a report', () => {
  it('are labels with values, or lists of what stands in a row', () =>
    assert.equal(
      reportText({ ...mail, sections: [labelled, table, lines] }),
      `Shop

All is well.

SUMMARY
Uptime: 100 %

MONITORS
- <Shop> | 100 % | 0 s
1 more.

NOTES
Nothing is known.

Open: https://perigee.example/

-- 
Weekly. Unsubscribe: https://perigee.example/u
`,
    ))

  it('are tables in HTML, with the names on the left and what is told of them on the right', () => {
    const html = reportHtml({ ...mail, sections: [table] })
    const cells = [...html.matchAll(/<(th|td) [^>]*text-align:(\w+)">([^<]*)<\/\1>/g)]
    assert.deepEqual(
      cells.map(([, element, side, text]) => [element, side, text]),
      [
        ['th', 'left', 'Monitor'],
        ['th', 'right', 'Uptime'],
        ['th', 'right', 'Downtime'],
        ['td', 'left', '&lt;Shop&gt;'],
        ['td', 'right', '100 %'],
        ['td', 'right', '0 s'],
      ],
    )
    assert.match(html, /<\/table>\n<p [^>]+>1 more\.<\/p>/)
  })

  it('are tables for the eye alone where they have no columns', () => {
    const tablesIn = (section: MailSection): string[] =>
      reportHtml({ ...mail, sections: [section] })
        .split('<h2')[1]
        ?.match(/<table[^>]*width/g) ?? []
    assert.deepEqual(tablesIn(labelled), ['<table role="presentation" width'])
    assert.deepEqual(tablesIn(table), ['<table width'])
    assert.doesNotMatch(reportHtml({ ...mail, sections: [labelled] }), /<th /)
  })

  it('have no table where there are lines alone', () =>
    assert.match(
      reportHtml({ ...mail, sections: [lines] }),
      /<h2 [^>]+>Notes<\/h2>\n<p [^>]+>Nothing is known\.<\/p>\n<p [^>]+>Weekly\./,
    ))
})

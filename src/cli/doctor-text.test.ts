import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bad, doctorReport, type Finding, good, notLookedAt, warning } from '#core/doctor-report.ts'
import { doctorText } from './doctor-text.ts'

const findings: Finding[] = [
  { check: 'disk', ...good('data folder', 'It has 76 GB free.') },
  { check: 'mail', ...notLookedAt('server', 'There is none.') },
  { check: 'database', ...bad('connection', 'It does not answer.\u001b[2J', 'Start it.') },
  { check: 'bus', ...warning('TLS', `${'word '.repeat(20)}end`, 'Use TLS.') },
]
const report = doctorReport(findings, { at: new Date(0), version: '1.0.0' })
const said = doctorText(report, (_, text) => text, 80)

describe('the text of the doctor', () => {
  it('tells the worst first, with what to do below it', () =>
    assert.deepEqual(said.split('\n').slice(0, 2), [
      'bad            database: connection  It does not answer.\\u{1b}[2J',
      '                                     → Start it.',
    ]))

  it('keeps long lines in their column', () => {
    const lines = said.split('\n').filter((line) => line.includes('word'))
    assert.ok(lines.length > 1)
    for (const line of lines) assert.ok(line.length <= 80 && line.indexOf('word') === 37, line)
  })

  it('ends with the sum', () => assert.match(said, /\n\n1 bad, 1 warning, 1 not looked at, 1 good\.\n$/))

  it('counts several warnings as such', () => {
    const counts = { bad: 0, warning: 2, not_looked_at: 0, good: 0 }
    assert.match(
      doctorText({ ...report, counts }, (_, text) => text, 80),
      /0 bad, 2 warnings, 0 not looked at, 0 good\.\n$/,
    )
  })

  it('colours the verdict alone', () => {
    const painted = doctorText(report, (style, text) => `<${String(style)}>${text}</>`, 80)
    assert.match(painted, /^<red>bad {10}<\/> {2}database/)
    assert.match(painted, /<green>good {9}<\/>/)
  })
})

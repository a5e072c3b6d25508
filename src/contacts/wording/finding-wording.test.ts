import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endOfLifeOf, findingAlertOf, findingOf } from '../../../test/support/alerts.ts'
import { findingWording } from './finding-wording.ts'

const read = { source: 'osv', ecosystem: 'npm', data_as_of: '2026-11-20T12:00:00.000Z', state: 'current' } as const
const older = { source: 'nvd', ecosystem: null, data_as_of: '2026-11-19T08:30:00.000Z', state: 'current' } as const
const unread = { source: 'cve', ecosystem: null, data_as_of: null, state: 'unread' } as const

describe('what an alert of findings says of the comparison', () => {
  const cases = [
    ['nothing of alerts that an earlier release enqueued', {}, {}],
    [
      'from when the oldest data are',
      { comparison: 'complete', compared: [read, older], entries_to_compare: 0 },
      { 'Compared with data from': '2026-11-19 08:30:00 UTC' },
    ],
    [
      'what was not read, and from when the rest is',
      { comparison: 'partial', compared: [read, unread], entries_to_compare: 0 },
      { 'Not compared with': 'CVE list (not read yet)', 'Compared with data from': '2026-11-20 12:00:00 UTC' },
    ],
    [
      'what is being compared',
      { comparison: 'partial', compared: [read], entries_to_compare: 3 },
      { 'Being compared': '3 software entries', 'Compared with data from': '2026-11-20 12:00:00 UTC' },
    ],
    [
      'no time where nothing was compared',
      { comparison: 'not_compared', compared: [read], entries_to_compare: 1 },
      { 'Being compared': '1 software entry' },
    ],
  ] as const
  for (const [what, told, expected] of cases)
    it(`is ${what}`, () => {
      const alert = findingAlertOf([findingOf()])
      const compared = 'compared' in told ? { ...told, compared: [...told.compared] } : {}
      const { facts } = findingWording({ ...alert, data: { ...alert.data, ...compared } })
      const said = facts.filter(({ label }) => /compared/i.test(label)).map(({ label, value }) => [label, value])
      assert.deepEqual(Object.fromEntries(said), expected)
    })
})

describe('the words of findings', () => {
  const php = endOfLifeOf()
  const exploited = findingOf({ exploited_on: '2026-11-20' })
  const cases: [
    what: string,
    alert: ReturnType<typeof findingAlertOf>,
    tone: string,
    headline: string,
    lead: string,
  ][] = [
    [
      'one vulnerability',
      findingAlertOf([findingOf()]),
      'warning',
      'Vulnerability in nginx 1.26.1: Shop API',
      'CVE-2026-0001 (high) affects nginx 1.26.1 on Shop API.',
    ],
    [
      'one of an unknown version and severity',
      findingAlertOf([findingOf({ version: null, version_known: false, severity: null })]),
      'warning',
      'Vulnerability in nginx: Shop API',
      'CVE-2026-0001 (unrated) may affect nginx on Shop API.',
    ],
    [
      'one that is exploited',
      findingAlertOf([exploited]),
      'bad',
      'Exploited vulnerability in nginx 1.26.1: Shop API',
      'CVE-2026-0001 (high) affects nginx 1.26.1 on Shop API. It is known to be exploited.',
    ],
    [
      'one end of support',
      findingAlertOf([php]),
      'warning',
      'End of support for PHP 8.1.27: Shop API',
      'PHP 8.1.27 is no longer supported. It runs on Shop API.',
    ],
    [
      'several ends of support',
      findingAlertOf([php, php]),
      'warning',
      'End of support for 2 releases: Shop API',
      '2 releases that are no longer supported run on Shop API.',
    ],
    [
      'several findings, of which one is exploited',
      findingAlertOf([php, exploited]),
      'bad',
      '2 new findings: Shop API',
      'There are 2 new findings in the software of Shop API. One of them is known to be exploited.',
    ],
    [
      'more than are shown, of which two are exploited',
      findingAlertOf([exploited, exploited], 7),
      'bad',
      '7 new findings: Shop API',
      'There are 7 new findings in the software of Shop API. 2 of them are known to be exploited.',
    ],
    [
      'none that is shown',
      findingAlertOf([], 1),
      'warning',
      'End of support for 1 releases: Shop API',
      '1 releases that are no longer supported run on Shop API.',
    ],
  ]
  for (const [what, alert, ...expected] of cases)
    it(`tell of ${what}`, () => {
      const { tone, headline, lead } = findingWording(alert)
      assert.deepEqual([tone, headline, lead], expected)
    })

  const facts: [given: Parameters<typeof findingOf>[0], expected: string][] = [
    [{}, 'high 7.5: nginx 1.26.1, fixed in 1.26.2. A request can end the process.'],
    [{ score: null, summary: null }, 'high: nginx 1.26.1, fixed in 1.26.2'],
    [{ fix_version: null, fixed_in: null, severity: null }, 'unrated: nginx 1.26.1. A request can end the process.'],
    [
      { exploited_on: '2026-11-20', version_known: false },
      'high 7.5, exploited since 2026-11-20, may apply: nginx 1.26.1, fixed in 1.26.2. A request can end the process.',
    ],
  ]
  const address = { label: 'Address', value: findingAlertOf([]).data.monitor.url }
  for (const [given, expected] of facts)
    it(`say in a line: ${expected}`, () => {
      const { facts: found } = findingWording(findingAlertOf([findingOf(given)]))
      assert.deepEqual(found, [{ label: 'CVE-2026-0001', value: expected }, address])
    })

  it('say in a line what follows a release', () => {
    const [line] = findingWording(findingAlertOf([php])).facts
    assert.equal(line?.value, 'PHP 8.1.27, next 8.2.30. PHP 8.1 has been without support since 2025-12-31.')
  })

  it('say how many more there are', () => {
    const { facts: found } = findingWording(findingAlertOf([findingOf()], 2))
    assert.deepEqual(found.slice(1), [{ label: 'And', value: '1 more' }, address])
  })

  it('name what is old', () => {
    const alert = findingAlertOf([findingOf()])
    const old = { ...read, state: 'old' } as const
    const compared = [old, older, { ...unread, state: 'old' } as const]
    const told = { comparison: 'complete', entries_to_compare: 0 } as const
    const { facts: found } = findingWording({ ...alert, data: { ...alert.data, ...told, compared } })
    const value = 'npm from 2026-11-20; nothing newer has been read since'
    assert.deepEqual(found.find(({ label }) => label === 'Old data')?.value, value)
  })
})

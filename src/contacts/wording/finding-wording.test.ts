import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findingAlertOf, findingOf } from '../../../test/support/alerts.ts'
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

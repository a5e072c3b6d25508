import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type FeedStatus, feedTroubles } from './feed-status.ts'

const hour = 3_600
const feed = (name: string, seconds: number | null, error: string | null = null): FeedStatus => ({
  name,
  read_seconds: seconds,
  error,
})

const cases: readonly [what: string, feeds: FeedStatus[], troubles: string[]][] = [
  ['none where nothing is read', [], []],
  ['none of feeds that are read for the first time', [feed('nvd', null)], []],
  ['none of feeds that were read within 48 hours', [feed('nvd', 0), feed('cve', 48 * hour)], []],
  [
    'those that failed before they were ever read, and those that are old',
    [feed('osv npm', null, 'Refused.'), feed('nvd', 48 * hour + 1), feed('cve', 5), feed('osv Go', null, 'Refused.')],
    [
      'Advisory feeds that were never read completely: osv npm, osv Go.',
      'Advisory feeds that have not been read for 48 hours: nvd.',
    ],
  ],
]
for (const [what, feeds, troubles] of cases)
  it(`the troubles of feeds are ${what}`, () => assert.deepEqual(feedTroubles(feeds), troubles))

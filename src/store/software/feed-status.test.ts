import assert from 'node:assert/strict'
import { it } from 'node:test'
import { clusterTroubles } from '#core/operator-status.ts'
import { feedName, feedSources } from '#core/software/feed-sources.ts'
import { readClusterStatus } from '#store/installation/cluster-status.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { reportIn } from '../../../test/support/software.ts'
import { noteFeedsOff } from './comparisons.ts'
import { readFeedStatus } from './feed-status.ts'

it('the feeds of an installation are known from the moment that something has to be compared', async () => {
  const api = await testApi()
  const { database } = api
  const troubles = async (): Promise<string[]> =>
    clusterTroubles(await readClusterStatus(database)).filter((text) => text.startsWith('Advisory feeds'))
  assert.deepEqual([await readFeedStatus(database), await troubles()], [[], []])

  const { id } = await createMonitor(api)
  reportIn(await api.post(`/monitors/${id}/software`, { name: 'npm:lodash' }), 201)
  assert.deepEqual(
    await readFeedStatus(database),
    feedSources.map((source) => ({ name: feedName(source), read_seconds: null, error: null })),
  )

  await noteFeedsOff(
    database,
    feedSources.map(feedName).filter((name) => name.startsWith('osv ') && name !== 'osv npm'),
  )
  assert.deepEqual(await troubles(), [], 'the first reading takes its time')

  await database.pool.query(
    `insert into feeds (name, succeeded_at, error)
    values
      ('osv npm', now() - interval '10 minutes', null),
      ('osv PyPI', now() - interval '100 days', null),
      ('nvd', now() - interval '50 hours', 'No answer.'),
      ('cve', now() + interval '1 minute', null),
      ('exploited', now(), null),
      ('endoflife', null, 'Refused.')`,
  )
  const read = await readFeedStatus(database)
  assert.deepEqual(
    read.map(({ name, read_seconds: seconds, error }) => [
      name,
      seconds === null ? null : Math.round(seconds / 600),
      error,
    ]),
    [
      ['osv npm', 1, null],
      ['nvd', 300, 'No answer.'],
      ['cve', 0, null],
      ['exploited', 0, null],
      ['endoflife', null, 'Refused.'],
    ],
  )
  assert.deepEqual(await troubles(), [
    'Advisory feeds that were never read completely: endoflife.',
    'Advisory feeds that have not been read for 48 hours: nvd.',
  ])
})

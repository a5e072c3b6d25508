import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../test/support/check.ts'
import { heartbeat } from './heartbeat.ts'

it('a heartbeat needs no options, has no target, and no location checks it', async () => {
  assert.equal(heartbeat.options.safeParse({}).success, true)
  assert.equal(
    heartbeat.targetProblem('anything', () => true),
    null,
  )
  assert.equal(heartbeat.isPassive, true)
  await assert.rejects(checkOnce(heartbeat, { url: '' }), TypeError)
})

describe('options of a heartbeat', () => {
  const zone = { time_zone: 'Europe/Vienna' }
  const notReadable = 'Must be a cron expression of five fields, such as `30 2 * * *`.'
  for (const [what, options, problems] of [
    ['a schedule', { schedule: '30 2 * * *' }, []],
    ['a schedule in a zone', { schedule: '30 2 * * *', ...zone }, []],
    ['a zone alone', zone, [['time_zone', 'Needs a schedule.']]],
    ['no cron expression', { schedule: 'nightly', ...zone }, [['schedule', notReadable]]],
    ['seconds', { schedule: '0 30 2 * * *' }, [['schedule', notReadable]]],
    ['a day that seldom comes', { schedule: '0 0 29 2 *' }, [['schedule', 'Must be due at least once a year.']]],
    ['limits of a run', { max_run_seconds: 604_800, min_run_seconds: 1 }, []],
    [
      'limits the wrong way round',
      { max_run_seconds: 60, min_run_seconds: 60 },
      [['min_run_seconds', 'Must be less than max_run_seconds.']],
    ],
    [
      'a zone that there is not',
      { schedule: '30 2 * * *', time_zone: 'Europe/Nowhere' },
      [['time_zone', 'Must be a time zone of the IANA database, such as Europe/Sofia.']],
    ],
  ] as const)
    it(`with ${what} are ${problems.length === 0 ? 'right' : 'refused'}`, () => {
      const parsed = heartbeat.options.safeParse(options)
      const issues = parsed.error?.issues ?? []
      assert.deepEqual(
        issues.map(({ path, message }) => [path.join('.'), message]),
        problems,
      )
    })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startCallers } from '../support/faults/callers.ts'
import { startFalseClock } from '../support/faults/false-clock.ts'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { startOperator } from '../support/faults/operator-mail.ts'
import { httpServer } from '../support/http-server.ts'
import { pause } from '../support/pause.ts'

const intervalMs = 10_000
const timeoutMs = 3_000
const graceMs = 5_000
const slackMs = 10_000
/** A clock that is noticed to have jumped lets an engine begin anew. */
const gapMs = intervalMs + 5_000
const watchedMs = 45_000
const targets = ['one', 'two', 'three', 'four', 'five', 'six']
const jobs = ['alive', 'also alive', 'job 1', 'job 2', 'job 3']
/** Each from the clock before it. */
const jumps = [
  { what: 'its clock jumps 3 hours ahead', toSeconds: 10_800 },
  { what: 'its clock jumps 5 hours back', toSeconds: -7_200 },
  { what: 'its clock jumps 40 seconds ahead', toSeconds: -7_160 },
]

describe('a service whose clock jumps', async () => {
  const folder = faultFolder()
  const clock = await startFalseClock(folder)
  const operator = await startOperator()
  const looks = new Map<string, number[]>()
  const gone = new Set<string>()
  const target = await httpServer(({ url = '' }, response) => {
    looks.set(url, [...(looks.get(url) ?? []), performance.now()])
    response.writeHead(gone.has(url) ? 500 : 200).end()
  })
  const service = await startFaultyService(folder, {
    environment: {
      ...clock.environment,
      ...operator.environment,
      PERIGEE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
    },
  })
  const callers = startCallers(() => service)
  /** What is down, and what should be. */
  const down: string[] = []

  it('watches targets and takes calls while all is well', async () => {
    for (const name of targets)
      await service.ask('POST', '/monitors', {
        name,
        url: `http://127.0.0.1:${target.port}/${name}`,
        interval_seconds: intervalMs / 1_000,
        timeout_ms: timeoutMs,
        failure_threshold: 1,
      })
    for (const name of jobs)
      await callers.begin(name, {
        interval_seconds: intervalMs / 1_000,
        heartbeat_grace_seconds: graceMs / 1_000,
        failure_threshold: 1,
      })
    await service.untilAllUp(new Date(0), 60_000)
  })

  for (const [index, { what, toSeconds }] of jumps.entries())
    it(`skips no round and tells nothing false when ${what}`, { timeout: 150_000 }, async (t) => {
      await underFault(what, async (outcome) => {
        const mailsBefore = operator.mails().length
        const [victim = '', job = ''] = [targets[index], jobs[index + 2]]
        for (const times of looks.values()) times.splice(0, times.length - 1)
        clock.set(toSeconds)
        // Its last call came before the jump, and its deadline passes after.
        callers.end(job)
        await Promise.all([
          expectTold(outcome, job, {
            // A call that is turned away while the engine begins anew leaves each deadline another grace.
            withinMs: intervalMs + 2 * graceMs + slackMs,
            isTold: async () => service.isDown(job),
          }),
          pause(watchedMs),
        ])
        const longest = Math.max(...targets.map((name) => longestGap(looks.get(`/${name}`) ?? [])))
        t.diagnostic(`the longest gap of a target was ${Math.round(longest)} ms`)
        gone.add(`/${victim}`)
        await expectTold(outcome, victim, {
          withinMs: intervalMs + timeoutMs + slackMs,
          isTold: async () => service.isDown(victim),
        })
        down.push(victim, job)
        outcome.falseIncidents = await service.incidentsBeside(...down)
        outcome.lost = await callers.lost()
        const troubles = await service.troubles()
        outcome.told = [...operator.mails().slice(mailsBefore), ...troubles]
        assert.ok(longest < gapMs, `a target was left alone for ${longest} ms`)
        assert.deepEqual(
          troubles.filter((text) => !text.startsWith('The clock of the database jumped')),
          [],
        )
        assert.equal(troubles.length, 1, 'the jump itself is told')
      })
    })
})

/** Between two looks, or since the last. */
function longestGap(times: readonly number[]): number {
  const ends = [...times.slice(1), performance.now()]
  return Math.max(...ends.map((end, at) => end - (times[at] ?? 0)))
}

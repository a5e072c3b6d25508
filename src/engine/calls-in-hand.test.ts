import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type EngineBench, engineBench } from '../../test/support/engine.ts'
import { aheadOf, createHeartbeat, passDeadline, statusIs } from '../../test/support/heartbeat.ts'
import { until } from '../../test/support/until.ts'
import { noteCallIntake } from '#store/monitors/calls.ts'

const graceSeconds = 45

/** The word of a process that takes calls, given this long ago. */
async function say({ database }: EngineBench, word: { name: string; secondsAgo?: number; isFirst?: boolean }) {
  const { name, secondsAgo = 0, isFirst = false } = word
  await noteCallIntake(database, { name, isFirst: () => isFirst, sinceLastSeconds: () => null })
  await database.pool.query('update intakes set seen_at = now() - make_interval(secs => $2) where name = $1', [
    name,
    secondsAgo,
  ])
}

/** Counts how often the engine looks at deadlines that have passed. */
function watchLooks({ bus }: EngineBench): () => number {
  let looks = 0
  bus.hasHeard = async () => {
    looks += 1
    return true
  }
  return () => looks
}

async function missedOf({ database }: EngineBench, id: string): Promise<number> {
  const { rows } = await database.pool.query<{ missed: number }>(
    `select count(*)::integer as missed
    from results r
    join monitors m on m.key = r.monitor_key
    where m.id = $1
      and r.details ->> 'source' = 'missed'`,
    [id],
  )
  return rows[0]?.missed ?? assert.fail()
}

describe('a call that a process has in hand when its deadline passes', () => {
  it('is stored before that deadline can count as missed', async () => {
    let aheadMs = 0
    const now = (): number => Date.now() + aheadMs
    const bench = await engineBench({ engineNow: now, now: () => new Date(now()) })
    const { publishResults } = bench.api.services
    const witness = await createHeartbeat(bench, { failure_threshold: 1 })
    const { id, call } = await createHeartbeat(bench, { failure_threshold: 1 })
    await witness.call()
    await call()
    const keep = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<void>()
    bench.api.services.publishResults = async (location, results) => {
      taken.resolve()
      await keep.promise
      await publishResults(location, results)
    }
    const answer = call()
    await taken.promise
    await passDeadline(bench, id, 0)
    await passDeadline(bench, witness.id, 5)
    aheadMs = 1_200
    await statusIs(bench, witness.id, 'down')
    keep.resolve()
    assert.equal((await answer).status, 200)
    assert.equal(await missedOf(bench, id), 0)
    assert.ok((await aheadOf(bench, id)) > 0)
  })

  for (const [what, others] of [
    ['that may turn it away later', []],
    ['that may turn it away later, although another one has just spoken', ['another']],
  ] as const)
    it(`holds the deadline back while it is with a process ${what}`, async () => {
      const bench = await engineBench()
      const { id, call } = await createHeartbeat(bench, { heartbeat_grace_seconds: graceSeconds })
      await call()
      for (const name of others) await say(bench, { name })
      await say(bench, { name: 'here', secondsAgo: 1 })
      const looks = watchLooks(bench)
      await passDeadline(bench, id, 2.3)
      await until('the engine has looked, and looked again', () => looks() >= 2)
      assert.equal(await missedOf(bench, id), 0)
      // The call was turned away after the last word.
      for (const name of others) await say(bench, { name })
      await say(bench, { name: 'here', isFirst: true })
      assert.ok((await aheadOf(bench, id)) > graceSeconds - 1, `the deadline is ${await aheadOf(bench, id)} s ahead`)
    })
})

describe('a deadline that passed while all calls were taken', () => {
  it('is missed once every process has spoken since, and one that has gone speaks no more', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, { failure_threshold: 1, heartbeat_grace_seconds: graceSeconds })
    await call()
    await say(bench, { name: 'gone', secondsAgo: 60 })
    await say(bench, { name: 'here' })
    await passDeadline(bench, id, 5)
    await statusIs(bench, id, 'down')
    assert.equal(await missedOf(bench, id), 1)
  })
})

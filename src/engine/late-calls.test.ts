import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addContact, type EngineBench, engineBench, incidentsOf, only, standingOf } from '../../test/support/engine.ts'
import { aheadOf, createHeartbeat, passDeadline, statusIs } from '../../test/support/heartbeat.ts'
import { until } from '../../test/support/until.ts'
import { verdictOfCall } from '#core/monitors/heartbeat.ts'

/** A call as an API passes it on that received it this long ago. */
async function hearLate({ bus, database }: EngineBench, monitorId: string, secondsAgo: number): Promise<void> {
  const { rows } = await database.pool.query<{ version: number; location: string }>(
    'select version, locations[1] as location from monitors where id = $1',
    [monitorId],
  )
  const { version, location } = only(rows)
  const verdict = verdictOfCall({ type: 'succeeded', exitCode: null, note: null }, null)
  const round = Math.round((Date.now() - secondsAgo * 1000) * 1000)
  await bus.publishResults(location, [{ monitorId, version, round, location, verdict }])
}

/**
 * The call counts, and its deadline lies ahead now in the table that the engine asks before it calls a deadline missed.
 */
async function assertHeard(bench: EngineBench, id: string): Promise<void> {
  assert.ok((await aheadOf(bench, id)) > 0)
  const witness = await createHeartbeat(bench, { failure_threshold: 1 })
  await witness.call()
  await passDeadline(bench, witness.id, 5)
  await statusIs(bench, witness.id, 'down')
  const standing = await standingOf(bench.database, id)
  assert.deepEqual([standing.current_status, standing.stored], ['up', 2])
}

describe('a call that the broker hands over late', () => {
  it('is heard before its deadline is called missed', async () => {
    const bench = await engineBench()
    const asked: number[] = []
    let isHeard = false
    bench.bus.hasHeard = async (partitions) => {
      asked.push(...partitions)
      return isHeard
    }
    const { id, call } = await createHeartbeat(bench)
    await call()
    await passDeadline(bench, id, 5)
    await until('it is asked again', () => asked.length >= 2)
    assert.equal((await standingOf(bench.database, id)).current_status, 'up')
    assert.deepEqual(new Set(asked), new Set([Number.parseInt(id.slice(-2), 16) % 64]))
    await hearLate(bench, id, 20)
    isHeard = true
    await assertHeard(bench, id)
  })

  it('or whose receipt took a moment, is heard before its deadline is called missed', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench)
    await call()
    await passDeadline(bench, id, -0.3)
    let ahead = 0
    await until('the deadline has passed', async () => (ahead = await aheadOf(bench, id)) < -0.2)
    await hearLate(bench, id, 0.2 - ahead)
    await assertHeard(bench, id)
  })

  it('that no engine knew to wait for ends what the deadline began, and nothing ends before it began', async () => {
    const bench = await engineBench()
    await addContact(bench.database, bench.api.workspaceId)
    const { id, call } = await createHeartbeat(bench, { failure_threshold: 1 })
    await call()
    await passDeadline(bench, id, 5)
    await statusIs(bench, id, 'down')
    const { started_at: startedAt } = only(await incidentsOf(bench.database, id))
    await hearLate(bench, id, 20)
    await statusIs(bench, id, 'up')
    const { resolved_at: resolvedAt } = only(await incidentsOf(bench.database, id))
    assert.deepEqual(resolvedAt, startedAt)
    const problems = await bench.database.pool.query('select from problems where ended_at < started_at')
    assert.equal(problems.rowCount, 0)
    const told = await bench.database.pool.query<{ alert: { timestamp: string } }>(
      `select alert from deliveries where alert ->> 'type' = 'monitor.up'`,
    )
    assert.equal(only(told.rows).alert.timestamp, startedAt.toISOString())
  })
})

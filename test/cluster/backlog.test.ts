import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMemoryBus } from '#bus/memory.ts'
import { openBusBench, resultIn } from '../support/nats-bus.ts'
import { noNatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

describe('what waits at the broker', { skip: noNatsServer }, () => {
  it('is told with its size and age, until it is stored', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    assert.deepEqual(await engine.readBacklog(), [{ stream: 'results', messages: 0, bytes: 0, oldestAt: null }])
    const { stream } = await bench.raw()
    const { monitorId } = resultIn(4)
    for (const round of [1, 2]) await stream.publish('results.here.4', JSON.stringify([[monitorId, 1, round, 'here']]))
    const [waiting] = await engine.readBacklog()
    assert.equal(waiting?.messages, 2)
    assert.ok(waiting.bytes > 100)
    assert.ok(Math.abs(Date.now() - (waiting.oldestAt?.getTime() ?? 0)) < 60_000)
    engine.onResults(async () => {})
    await engine.holdPartitions([4])
    await until('nothing waits', async () => (await engine.readBacklog())[0]?.messages === 0)
    assert.equal((await engine.readBacklog())[0]?.oldestAt, null)
    await bench.close()
  })

  it('is not told while the broker is away', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    await bench.server.kill()
    await until('the loss is noticed', async () => !engine.isConnected())
    await assert.rejects(engine.readBacklog(), /away/)
    await bench.close()
  })
})

it('nothing waits on the bus of one process', async () => {
  assert.deepEqual(await createMemoryBus().readBacklog(), [])
})

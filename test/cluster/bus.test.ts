import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Result } from '#core/results/result.ts'
import { createOutbox } from '../../src/prober/outbox.ts'
import { allPartitions, busContract, takeAll } from '../support/bus-contract.ts'
import { cutProxy } from '../support/cut-proxy.ts'
import { openBusBench, partitionsOf, resultIn } from '../support/nats-bus.ts'
import { noNatsServer } from '../support/nats-server.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'

if (noNatsServer === false)
  busContract('NATS', async () => {
    const { engine, prober, close } = await openBusBench()
    return { engine: await engine(), prober: await prober('here'), close }
  })

describe('results on NATS', { skip: noNatsServer }, () => {
  it('loses none that was acknowledged when the broker is killed, and goes on when it is back', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const prober = await bench.prober('here')
    const handled = new Map<string, number>()
    await takeAll(engine, async (results) => {
      for (const { monitorId } of results) handled.set(monitorId, (handled.get(monitorId) ?? 0) + 1)
    })
    const acknowledged = new Set<string>()
    let isAway = false
    let sentAway = 0
    const outbox = createOutbox({
      location: 'here',
      bus: {
        publishResults: async (location, results) => {
          await prober.publishResults(location, results)
          for (const { monitorId } of results) acknowledged.add(monitorId)
        },
      },
      onDropped: () => assert.fail('Nothing may be dropped.'),
    })
    const added = new Set<string>()
    const adding = setInterval(() => {
      const result = resultIn(added.size % 64)
      added.add(result.monitorId)
      if (isAway) sentAway += 1
      outbox.add(result)
    }, 2)
    await until('results flow', async () => handled.size > 300, 20_000)
    await bench.server.kill()
    isAway = true
    await until('the loss is noticed', async () => !engine.isConnected() && !prober.isConnected())
    await until('more is sent while it is away', () => sentAway > 300)
    const atReturn = acknowledged.size
    isAway = false
    await bench.server.start()
    await until('results flow again', async () => acknowledged.size > atReturn + 300, 30_000)
    clearInterval(adding)
    await until('all are acknowledged', async () => outbox.waiting === 0, 30_000)
    await until('all are handled', async () => handled.size === added.size, 30_000)
    assert.ok(sentAway > 300)
    assert.deepEqual(acknowledged, added)
    await outbox.close(0)
    await bench.close()
  })

  it('keeps one copy of what was sent again because its acknowledgement was lost', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const { manager } = await bench.raw()
    bench.server.signal('SIGSTOP')
    // The first attempt ends after 2.5 s without an answer, the second finds what the first has left behind.
    const publication = engine.publishResults('here', [resultIn(5)])
    await pause(3_000)
    bench.server.signal('SIGCONT')
    await publication
    const { state } = await manager.streams.info('results')
    assert.equal(state.messages, 1)
    assert.equal(state.last_seq, 1)
    await bench.close()
  })

  it('leaves in the stream what a slow handler cannot take yet', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const { manager } = await bench.raw()
    const { promise: isFast, resolve: goOn } = Promise.withResolvers<void>()
    let inHand = 0
    const handled = new Set<string>()
    engine.onResults(async (results) => {
      inHand += 1
      await isFast
      for (const { monitorId } of results) handled.add(monitorId)
    })
    const caughtUp = engine.holdPartitions([1, 2])
    const sent = Array.from({ length: 200 }, (_, index) => resultIn(1 + (index % 2)))
    // One message each.
    for (const result of sent) await engine.publishResults('here', [result])
    await until('the handler has what it may have', async () => inHand === 64)
    const waiting = await manager.consumers.info('results', 'partition-1')
    assert.equal(waiting.num_ack_pending, 32)
    assert.equal(waiting.num_pending, 68)
    // Longer than the broker waits for an acknowledgement.
    await pause(12_000)
    const still = await manager.consumers.info('results', 'partition-1')
    assert.equal(still.num_redelivered, 0)
    assert.equal(inHand, 64)
    goOn()
    await caughtUp
    await until('all are handled', async () => handled.size === sent.length)
    await until('nothing is left', async () => (await manager.streams.info('results')).state.messages === 0)
    await bench.close()
  })

  it('brings to each engine the partitions it holds, and hands over what one releases', async () => {
    const bench = await openBusBench()
    const one = await bench.engine()
    const other = await bench.engine()
    const prober = await bench.prober('here')
    const byOne: Result[] = []
    const byOther: Result[] = []
    one.onResults(async (results) => void byOne.push(...results))
    other.onResults(async (results) => void byOther.push(...results))
    await Promise.all([one.holdPartitions(allPartitions.slice(0, 32)), other.holdPartitions(allPartitions.slice(32))])
    await prober.publishResults(
      'here',
      allPartitions.map((partition) => resultIn(partition)),
    )
    await until('both have their half', async () => byOne.length === 32 && byOther.length === 32)
    assert.deepEqual(partitionsOf(byOne), new Set(allPartitions.slice(0, 32)))
    assert.deepEqual(partitionsOf(byOther), new Set(allPartitions.slice(32)))
    await one.releasePartitions(allPartitions.slice(0, 16))
    await prober.publishResults(
      'here',
      allPartitions.map((partition) => resultIn(partition)),
    )
    await until('one has the rest of its half', async () => byOne.length === 48)
    await other.holdPartitions(allPartitions.slice(0, 16))
    assert.equal(byOther.length, 80)
    assert.equal(byOne.length, 48)
    await bench.close()
  })

  it('has a partition caught up only when all that a dead engine left was handled', async () => {
    const bench = await openBusBench()
    const dying = await bench.engine()
    const heir = await bench.engine()
    let taken = 0
    dying.onResults((results) => {
      taken += results.length
      return new Promise(() => {})
    })
    await dying.holdPartitions([7])
    for (let count = 0; count < 40; count += 1) await heir.publishResults('here', [resultIn(7)])
    await until('the dying one has its hands full', async () => taken === 32)
    await dying.close()
    const handled = new Set<string>()
    heir.onResults(async (results) => {
      for (const { monitorId } of results) handled.add(monitorId)
    })
    await heir.holdPartitions([7])
    assert.equal(handled.size, 40)
    await bench.close()
  })

  it('has nothing heard while the handler is at it, or the broker away', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const { promise: isStored, resolve: store } = Promise.withResolvers<void>()
    engine.onResults(() => isStored)
    await engine.holdPartitions([9, 10])
    await engine.publishResults('here', [resultIn(9)])
    let isAnswered = false
    const asked = engine.hasHeard([9]).finally(() => (isAnswered = true))
    // Asked later and answered: the broker is done with both questions.
    for (let times = 0; times < 3; times += 1) assert.equal(await engine.hasHeard([10]), true)
    assert.equal(isAnswered, false)
    store()
    assert.equal(await asked, true)
    await bench.server.kill()
    await until('the loss is noticed', async () => !engine.isConnected())
    assert.equal(await engine.hasHeard([9]), false)
    await bench.close()
  })

  it('is as good as new after crashes of the broker: nothing is left over, nothing is waited for in vain', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const prober = await bench.prober('here')
    let handled = 0
    await takeAll(engine, async (results) => {
      await pause(20)
      handled += results.length
    })
    let sent = 0
    let underWay = 0
    const publish = async (): Promise<void> => {
      underWay += 1
      await prober.publishResults('here', [resultIn((sent += 1) % 64)]).catch(() => {})
      underWay -= 1
    }
    const adding = setInterval(() => {
      for (let each = 0; each < 4; each += 1) void publish()
    }, 2)
    for (let crash = 0; crash < 3; crash += 1) {
      const before = handled
      await until('results flow', async () => handled > before + 2_000, 30_000)
      await bench.server.kill()
      await bench.server.start()
    }
    clearInterval(adding)
    await until('the last ones are sent, or given up', () => underWay === 0, 30_000)
    const { manager } = await bench.raw()
    const left = async (): Promise<number> => (await manager.streams.info('results')).state.messages
    await until('nothing is left in the stream', async () => (await left()) === 0, 30_000)
    const startedMs = performance.now()
    const heir = await bench.engine()
    await heir.holdPartitions(allPartitions)
    assert.ok(performance.now() - startedMs < 5_000, 'it waits for no backlog')
    for await (const { name, num_ack_pending: pending } of manager.consumers.list('results'))
      assert.equal(pending, 0, name)
    await bench.close()
  })

  it('ends a wait for the backlog when the partition is released', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    await engine.publishResults('here', [resultIn(9)])
    const { promise: never } = Promise.withResolvers<void>()
    engine.onResults(() => never)
    const caughtUp = engine.holdPartitions([9])
    await engine.releasePartitions([9])
    await caughtUp
    await bench.close()
  })

  it('refuses to take more than the stream holds, and keeps what it had taken', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine({ stream: { replicas: 1, storage: 'file', maxBytes: 1024 * 1024 } })
    const kept = new Set<string>()
    const fill = async (): Promise<void> => {
      for (;;) {
        const results = Array.from({ length: 100 }, () => large(resultIn(3)))
        await engine.publishResults('here', results)
        for (const { monitorId } of results) kept.add(monitorId)
      }
    }
    await assert.rejects(fill(), /maximum bytes exceeded/)
    assert.ok(kept.size >= 500)
    const handled = new Set<string>()
    await takeAll(engine, async (results) => {
      for (const { monitorId } of results) handled.add(monitorId)
    })
    assert.deepEqual(kept.difference(handled), new Set())
    // There is room again.
    await engine.publishResults('here', [resultIn(3)])
    await bench.close()
  })

  it('forgets and says what no engine could understand, and what says another location or partition', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const { stream, manager } = await bench.raw()
    const seen: Result[] = []
    await takeAll(engine, async (results) => void seen.push(...results))
    const { monitorId } = resultIn(4)
    await stream.publish('results.here.4', 'not JSON')
    await stream.publish('results.here.4', tuple(monitorId, 'there'))
    await stream.publish('results.here.5', tuple(monitorId, 'here'))
    await stream.publish('results.here.4', tuple('no monitor at all 04', 'here'))
    await stream.publish('results.here.4', tuple(monitorId, 'here'))
    await until('the only true one arrives', async () => seen.length === 1)
    await until('nothing is left', async () => (await manager.streams.info('results')).state.messages === 0)
    assert.equal(seen[0]?.location, 'here')
    assert.ok(bench.warnings.some(({ message }) => message === 'Results of a location were refused.'))
    await assert.rejects(stream.publish('results.here.64', 'of no partition'))
    await bench.close()
  })
})

describe('a presence on NATS', { skip: noNatsServer }, () => {
  it('counts only under the subject that is made of it, so that what is sent to its prober has one', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const { client } = await bench.raw()
    const present: string[] = []
    const away: boolean[] = []
    engine.onPresence(({ prober }) => {
      present.push(prober)
      // Of a longer subject than the broker reads, it would end the connection of the engine.
      engine.assign('here', prober, [{ monitorId: 'm', version: 1, round: 1 }])
    })
    const say = (token: string, presence: object): void =>
      client.publish(`presence.here.${token}`, JSON.stringify({ location: 'here', isLeaving: false, ...presence }))
    await until('presences arrive', () => {
      say('p', { prober: 'p' })
      return present.length > 0
    })
    for (const prober of ['\n'.repeat(1_000), '', 'q']) say('p', { prober })
    say('p', { location: 'there', prober: 'p' })
    say('last', { prober: 'last' })
    await until('the last one arrives', () => {
      away.push(!engine.isConnected())
      return present.includes('last')
    })
    for (let times = 0; times < 10; times += 1) {
      await pause(50)
      away.push(!engine.isConnected())
    }
    assert.deepEqual([new Set(present), away.includes(true)], [new Set(['p', 'last']), false])
    await bench.close()
  })
})

/** One result of a message, as the codec has it without a verdict. */
function tuple(monitorId: string, location: string): string {
  return JSON.stringify([[monitorId, 1, 1, location]])
}

function large(result: Result): Result {
  const { verdict } = result
  return verdict === null ? result : { ...result, verdict: { ...verdict, error: 'x'.repeat(1_000) } }
}

describe('NATS while the broker is away', { skip: noNatsServer }, () => {
  it('drops what is told at most once, refuses requests at once and publications in time', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const prober = await bench.prober('here')
    const assigned: number[] = []
    prober.onAssignments('here', 'p1', (list) => assigned.push(...list.map(({ round }) => round)))
    const assign = (round: number): void => engine.assign('here', 'p1', [{ monitorId: 'm', version: 1, round }])
    await until('assignments arrive', async () => {
      assign(1)
      return assigned.length > 0
    })
    await bench.server.kill()
    await until('the loss is noticed', async () => !engine.isConnected() && !prober.isConnected())
    assign(2)
    const startedMs = performance.now()
    await assert.rejects(prober.requestConfigurations('here', []), /away/)
    assert.ok(performance.now() - startedMs < 1_000)
    await assert.rejects(prober.publishResults('here', [resultIn(1)]), /away/)
    assert.ok(performance.now() - startedMs < 10_000)
    const present: string[] = []
    engine.onPresence(({ prober: name }) => present.push(name))
    prober.announce({ location: 'here', prober: 'p1', isLeaving: false })
    await bench.server.start()
    await until('both are back', async () => engine.isConnected() && prober.isConnected(), 20_000)
    await until('assignments arrive again', async () => {
      assign(3)
      return assigned.includes(3)
    })
    assert.ok(!assigned.includes(2))
    await bench.close()
  })

  it('tells anew who is present as soon as a location is back', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine()
    const way = await cutProxy(bench.server.port)
    const prober = await bench.prober('here', { servers: [`127.0.0.1:${way.port}`] })
    const present: string[] = []
    engine.onPresence(({ prober: name, isLeaving, isFresh = false }) =>
      present.push(`${name}${isLeaving ? ' leaves' : ''}${isFresh ? ' is back' : ''}`),
    )
    await until('both have come, and one has gone', async () => {
      prober.announce({ location: 'here', prober: 'p1.example.com', isLeaving: false })
      prober.announce({ location: 'here', prober: 'p2', isLeaving: false })
      prober.announce({ location: 'here', prober: 'p2', isLeaving: true })
      return present.at(-1) === 'p2 leaves'
    })
    way.cut()
    await until('the loss is noticed', async () => !prober.isConnected())
    present.length = 0
    await until('the one that stayed is back', async () => present.includes('p1.example.com is back'), 20_000)
    assert.ok(!present.some((each) => each.startsWith('p2')))
    await bench.close()
    await way.close()
  })

  it('makes a stream in memory anew, and goes on to take from it', async () => {
    const bench = await openBusBench()
    const engine = await bench.engine({ stream: { replicas: 1, storage: 'memory', maxBytes: 1024 * 1024 } })
    const handled: Result[] = []
    await takeAll(engine, async (results) => void handled.push(...results))
    await bench.server.kill()
    await until('the loss is noticed', async () => !engine.isConnected())
    await bench.server.start()
    const result = resultIn(11)
    await until('a publication succeeds', async () =>
      engine.publishResults('here', [result]).then(
        () => true,
        () => false,
      ),
    )
    await until('it is handled', async () => handled.length > 0, 20_000)
    assert.deepEqual(handled, [result])
    await bench.close()
  })
})

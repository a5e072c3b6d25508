// Processes of this release beside processes of an earlier one, which the test plays by its wire messages alone.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { AckPolicy, DiscardPolicy, RetentionPolicy } from '@nats-io/jetstream'
import { createEngineStore } from '#store/engine-store.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { startEngine } from '../../src/engine/engine.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import { systemTime } from '#time/time.ts'
import { testApi, type TestApi } from '../support/api.ts'
import { earlierConfiguration, startEarlierEngine, startEarlierProber } from '../support/cluster/earlier-release.ts'
import { incidentsOf, standingOf } from '../support/engine.ts'
import { httpServer } from '../support/http-server.ts'
import { createMonitor } from '../support/monitors.ts'
import { openBusBench } from '../support/nats-bus.ts'
import { noNatsServer } from '../support/nats-server.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { until } from '../support/until.ts'

const location = 'amsterdam'
const monitorId = '9fb69823-eecf-4b04-81a4-fc97a5730895'

describe('during a rolling upgrade', { skip: noNatsServer }, () => {
  it('an engine of this release works with a prober of an earlier one', async () => {
    const ends: (() => Promise<void>)[] = []
    after(async () => {
      for (const end of ends.toReversed()) await end()
    })
    const bench = await openBusBench()
    const bus = await bench.engine()
    const api: TestApi = await testApi({ services: { announceChange: bus.announceChange } })
    const { database, services } = api
    await createResultPartitions(database, new Date())
    const presence = createPresenceBook()
    bus.onPresence((message) => presence.note(message, Date.now()))
    const engine = await startEngine({
      store: createEngineStore(database),
      bus,
      presence,
      name: 'present',
      readConfigurations: (from, ids) => readCheckConfigurations(database, services.secrets, { location: from, ids }),
      observer: {
        round: () => {},
        skipped: () => {},
        stored: () => {},
        rejected: () => assert.fail(),
        jumped: () => {},
        batch: () => {},
      },
      log: { debug: () => {}, info: () => {}, warn: () => {} },
      time: systemTime,
      newId: randomUUID,
      random: Math.random,
    })
    ends.push(() => engine.stop())
    const { client } = await bench.raw()
    let isDown = false
    const prober = startEarlierProber(client, { location, isDown: () => isDown })
    ends.push(prober.end)
    const url = 'https://example.com'
    const { id } = await createMonitor(api, { url, interval_seconds: 10, timeout_ms: 5_000, locations: [location] })
    await until('it is up', async () => (await standingOf(database, id)).current_status === 'up', 30_000)
    const [order] = prober.orders
    assert.ok(order)
    // That release ignores the members that were added since.
    const [since = ''] = /,"shareKey":"[\w-]+"/.exec(prober.configurations[0] ?? '') ?? []
    assert.equal(prober.configurations[0]?.replace(since, ''), `1 ${earlierConfiguration(order, url)}`)
    isDown = true
    await until('it is down', async () => (await standingOf(database, id)).current_status === 'down', 30_000)
    const [incident] = await incidentsOf(database, id)
    assert.equal(incident?.cause, 'HTTP status 500')
    const { stored, checks } = await standingOf(database, id)
    assert.deepEqual([stored, checks], [prober.orders.length, prober.orders.length])
  })

  it('a prober of this release works with an engine of an earlier one, on the stream that one made', async () => {
    const bench = await openBusBench()
    const { client, manager } = await bench.raw()
    await manager.streams.add({
      name: 'results',
      subjects: Array.from({ length: 64 }, (_, partition) => `results.*.${partition}`),
      retention: RetentionPolicy.Workqueue,
      discard: DiscardPolicy.New,
      max_bytes: 1024 * 1024,
    })
    const { port } = await httpServer((_request, response) => response.end('well'))
    const order = { monitorId, version: 3, round: Date.now() * 1000 }
    const engine = startEarlierEngine(client, { order, url: `http://127.0.0.1:${port}/` })
    const prober = spawnPerigee({
      args: ['prober'],
      environment: {
        PERIGEE_NATS_URL: `nats://127.0.0.1:${bench.server.port}`,
        PERIGEE_LOCATIONS: `${location}=Amsterdam`,
        PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
        PERIGEE_PROBER_THREADS: '1',
      },
    })
    await until('a result comes', async () => engine.results.length > 0, 30_000)
    assert.match(
      engine.results[0] ?? '',
      /^\[\["9fb69823-eecf-4b04-81a4-fc97a5730895",3,\d{16},"amsterdam",0,200,\d+,null,\[(?:\d+|null)(?:,(?:\d+|null)){4}\],\{\}(?:,null,null,"127\.0\.0\.1")?\](?:,\[.*\])?\]$/,
    )
    assert.equal(engine.asked[0], `["${monitorId}"]`)
    const name = `[^"]+-0-${location}`
    assert.match(
      engine.presences[0] ?? '',
      new RegExp(
        `^\\{"location":"${location}","locationName":"Amsterdam","prober":"${name}"(?:,"witness":"[^"]+")?,"isLeaving":false(?:,"isFresh":true)?\\}$`,
      ),
    )
    prober.child.kill('SIGTERM')
    assert.equal(await prober.ended(), 0, prober.stderr())
    assert.match(engine.presences.at(-1) ?? '', /"isLeaving":true\}$/)
  })

  it('the stream of an earlier release is mended by this one and left alone by that one', async () => {
    const bench = await openBusBench()
    const { manager } = await bench.raw()
    const earlier = {
      subjects: Array.from({ length: 64 }, (_, partition) => `results.*.${partition}`),
      retention: RetentionPolicy.Workqueue,
      discard: DiscardPolicy.New,
      num_replicas: 1,
      max_bytes: bench.server.options.stream.maxBytes,
      max_age: 7_200_000_000_000,
      max_msg_size: 266_240,
      duplicate_window: 60_000_000_000,
    }
    await manager.streams.add({ name: 'results', ...earlier })
    await manager.consumers.add('results', {
      durable_name: 'partition-7',
      filter_subject: 'results.*.7',
      ack_policy: AckPolicy.Explicit,
      ack_wait: 5_000_000_000,
      max_ack_pending: 32,
      max_deliver: -1,
    })
    const { created } = await manager.consumers.info('results', 'partition-7')
    await bench.engine()
    const { config } = await manager.streams.info('results')
    assert.deepEqual([config.deny_delete, config.deny_purge], [true, true])
    for (const [member, value] of Object.entries(earlier))
      assert.deepEqual(new Map(Object.entries(config)).get(member), value, member)
    assert.equal((await manager.consumers.info('results', 'partition-7')).created, created, 'it was not made anew')
  })
})

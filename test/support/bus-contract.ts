import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { EngineBus, Presence, ProberBus, ResultHandler } from '#bus/bus.ts'
import type { Assignment, CheckConfiguration } from '#core/monitors/check.ts'
import { fitEvidence } from '#core/incidents/evidence.ts'
import { noPhases, type Result, type Verdict } from '#core/results/result.ts'
import { partitionCount } from '#core/monitors/schedule.ts'
import { testEvidence } from './evidence.ts'
import { testRoute } from './routes.ts'
import { until } from './until.ts'

export type BusPair = { engine: EngineBus; prober: ProberBus; close: () => Promise<void> }

const monitorId = '9fb69823-eecf-4b04-81a4-fc97a5730895'

export function resultOf(round: number, error: string | null = null): Result {
  const verdict = {
    status: 'up',
    statusCode: 200,
    latencyMs: 5,
    error,
    phases: { ...noPhases, dnsMs: 1 },
    details: {},
  } as const
  return { monitorId, version: 3, round, location: 'here', verdict }
}

/** Engines hold partitions; this one holds all. */
export async function takeAll(engine: EngineBus, handler: ResultHandler): Promise<void> {
  engine.onResults(handler)
  await engine.holdPartitions(allPartitions)
}

export const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)

export const configuration: CheckConfiguration = {
  monitorId,
  version: 3,
  kind: 'http',
  url: 'https://example.com/ä',
  method: 'GET',
  timeoutMs: 10_000,
  expectedStatusMin: 200,
  expectedStatusMax: 399,
  keyword: null,
  requestHeaders: { 'x-one': '1' },
  requestBody: null,
  options: { json_path: 'a.b', expected_value: null },
}

/** The rules that every bus keeps. `open` gives a fresh pair of sides that can reach each other. */
export function busContract(name: string, open: () => Promise<BusPair>): void {
  const itWith = (sentence: string, test: (pair: BusPair) => Promise<void>): void => {
    it(sentence, async () => {
      const pair = await open()
      try {
        await test(pair)
      } finally {
        await pair.close()
      }
    })
  }

  describe(`the bus: ${name}`, () => {
    itWith('brings assignments to the prober they are for, and to no other', async ({ engine, prober }) => {
      const mine: Assignment[] = []
      const others: Assignment[] = []
      prober.onAssignments('here', 'p1', (list) => mine.push(...list))
      prober.onAssignments('here', 'p2', (list) => others.push(...list))
      const assignment = { monitorId, version: 3, round: 1_763_744_400_123_456 }
      await until('the assignment arrives', async () => {
        if (mine.length === 0) engine.assign('here', 'p1', [assignment])
        return mine.length > 0
      })
      assert.deepEqual(mine[0], assignment)
      assert.deepEqual(others, [])
      engine.assign('nowhere', 'p1', [assignment])
    })

    itWith('passes on every member of a result', async ({ engine, prober }) => {
      const received: Result[] = []
      await takeAll(engine, async (results) => {
        received.push(...results)
      })
      const sent = [resultOf(1), resultOf(2, 'Zeile\n"ä"'), { ...resultOf(3), verdict: null }]
      await prober.publishResults('here', sent)
      await until('the results arrive', async () => received.length === 3)
      assert.deepEqual(received, sent)
    })

    itWith('carries the largest evidence of many failures', async ({ engine, prober }) => {
      const received: Result[] = []
      await takeAll(engine, async (results) => {
        received.push(...results)
      })
      const evidence = fitEvidence(testEvidence({ details: { long: '"'.repeat(15_000) } }))
      const sent = Array.from({ length: 40 }, (_, index) => Object.assign(resultOf(index + 1), { evidence }))
      await prober.publishResults('here', sent)
      await until('the results arrive', async () => received.length === sent.length)
      assert.ok(received.every((result) => result.evidence?.details['long'] === evidence.details['long']))
    })

    itWith('brings what was published until the handler has taken it', async ({ engine, prober }) => {
      let tries = 0
      const stored = new Set<number>()
      await takeAll(engine, async (results) => {
        tries += 1
        if (tries < 3) throw new Error('the database is away')
        for (const { round } of results) stored.add(round)
      })
      // A sender publishes until it is told that the results are durable.
      while (
        !(await prober.publishResults('here', [resultOf(1)]).then(
          () => true,
          () => false,
        ))
      );
      await until('the result is stored', async () => stored.has(1))
      assert.ok(tries >= 3)
    })

    itWith('keeps results for an engine that is not there yet', async ({ engine, prober }) => {
      const publication = prober.publishResults('here', [resultOf(7)])
      const received: Result[] = []
      await takeAll(engine, async (results) => {
        received.push(...results)
      })
      await publication
      await until('the result arrives', async () => received.length > 0)
      assert.deepEqual(received, [resultOf(7)])
    })

    itWith('carries many and large results in messages of bounded size', async ({ engine, prober }) => {
      const sizes: number[] = []
      const rounds = new Set<number>()
      await takeAll(engine, async (results) => {
        sizes.push(results.length)
        for (const { round } of results) rounds.add(round)
      })
      const large = Array.from({ length: 1_000 }, (_, index) => resultOf(index, 'ü'.repeat(500)))
      await prober.publishResults('here', large)
      await until('all arrive', async () => rounds.size === 1_000)
      assert.ok(Math.max(...sizes) <= 100)
    })

    itWith('sends no results of another location', async ({ engine, prober }) => {
      const received: Result[] = []
      await takeAll(engine, async (results) => {
        received.push(...results)
      })
      await assert.rejects(prober.publishResults('here', [resultOf(1), { ...resultOf(2), location: 'there' }]))
      await prober.publishResults('here', [resultOf(3)])
      await until('the last one arrives', async () => received.length > 0)
      assert.deepEqual(received, [resultOf(3)])
    })

    itWith('holds and releases partitions again and again', async ({ engine, prober }) => {
      const rounds = new Set<number>()
      await engine.releasePartitions(allPartitions)
      await takeAll(engine, async (results) => {
        for (const { round } of results) rounds.add(round)
      })
      await engine.holdPartitions(allPartitions)
      await engine.releasePartitions(allPartitions)
      await engine.holdPartitions(allPartitions)
      await prober.publishResults('here', [resultOf(1)])
      await until('the result arrives', async () => rounds.has(1))
      assert.equal(engine.isConnected(), true)
    })

    itWith('says when all that was durable is heard', async ({ engine, prober }) => {
      const rounds = new Set<number>()
      await takeAll(engine, async (results) => {
        for (const { round } of results) rounds.add(round)
      })
      assert.equal(await engine.hasHeard(allPartitions), true)
      await prober.publishResults('here', [resultOf(1)])
      assert.equal(await engine.hasHeard(allPartitions), true)
      assert.ok(rounds.has(1))
    })

    itWith('answers requests for configurations, with the location that asks', async ({ engine, prober }) => {
      const asked: unknown[] = []
      engine.onConfigurationRequest(async (location, ids) => {
        asked.push([location, ids])
        return [configuration]
      })
      assert.deepEqual(await prober.requestConfigurations('here', [monitorId, 'gone']), [configuration])
      assert.deepEqual(asked, [['here', [monitorId, 'gone']]])
    })

    itWith('answers with many large configurations', async ({ engine, prober }) => {
      const body = 'ß'.repeat(10_000)
      engine.onConfigurationRequest(async (_location, ids) =>
        ids.map((id) => ({ ...configuration, monitorId: id, requestBody: body })),
      )
      const ids = Array.from({ length: 200 }, (_, index) => `monitor ${index}`)
      const answered = await prober.requestConfigurations('here', ids)
      assert.deepEqual(
        answered.map(({ monitorId: id }) => id),
        ids,
      )
      assert.ok(answered.every(({ requestBody }) => requestBody === body))
    })

    itWith('rejects a request that could not be answered', async ({ engine, prober }) => {
      let asked = 0
      engine.onConfigurationRequest(async () => {
        asked += 1
        throw new Error('the database is away')
      })
      await assert.rejects(prober.requestConfigurations('here', [monitorId]))
      assert.equal(asked, 1)
    })

    itWith('has one prober try a configuration, and brings back what it says', async ({ engine, prober }) => {
      const tried: CheckConfiguration[] = []
      const { verdict } = resultOf(0, 'Zeile\n"ä"')
      prober.onTrials('here', 'p1', async (given) => {
        tried.push(given)
        return given.url === 'https://silent.example' ? null : verdict
      })
      prober.onTrials('here', 'p2', () => assert.fail('the other prober was asked'))
      // A subscription takes a moment to be known.
      const trial = async (asked: Partial<CheckConfiguration>): Promise<Verdict | null | undefined> =>
        engine
          .tryCheck('here', 'p1', { configuration: { ...configuration, ...asked }, withinMs: 1_000 })
          .catch(() => undefined)
      let answered: Verdict | null | undefined
      await until('the answer arrives', async () => {
        answered = await trial({ monitorId: randomUUID() })
        return answered !== undefined
      })
      assert.deepEqual(answered, verdict)
      assert.deepEqual(tried.at(-1), { ...configuration, monitorId: tried.at(-1)?.monitorId })
      assert.equal(await trial({ monitorId: randomUUID(), url: 'https://silent.example' }), null)
    })

    itWith('brings an answer to a trial whose prober has ended', async ({ engine, prober }) => {
      const { verdict } = resultOf(0, 'ended')
      const asked = { ...configuration, monitorId: randomUUID() }
      const trial = engine.tryCheck('here', 'p1', { configuration: asked, withinMs: 5_000 })
      let answered: Verdict | null | undefined
      void trial.then((answer) => (answered = answer))
      // The answer comes by another connection, on which it may overtake that somebody listens.
      await until('the answer arrives', async () => {
        prober.answerTrial('here', randomUUID(), null)
        prober.answerTrial('here', asked.monitorId, verdict)
        return answered !== undefined
      })
      assert.deepEqual(await trial, verdict)
    })

    itWith('gives up a trial that no prober answers, or that fits in no message', async ({ engine, prober }) => {
      prober.onTrials('here', 'p1', () => new Promise(() => {}))
      const ask = (changes: Partial<CheckConfiguration>): Promise<Verdict | null> =>
        engine.tryCheck('here', 'p1', { configuration: { ...configuration, ...changes }, withinMs: 200 })
      await assert.rejects(ask({}), /in time/)
      await assert.rejects(ask({ requestBody: 'x'.repeat(600_000) }), /too large/)
    })

    itWith('brings routes to the engine, with their location', async ({ engine, prober }) => {
      const heard: unknown[] = []
      engine.onRoutes((location, taken) => heard.push([location, taken]))
      const taken = { monitorId, isFailure: true, agoMs: 1_500, route: testRoute() }
      await until('one arrives', async () => {
        prober.tellRoute('here', taken)
        return heard.length > 0
      })
      assert.deepEqual(heard[0], ['here', taken])
    })

    itWith('loses routes of which no engine hears', async ({ prober }) => {
      prober.tellRoute('here', { monitorId, isFailure: false, agoMs: 0, route: testRoute() })
      await assert.doesNotReject(async () => prober.announce({ location: 'here', prober: 'p1', isLeaving: false }))
    })

    itWith('tells of presence and of changes', async ({ engine, prober }) => {
      const presences: Presence[] = []
      const changes: unknown[] = []
      engine.onPresence((presence) => presences.push(presence))
      engine.onChange((change) => changes.push(change))
      const presence = { location: 'here', prober: 'p1', isLeaving: false }
      await until('both arrive', async () => {
        prober.announce(presence)
        engine.announceChange({ monitorId, partition: 21 })
        return presences.length > 0 && changes.length > 0
      })
      assert.deepEqual(presences[0], presence)
      assert.deepEqual(changes[0], { monitorId, partition: 21 })
    })
  })
}

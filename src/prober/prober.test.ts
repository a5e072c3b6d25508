import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, it } from 'node:test'
import type { Presence, ProberBus } from '#bus/bus.ts'
import type { Assignment, CheckConfiguration } from '#core/monitors/check.ts'
import { noPhases, type Result, type Verdict } from '#core/results/result.ts'
import type { ProbedKind } from '#core/monitors/kind-traits.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'
import { createTraffic } from '#net/ground/trace.ts'
import { firmGround, lostGround } from '../../test/support/ground.ts'
import { noNet } from '../../test/support/net.ts'
import { pause } from '../../test/support/pause.ts'
import { until } from '../../test/support/until.ts'
import { systemTime } from '#time/time.ts'
import { startProber, type ProberOptions } from './prober.ts'
import { watchStalls } from './stall.ts'
import { createTally, type ProberCounts } from './tally.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} }
const down: Verdict = { ...up, status: 'down', statusCode: null, error: 'Connection refused' }

function configurationOf(monitorId: string, version: number): CheckConfiguration {
  return {
    monitorId,
    version,
    kind: 'http',
    url: 'https://example.com',
    method: 'GET',
    timeoutMs: 500,
    expectedStatusMin: 200,
    expectedStatusMax: 399,
    keyword: null,
    requestHeaders: {},
    requestBody: null,
    options: {},
  }
}

type Bench = {
  assign: (list: Assignment[]) => void
  results: Result[]
  asked: string[][]
  warnings: string[]
  counts: () => ProberCounts | null
  stop: () => Promise<void>
}

/** A prober whose bus, kind and watched event loop the test plays. */
function bench(options: {
  check: AnyKind['check']
  kind?: ProbedKind
  bus?: Partial<ProberBus>
  ground?: Partial<ProberOptions['ground']>
}): Bench {
  let assign: Bench['assign'] | null = null
  const results: Result[] = []
  const asked: string[][] = []
  const warnings: string[] = []
  const stalls = watchStalls()
  const tally = createTally()
  const prober = startProber({
    location: 'here',
    locationName: 'Here',
    name: 'p1',
    witness: 'this machine',
    time: systemTime,
    random: Math.random,
    bus: {
      announce: () => {},
      tellRoute: () => {},
      onAssignments: (_location, _prober, handler) => {
        assign = handler
        return () => {}
      },
      requestConfigurations: async (_location, ids) => {
        asked.push(ids)
        return ids.filter((id) => id !== 'gone').map((id) => configurationOf(id, 2))
      },
      publishResults: async (_location, list) => {
        results.push(...structuredClone(list))
      },
      onTrials: () => () => {},
      answerTrial: () => {},
      ...options.bus,
    },
    net: noNet,
    kinds: { [options.kind ?? 'http']: async () => ({ check: options.check, secretOptions: [] }) },
    stalls,
    observer: tally,
    ground: { ...firmGround, ...options.ground },
    traffic: createTraffic(),
    marks: { of: () => ({ check: 1, text: '', tookMs: 0 }), tookMs: () => 0 },
    asides: { reasonFor: () => null, monitors: () => [] },
    log: {
      warn: (message) => warnings.push(message),
      warnRarely: (message, { error }) => warnings.push(`${message} ${String(error)}`),
    },
  })
  let ended: Promise<void> | null = null
  const stop = (): Promise<void> => (ended ??= prober.stop().finally(() => stalls.stop()))
  // A test that fails leaves no timers, which would keep its process for ever.
  after(stop)
  const counts = (): ProberCounts | null => tally.take({ ...prober.load(), stalls: stalls.stalls })
  return { assign: (list) => assign?.(list), results, asked, warnings, counts, stop }
}

function many(from: number, count: number): Assignment[] {
  return Array.from({ length: count }, (_, index) => ({ monitorId: `m${from + index}`, version: 1, round: 1 }))
}

function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

describe('the prober', () => {
  it('tells what it saw where it is asked to, of a monitor that keeps evidence, unless it has evidence to tell', async () => {
    const evidence = { keepsBodies: true, rounds: 1 }
    const { assign, results, stop } = bench({
      check: async ({ monitorId }) => (monitorId === 'down' ? down : up),
      bus: {
        requestConfigurations: async (_location, ids) =>
          ids.map((id) => ({ ...configurationOf(id, 1), ...(id === 'plain' ? {} : { evidence }) })),
      },
    })
    const ids = ['up', 'down', 'plain']
    assign(ids.map((monitorId) => ({ monitorId, version: 1, round: 1, wantsView: true as const })))
    await until('three results', async () => results.length === 3)
    assign(ids.map((monitorId) => ({ monitorId, version: 1, round: 2, wantsView: true as const })))
    await until('six results', async () => results.length === 6)
    assign(ids.map((monitorId) => ({ monitorId, version: 1, round: 3 })))
    await until('nine results', async () => results.length === 9)
    const told = results.map(({ monitorId, round, view, evidence: kept }) => [
      `${monitorId} ${round}`,
      [view?.status, kept?.error],
    ])
    assert.deepEqual(Object.fromEntries(told), {
      'up 1': ['up', undefined],
      'up 2': ['up', undefined],
      'up 3': [undefined, undefined],
      'down 1': [undefined, 'Connection refused'],
      'down 2': ['down', undefined],
      'down 3': [undefined, undefined],
      'plain 1': [undefined, undefined],
      'plain 2': [undefined, undefined],
      'plain 3': [undefined, undefined],
    })
    await stop()
  })

  it('asks for a configuration once and again only when an assignment names a newer version', async () => {
    const { assign, results, asked, stop } = bench({ check: async () => up })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('a first result', async () => results.length === 1)
    assign([{ monitorId: 'm', version: 2, round: 2 }])
    await until('a second result', async () => results.length === 2)
    assign([{ monitorId: 'm', version: 3, round: 3 }])
    await until('a third result', async () => results.length === 3)
    assert.deepEqual(asked, [['m'], ['m']])
    assert.deepEqual(
      results.map(({ round, version, location }) => [round, version, location]),
      [
        [1, 2, 'here'],
        [2, 2, 'here'],
        [3, 2, 'here'],
      ],
      'a result names the version that was checked',
    )
    await stop()
  })

  it('forgets assignments of monitors that are gone, and goes on', async () => {
    const { assign, results, stop } = bench({ check: async () => up })
    assign([
      { monitorId: 'gone', version: 1, round: 1 },
      { monitorId: 'm', version: 1, round: 1 },
    ])
    await until('the other result', async () => results.length === 1)
    assert.equal(results[0]?.monitorId, 'm')
    await stop()
  })

  it('asks again for what could not be read, as long as the check is of use', async () => {
    let refusals = 2
    const { assign, results, stop } = bench({
      check: async () => up,
      bus: {
        requestConfigurations: async (_location, ids) => {
          refusals -= 1
          if (refusals >= 0) throw new Error('The database is away.')
          return ids.map((id) => configurationOf(id, 1))
        },
      },
    })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('its result', async () => results.length === 1)
    assert.deepEqual([results[0]?.round, refusals], [1, -1])
    await stop()
  })

  it('gives a check the time that its kind needs, whatever the timeout of the monitor', async () => {
    const { assign, results, stop } = bench({
      kind: 'repository',
      bus: {
        requestConfigurations: async (_location, ids) =>
          ids.map((id) => ({ ...configurationOf(id, 1), kind: 'repository', timeoutMs: 20 })),
      },
      check: async (_configuration, _net, signal) => {
        await pause(60)
        return signal.aborted ? down : up
      },
    })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('the result', async () => results.length === 1)
    assert.equal(results[0]?.verdict?.status, 'up')
    await stop()
  })

  it('says that it does not know a kind of a later release, and tells nothing of the target', async () => {
    const later: Partial<CheckConfiguration> = JSON.parse('{"kind":"of_a_later_release"}')
    const { assign, results, warnings, stop } = bench({
      bus: {
        requestConfigurations: async (_location, ids) => ids.map((id) => ({ ...configurationOf(id, 1), ...later })),
      },
      check: async () => assert.fail('a check was made'),
    })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('the result', async () => results.length === 1)
    assert.equal(results[0]?.verdict, null)
    assert.match(warnings.join(), /This location does not know the kind of_a_later_release\./)
    await stop()
  })

  it('makes a check again when its own event loop stood still meanwhile', async () => {
    let checks = 0
    const { assign, results, stop } = bench({
      check: async () => {
        checks += 1
        if (checks === 1) block(400)
        return checks === 1 ? down : up
      },
    })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('a result', async () => results.length === 1)
    assert.equal(checks, 2)
    assert.equal(results[0]?.verdict?.status, 'up')
    await stop()
  })

  it('tells nothing of a failure while its machine had no network', async () => {
    const { assign, results, stop } = bench({ check: async () => down, ground: lostGround })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('a result', () => results.length === 1)
    assert.equal(results[0]?.verdict, null)
    await stop()
  })

  it('says on which machine it stands, and for how long that has had no network', async () => {
    const said: Presence[] = []
    let lostForMs: number | null = null
    const { stop } = bench({
      check: async () => up,
      bus: { announce: (presence) => said.push(presence) },
      ground: { lostForMs: () => lostForMs },
    })
    assert.deepEqual([said[0]?.witness, said[0]?.lostNetworkMs], ['this machine', undefined])
    lostForMs = 3_500.4
    await until('it says so', async () => said.at(-1)?.lostNetworkMs === 3_500)
    lostForMs = null
    await until('it is back', async () => said.at(-1)?.lostNetworkMs === undefined)
    await stop()
  })

  it('reports no data for a check that ends in an error of our own, and says so', async () => {
    const { assign, results, warnings, stop } = bench({ check: async () => assert.fail('a bug') })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('a result', async () => results.length === 1)
    assert.equal(results[0]?.verdict, null)
    assert.match(warnings.join(), /error of our own/)
    await stop()
  })

  it('shows on the monitor what its location lacks, as degraded, which opens no incident', async () => {
    const lacks = new MissingMeans('Ping is not permitted at this location: ask its operator', new Error('EACCES'))
    const { assign, results, warnings, stop } = bench({ check: () => Promise.reject(lacks) })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('a result', async () => results.length === 1)
    const { status, error, latencyMs } = results[0]?.verdict ?? assert.fail('no verdict')
    assert.deepEqual([status, error, latencyMs], ['degraded', lacks.message, null])
    assert.match(warnings.join(), /Ping is not permitted at this location/)
    await stop()
  })

  it('tells nothing about a target when this machine is short of something now', async () => {
    const short = new OwnTrouble('EMFILE', new Error('EMFILE'))
    const { assign, results, stop } = bench({ check: () => Promise.reject(short) })
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('a result', async () => results.length === 1)
    assert.equal(results[0]?.verdict, null)
    await stop()
  })

  it('goes on checking while two thousand targets hang', async () => {
    let doHang = false
    const { assign, results, stop } = bench({
      check: async ({ monitorId }, _net, signal) => {
        if (doHang && monitorId !== 'well') await once(signal, 'abort')
        return up
      },
    })
    const ids = [...Array.from({ length: 2_000 }, (_, index) => `m${index}`), 'well']
    assign(ids.map((monitorId) => ({ monitorId, version: 1, round: 1 })))
    await until('a result of each', async () => results.length === ids.length)
    doHang = true
    assign(ids.map((monitorId) => ({ monitorId, version: 1, round: 2 })))
    await until('another result', async () => results.length > ids.length)
    assert.equal(results[ids.length]?.monitorId, 'well')
    await stop()
  })

  it('finds a place at once for a check of another share than that of which thousands hang', async () => {
    let doHang = false
    const { assign, results, counts, stop } = bench({
      check: async ({ monitorId }, _net, signal) => {
        if (doHang && monitorId !== 'well') await once(signal, 'abort')
        return up
      },
      bus: {
        requestConfigurations: async (_location, ids) =>
          ids.map((id) => ({ ...configurationOf(id, 1), timeoutMs: 5_000, shareKey: id === 'well' ? 'b' : 'a' })),
      },
    })
    const ids = Array.from({ length: 6_000 }, (_, index) => `m${index}`)
    assign([...ids, 'well'].map((monitorId) => ({ monitorId, version: 1, round: 1 })))
    await until('a result of each', async () => results.length === ids.length + 1)
    doHang = true
    assign(ids.map((monitorId) => ({ monitorId, version: 1, round: 2 })))
    await until('they have all the places that they get', () => counts()?.running === 3_072)
    assign([{ monitorId: 'well', version: 1, round: 2 }])
    await until('another result', () => results.length > ids.length + 1, 3_000)
    assert.equal(results[ids.length + 1]?.monitorId, 'well')
    await stop()
  })

  it('ends a check at the timeout of its monitor', async () => {
    const { assign, results, stop } = bench({
      check: (_configuration, _net, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(down))
        }),
    })
    const startedMs = performance.now()
    assign([{ monitorId: 'm', version: 1, round: 1 }])
    await until('a result', async () => results.length === 1)
    const tookMs = performance.now() - startedMs
    assert.ok(tookMs >= 490 && tookMs < 5_000, `it took ${tookMs} ms`)
    await stop()
  })

  it('sends what is left when it stops', async () => {
    let begun = 0
    const check = async (): Promise<Verdict> => {
      begun += 1
      return up
    }
    const { assign, results, stop } = bench({ check })
    assign(Array.from({ length: 350 }, (_, index) => ({ monitorId: `m${index}`, version: 1, round: 1 })))
    await until('checks have begun', async () => results.length > 0)
    await stop()
    assert.ok(begun >= 64, `${begun} checks of one turn`)
    assert.equal(results.length, begun)
  })

  it('tells what its checks came to and how full it is', async () => {
    const verdicts: (Verdict | Error)[] = [up, down, new OwnTrouble('EMFILE', new Error('no sockets'))]
    const { assign, results, counts, stop } = bench({
      check: async () => {
        const verdict = verdicts.shift() ?? up
        if (verdict instanceof Error) throw verdict
        return verdict
      },
    })
    assert.deepEqual(counts()?.checks, [])
    for (const round of [1, 2, 3]) {
      assign([{ monitorId: 'm', version: 1, round }])
      await until('its result', async () => results.length === round)
    }
    const told = counts()
    assert.deepEqual(
      told?.checks.map(({ kind, status, checks }) => [kind, status, checks]),
      [
        ['http', 'up', 1],
        ['http', 'down', 1],
        ['http', 'none', 1],
      ],
    )
    assert.deepEqual([told.running, told.waiting, told.refused, told.dropped], [0, 0, 0, 0])
    await stop()
    assign([{ monitorId: 'm', version: 1, round: 4 }])
    assert.equal(counts()?.refused, 1)
  })

  it('counts the assignments for which it has no room, and takes as many as it has room for', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<CheckConfiguration[]>()
    const { assign, counts, stop } = bench({
      check: async () => up,
      bus: { requestConfigurations: () => answered },
    })
    assign(many(0, 30_000))
    assign(many(30_000, 30_000))
    const full = counts()
    assert.deepEqual([full?.waiting, full?.refused], [50_000, 10_000])
    answer([])
    await stop()
  })
})

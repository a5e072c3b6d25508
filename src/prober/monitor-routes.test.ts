import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TakenRoute } from '#core/incidents/route.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { configuration } from '../../test/support/bus-contract.ts'
import { testRoute } from '../../test/support/routes.ts'
import { type CheckedTarget, createMonitorRoutes, type MonitorRoutes } from './monitor-routes.ts'
import type { FoundRoute, WantedRoute } from './route-traces.ts'

const dayMs = 24 * 3_600_000
const evidence = { keepsBodies: true, rounds: 1 }

type Bench = {
  routes: MonitorRoutes
  wanted: WantedRoute[]
  told: TakenRoute[]
  /** What is found from now on. */
  find: (found: FoundRoute | null) => void
  pass: (ms: number) => void
}

function bench(limit?: number): Bench {
  const [wanted, told]: [WantedRoute[], TakenRoute[]] = [[], []]
  let nowMs = 1_000
  let found: FoundRoute | null = { route: testRoute(), takenMs: 0 }
  const routes = createMonitorRoutes({
    location: 'here',
    bus: { tellRoute: (_location, taken) => told.push(taken) },
    traces: {
      find: async (one) => {
        wanted.push(one)
        return found
      },
      stop: () => {},
    },
    time: { steadyMs: () => nowMs },
    random: () => 0.5,
    ...(limit === undefined ? {} : { limit }),
  })
  const find = (next: FoundRoute | null): void => void (found = next)
  return { routes, wanted, told, find, pass: (ms) => void (nowMs += ms) }
}

type Parts = Partial<CheckedTarget> & { about?: Partial<CheckConfiguration> }

function up({ about = {}, ...parts }: Parts = {}): CheckedTarget {
  const of = { ...configuration, evidence, ...about }
  return { configuration: of, status: 'up', hasEvidence: false, address: '203.0.113.7', ...parts }
}

function down(parts: Parts = {}): CheckedTarget {
  return up({ status: 'down', hasEvidence: true, ...parts })
}

/** In how many of these rounds it was looked for. */
function rounds({ routes, wanted, pass }: Bench, times: number, everyMs: number): number {
  const before = wanted.length
  for (let round = 0; round < times; round += 1) {
    routes.checked(up())
    pass(everyMs)
  }
  return wanted.length - before
}

describe('the route after a failure', () => {
  it('is looked for where evidence is made, and told with how long ago that was', async () => {
    const { routes, wanted, told } = bench()
    routes.checked(down({ address: '::ffff:203.0.113.7' }))
    await nextTurn()
    assert.deepEqual(wanted, [{ address: '203.0.113.7', isFailure: true, mayReachPrivate: false }])
    const { monitorId } = configuration
    assert.deepEqual(told, [{ monitorId, isFailure: true, agoMs: 1_000, route: testRoute() }])
  })

  const none: [what: string, checked: CheckedTarget][] = [
    ['there is no evidence', down({ hasEvidence: false })],
    ['nothing was dialled', down({ address: null })],
    ['the location could not tell', down({ status: null })],
    ['the monitor keeps nothing', { ...down(), configuration }],
    ['the way is that of a proxy', down({ about: { options: { proxy: 'http://proxy.example:3128' } } })],
    ['the kind dials somebody else', down({ about: { kind: 'dns' } })],
    ['the address is none', down({ address: 'nowhere' })],
  ]
  for (const [what, checked] of none)
    it(`is none where ${what}`, async () => {
      const { routes, wanted, told, pass } = bench()
      for (let day = 0; day < 3; day += 1) {
        routes.checked(checked)
        pass(dayMs)
      }
      await nextTurn()
      assert.deepEqual([wanted, told], [[], []])
    })

  it('is told once of each monitor, though it is found for several rounds', async () => {
    const { routes, told, find } = bench()
    for (const monitorId of ['a', 'a', 'b', 'a']) {
      routes.checked(down({ about: { monitorId } }))
      await nextTurn()
    }
    assert.deepEqual(
      told.map(({ monitorId }) => monitorId),
      ['a', 'b'],
    )
    find({ route: testRoute({ end: 'silent' }), takenMs: 900 })
    routes.checked(down({ about: { monitorId: 'a' } }))
    await nextTurn()
    assert.deepEqual([told.length, told.at(-1)?.route.end], [3, 'silent'])
    find(null)
    routes.checked(down({ about: { monitorId: 'a' } }))
    await nextTurn()
    assert.equal(told.length, 3)
  })

  it('may lead into the own network where the check may', async () => {
    const { routes, wanted } = bench()
    routes.checked(down({ about: { mayReachPrivate: true } }))
    assert.equal(wanted[0]?.mayReachPrivate, true)
  })
})

describe('the route while a monitor is up', () => {
  it('is looked for within an hour, and then once a day', async () => {
    const made = bench()
    assert.equal(rounds(made, 30, 60_000), 0)
    assert.equal(rounds(made, 1, 60_000), 1)
    assert.equal(rounds(made, 24 * 60 - 1, 60_000), 0)
    assert.equal(rounds(made, 10 * 24 * 60, 60_000), 10)
    await nextTurn()
    assert.ok(made.told.every(({ isFailure }) => !isFailure))
  })

  it('is looked for again soon where there was no room, and where the monitor was changed', async () => {
    const made = bench()
    made.find(null)
    assert.equal(rounds(made, 31, 60_000), 1)
    await nextTurn()
    assert.equal(rounds(made, 15, 60_000), 0)
    assert.equal(rounds(made, 1, 60_000), 1)
    const changed = up({ about: { version: 4 } })
    made.routes.checked(changed)
    made.pass(5 * 60_000)
    made.routes.checked(changed)
    assert.equal(made.wanted.length, 3)
  })

  it('is none of a monitor that is degraded', () => {
    const made = bench()
    rounds(made, 1, dayMs)
    made.routes.checked(up({ status: 'degraded' }))
    assert.deepEqual(made.wanted, [])
  })

  it('is remembered of so many monitors, and of others once those are not checked any more', () => {
    const made = bench(2)
    const check = (ids: string[]): number => {
      for (const monitorId of ids) made.routes.checked(up({ about: { monitorId } }))
      return made.wanted.length
    }
    check(['a', 'b', 'c'])
    made.pass(3_600_000)
    assert.equal(check(['a', 'b', 'c']), 2)
    made.pass(3 * dayMs)
    assert.equal(check(['c']), 2)
    made.pass(3_600_000)
    assert.equal(check(['c']), 3)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TakenRoute } from '#core/incidents/route.ts'
import type { NewRoute } from '#store/incidents/routes.ts'
import { systemTime } from '#time/time.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { createRouteKeeper, type RouteKeeper } from './route-keeper.ts'

const monitorId = '9fb69823-eecf-4b04-81a4-fc97a5730895'
const nowMs = Date.parse('2026-05-04T12:00:00Z')

function taken(parts: Partial<TakenRoute> = {}): TakenRoute {
  return { monitorId, isFailure: true, agoMs: 2_000, route: testRoute(), ...parts }
}

type Bench = { keeper: RouteKeeper; kept: NewRoute[]; lost: object[]; pass: (ms: number) => void }

function bench(answering: () => Promise<void> = async () => {}): Bench {
  const kept: NewRoute[] = []
  const lost: object[] = []
  let steadyMs = 0
  const keeper = createRouteKeeper({
    keep: async (route) => {
      await answering()
      kept.push(route)
    },
    onLost: (details) => lost.push(details),
    time: { ...systemTime, nowMs: () => nowMs, steadyMs: () => steadyMs },
  })
  return { keeper, kept, lost, pass: (ms) => void (steadyMs += ms) }
}

describe('routes that come from locations', () => {
  it('are kept with the time at which they were taken, by the clock of the engine', async () => {
    const { keeper, kept, lost } = bench()
    keeper.note('amsterdam', taken())
    await keeper.close()
    const takenAt = new Date(nowMs - 2_000)
    assert.deepEqual(kept, [{ monitorId, location: 'amsterdam', isFailure: true, takenAt, route: testRoute() }])
    assert.deepEqual(lost, [])
  })

  it('are of monitors alone', async () => {
    const { keeper, kept } = bench()
    for (const id of ['', 'x', "'; drop table monitors", `${monitorId} `])
      keeper.note('amsterdam', taken({ monitorId: id }))
    await keeper.close()
    assert.deepEqual(kept, [])
  })

  it('wait for the database, 256 of them, and others are lost, which is told once a minute', async () => {
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    const { keeper, kept, lost, pass } = bench(() => answering)
    for (let count = 0; count < 260; count += 1) keeper.note('amsterdam', taken({ agoMs: count }))
    assert.deepEqual(lost, [{ count: 1 }])
    pass(60_000)
    keeper.note('amsterdam', taken())
    assert.deepEqual(lost, [{ count: 1 }, { count: 3 }])
    answer()
    await keeper.close()
    assert.equal(kept.length, 257)
  })

  it('are lost where the database refuses them, and later ones are kept', async () => {
    let isRefusing = true
    const { keeper, kept, lost } = bench(async () => {
      if (isRefusing) throw new Error('the database is away')
    })
    keeper.note('amsterdam', taken())
    await keeper.close()
    assert.deepEqual(lost, [{ count: 1, error: 'Error: the database is away' }])
    isRefusing = false
    keeper.note('amsterdam', taken())
    await keeper.close()
    assert.equal(kept.length, 1)
  })
})

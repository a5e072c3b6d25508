import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import type { TakenRoute } from '#core/incidents/route.ts'
import { assign, playThread, tcpCheck } from '../../test/support/played-thread.ts'
import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'

for (const [where, options] of [
  ['a thread', {}],
  ['a process of its own', { apart: { environment: {} } }],
] as const)
  it(`the route follows the result of a failure that is kept, from ${where}, once of each monitor`, async () => {
    const played = playThread(options)
    const { bus, present } = played
    const url = `127.0.0.1:${await freePort()}`
    const [kept, shared, plain] = [randomUUID(), randomUUID(), randomUUID()]
    const said: string[] = []
    const routes: TakenRoute[] = []
    bus.onConfigurationRequest(async (_location, ids) =>
      ids.map((id) => {
        const check = tcpCheck(id, url)
        return id === plain ? check : { ...check, evidence: { keepsBodies: true, rounds: 2 } }
      }),
    )
    bus.onResults(async (results) => {
      for (const { monitorId, evidence } of results)
        said.push(`${monitorId} ${evidence === undefined ? 'result' : 'evidence'}`)
    })
    bus.onRoutes((location, taken) => {
      assert.equal(location, 'here')
      said.push(`${taken.monitorId} route`)
      routes.push(taken)
    })
    await until('it is there', () => present.length > 0, 20_000)
    assign(played, [plain, kept, shared], Date.now() * 1000)
    await until('its routes', () => routes.length === 2, 20_000)
    assign(played, [plain, kept, shared], Date.now() * 1000)
    await until('its results', () => said.length === 8, 20_000)
    for (const id of [kept, shared])
      assert.deepEqual(
        said.filter((each) => each.startsWith(id)),
        [`${id} evidence`, `${id} route`, `${id} evidence`],
      )
    assert.deepEqual(
      said.filter((each) => each.startsWith(plain)),
      [`${plain} result`, `${plain} result`],
    )
    // Where no socket is permitted, the location says so.
    for (const { isFailure, agoMs, route } of routes) {
      assert.ok(isFailure && agoMs >= 0)
      assert.equal(route.address, '127.0.0.1')
      assert.ok(route.end === 'reached' ? route.hops.length === 1 : route.end === 'not_available')
    }
    await played.stop()
  })

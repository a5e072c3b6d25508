import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { incidentEvidenceSchema } from '#core/incidents/evidence.ts'
import { monitorRouteSchema } from '#core/incidents/route.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { keepEvidence } from '#store/incidents/evidence.ts'
import { keepRoute } from '#store/incidents/routes.ts'
import { testApi } from '../../../test/support/api.ts'
import { testEvidence } from '../../../test/support/evidence.ts'
import { testHop, testRoute } from '../../../test/support/routes.ts'
import { addRunningIncident, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { incidentEvidenceOperations } from './incident-evidence.ts'
import { monitorRouteOperations } from './monitor-routes.ts'

const operations = [...monitorOperations, ...incidentEvidenceOperations]
const now = new Date('2026-11-21T12:00:00.000Z')
const before = new Date('2026-11-21T11:50:00.000Z')

describe('the evidence of an incident', async () => {
  const api = await testApi({ operations, now: () => now })

  it('is shown by location, with the cause in a sentence, to callers of the write scope', async () => {
    const monitor = await createMonitor(api, { keep_evidence: true })
    const id = await addRunningIncident(api.database, monitor, before)
    const failure = { phase: 'request', code: 'timed_out' }
    const phases = { ...testEvidence().phases, connect_ms: 12 }
    const evidence = testEvidence({ failure, phases })
    const piece = { incidentId: id, monitorId: monitor.id, round: before.getTime() * 1000, cause: 'error x', evidence }
    const pieces = ['boston', 'amsterdam'].map((location) => Object.assign({ location }, piece))
    await keepEvidence(api.database, api.services.secrets, pieces)
    const { status, body } = await api.get(`/incidents/${id}/evidence`)
    assert.equal(status, 200)
    const { data } = z.object({ data: incidentEvidenceSchema }).parse(body)
    assert.equal(data.cause, 'The server accepts connections but never answers.')
    assert.deepEqual(
      data.evidence.map(({ location_code: code, location_name: name, seen_at: seenAt }) => [code, name, seenAt]),
      [
        ['amsterdam', 'Amsterdam', before.toISOString()],
        ['boston', 'Boston', before.toISOString()],
      ],
    )
    assert.equal(data.is_full, false)
    const asReader = await api.get(`/incidents/${id}/evidence`, { token: api.readToken })
    assert.deepEqual(refusalOf(asReader), [403, 'insufficient_scope'])
    const { token } = await api.addWorkspace()
    assert.equal((await api.get(`/incidents/${id}/evidence`, { token })).status, 404)
  })

  it('is empty where nothing was kept', async () => {
    const id = await addRunningIncident(api.database, await createMonitor(api), before)
    const { body } = await api.get(`/incidents/${id}/evidence`)
    assert.deepEqual(body, { data: { cause: null, disagreement: null, is_full: false, evidence: [], routes: [] } })
  })

  it('has the way to the target after its failures, beside what it was before, by location', async () => {
    const monitor = await createMonitor(api, { keep_evidence: true, locations: ['amsterdam', 'boston'] })
    const id = await addRunningIncident(api.database, monitor, before)
    const yesterday = new Date(before.getTime() - 86_400_000)
    const broken = testRoute({ end: 'silent', hops: [testHop(1), testHop(2, { address: null, received: 0 })] })
    const keep = (location: string, isFailure: boolean): Promise<void> =>
      keepRoute(api.database, api.services.secrets, {
        monitorId: monitor.id,
        location,
        isFailure,
        takenAt: isFailure ? before : yesterday,
        route: isFailure ? broken : testRoute(),
      })
    await keep('boston', false)
    for (const location of ['boston', 'amsterdam']) await keep(location, true)
    const { body } = await api.get(`/incidents/${id}/evidence`)
    const { data } = z.object({ data: incidentEvidenceSchema }).parse(body)
    const at = before.toISOString()
    const former = { taken_at: yesterday.toISOString(), ...testRoute() }
    assert.deepEqual(data.routes, [
      { location_code: 'amsterdam', location_name: 'Amsterdam', taken_at: at, ...broken, before: null },
      { location_code: 'boston', location_name: 'Boston', taken_at: at, ...broken, before: former },
    ])
  })
})

describe('the routes of a monitor', async () => {
  const api = await testApi({ operations: [...operations, ...monitorRouteOperations], now: () => now })
  const listed = z.object({ data: z.array(monitorRouteSchema) })

  it('are the newest of each location, for callers of the write scope', async () => {
    const monitor = await createMonitor(api, { keep_evidence: true, locations: ['amsterdam', 'boston'] })
    const path = `/monitors/${monitor.id}/routes`
    assert.deepEqual((await api.get(path)).body, { data: [] })
    const taken = { monitorId: monitor.id, takenAt: before, route: testRoute(), isFailure: false }
    for (const location of ['amsterdam', 'boston'])
      await keepRoute(api.database, api.services.secrets, { ...taken, location })
    const silent = { isFailure: true, takenAt: now, route: testRoute({ end: 'silent' }) }
    await keepRoute(api.database, api.services.secrets, { ...taken, location: 'boston', ...silent })
    const { data } = listed.parse((await api.get(path)).body)
    assert.deepEqual(
      data.map(({ location_name: name, is_failure: isFailure, end, taken_at: at }) => [name, isFailure, end, at]),
      [
        ['Amsterdam', false, 'reached', before.toISOString()],
        ['Boston', true, 'silent', now.toISOString()],
      ],
    )
    assert.deepEqual(refusalOf(await api.get(path, { token: api.readToken })), [403, 'insufficient_scope'])
    const { token } = await api.addWorkspace()
    assert.equal((await api.get(path, { token })).status, 404)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { incidentEvidenceSchema } from '#core/incidents/evidence.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { keepEvidence } from '#store/incidents/evidence.ts'
import { testApi } from '../../../test/support/api.ts'
import { testEvidence } from '../../../test/support/evidence.ts'
import { addRunningIncident, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { incidentEvidenceOperations } from './incident-evidence.ts'

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
    assert.deepEqual(body, { data: { cause: null, disagreement: null, is_full: false, evidence: [] } })
  })
})

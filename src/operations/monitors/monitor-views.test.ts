import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { incidentEvidenceSchema } from '#core/incidents/evidence.ts'
import { monitorViewsSchema, type View } from '#core/incidents/view.ts'
import { incidentEvidenceOperations } from '#operations/incidents/incident-evidence.ts'
import { keepEvidence } from '#store/incidents/evidence.ts'
import { keepViews } from '#store/incidents/views.ts'
import { testApi } from '../../../test/support/api.ts'
import { testEvidence } from '../../../test/support/evidence.ts'
import { addRunningIncident, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { testView } from '../../../test/support/views.ts'
import { monitorOperations } from './monitors.ts'
import { monitorViewOperations } from './monitor-views.ts'

const operations = [...monitorOperations, ...monitorViewOperations, ...incidentEvidenceOperations]
const now = new Date('2026-11-21T12:00:00.000Z')
const before = new Date('2026-11-21T11:50:00.000Z')
const [here, there] = ['203.0.113.5', '198.51.100.7']
const led = (address: string): Partial<View> => ({ addresses: { resolved: [address], dialled: [address] } })

describe('the views of a monitor', async () => {
  const api = await testApi({ operations, now: () => now })
  const locations = ['amsterdam', 'boston']

  async function keep(of: { monitorId: string; incidentId?: string }, at: Date, seen: Record<string, Partial<View>>) {
    const common = { incidentId: null, ...of, round: at.getTime() * 1000, version: 1 }
    const list = Object.entries(seen).map(([location, parts]) =>
      Object.assign({ location, view: testView(parts) }, common),
    )
    await keepViews(api.database, api.services.secrets, list)
  }
  async function read(path: string) {
    const { status, body } = await api.get(path)
    assert.equal(status, 200)
    return z.object({ data: monitorViewsSchema }).parse(body).data
  }

  it('are those of each location when it failed last, and say why they disagree', async () => {
    const { id: monitorId } = await createMonitor(api, { locations, keep_evidence: true })
    await keep({ monitorId }, before, { amsterdam: { status: 'down', ...led(here) } })
    await keep({ monitorId }, now, { amsterdam: led(there), boston: led(there), chennai: led(there) })
    const { disagreement, differs, views } = await read(`/monitors/${monitorId}/views`)
    assert.equal(disagreement, `Amsterdam was led to ${here}, Boston to ${there}.`)
    assert.deepEqual(differs, ['status', 'addresses'])
    assert.deepEqual(
      views.map(({ location_code: code, location_name: name, seen_at: at, status }) => [code, name, at, status]),
      [
        ['amsterdam', 'Amsterdam', before.toISOString(), 'down'],
        ['boston', 'Boston', now.toISOString(), 'up'],
      ],
    )
  })

  it('are none where nothing was kept', async () => {
    const { id } = await createMonitor(api, { locations })
    assert.deepEqual(await read(`/monitors/${id}/views`), { disagreement: null, differs: [], views: [] })
  })

  it('are of an incident what was seen when it began: by evidence of who failed, by views of the others', async () => {
    const monitor = await createMonitor(api, { locations, keep_evidence: true })
    const { id: monitorId } = monitor
    const incidentId = await addRunningIncident(api.database, monitor, before)
    const evidence = testEvidence({ addresses: { resolved: [here], dialled: [here] } })
    const pieceAt = (location: string, at: Date) => {
      return { incidentId, monitorId, location, round: at.getTime() * 1000, cause: 'x', evidence }
    }
    // Boston failed as well, but much later.
    const late = new Date(before.getTime() + 3_600_000)
    await keepEvidence(api.database, api.services.secrets, [pieceAt('amsterdam', before), pieceAt('boston', late)])
    await keep({ monitorId, incidentId }, before, { amsterdam: { status: 'up' }, boston: led(there) })
    await keep({ monitorId, incidentId }, late, { chennai: led(there) })
    await keep({ monitorId }, now, { amsterdam: {}, boston: {} })
    const sentence = `Amsterdam was led to ${here}, Boston to ${there}.`
    const { disagreement, views } = await read(`/monitors/${monitorId}/views?incident_id=${incidentId}`)
    assert.deepEqual(
      [disagreement, views.map(({ location_code: code, status }) => `${code} ${status}`)],
      [sentence, ['amsterdam down', 'boston up']],
    )
    const { body } = await api.get(`/incidents/${incidentId}/evidence`)
    assert.equal(z.object({ data: incidentEvidenceSchema }).parse(body).data.disagreement, sentence)
  })

  it('are for callers of the write scope, of the same workspace and the same monitor', async () => {
    const monitor = await createMonitor(api, { locations })
    const other = await createMonitor(api, { locations })
    const incidentId = await addRunningIncident(api.database, monitor, before)
    const path = `/monitors/${monitor.id}/views`
    assert.deepEqual(refusalOf(await api.get(path, { token: api.readToken })), [403, 'insufficient_scope'])
    const { token } = await api.addWorkspace()
    assert.equal((await api.get(path, { token })).status, 404)
    assert.equal((await api.get(`${path}?incident_id=${incidentId}`)).status, 200)
    assert.equal((await api.get(`/monitors/${other.id}/views?incident_id=${incidentId}`)).status, 404)
    assert.equal((await api.get(`${path}?incident_id=${randomUUID()}`)).status, 404)
    assert.equal((await api.get(`${path}?incident_id=first`)).status, 422)
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { rhythmProposalSchema } from '#core/monitors/rhythm-proposal.ts'
import { testApi } from '../../../test/support/api.ts'
import { addResults, createMonitor } from '../../../test/support/monitors.ts'
import { monitorOperations } from './monitors.ts'
import { rhythmProposalOperations } from './rhythm-proposal.ts'

const answerSchema = z.strictObject({ data: rhythmProposalSchema.nullable() })
const dayMs = 86_400_000
const now = new Date('2026-06-20T12:00:00Z')

/** Calls of so many nights, at 02:31 in Vienna. */
function callsOf(nights: number) {
  return Array.from({ length: nights }, (_, night) => ({
    at: new Date(Date.parse('2026-06-20T00:31:00Z') - night * dayMs),
    details: { source: 'ping' },
  }))
}

describe('GET /monitors/{id}/rhythm-proposal', async () => {
  const api = await testApi({ operations: [...monitorOperations, ...rhythmProposalOperations], now: () => now })
  const proposalOf = async (id: string, query = '?time_zone=Europe/Vienna') =>
    answerSchema.parse((await api.get(`/monitors/${id}/rhythm-proposal${query}`)).body).data

  it('has a schedule in the zone that was asked for, which the monitor takes', async () => {
    const { id } = await createMonitor(api, { kind: 'heartbeat', url: undefined })
    await addResults(api.database, id, callsOf(10))
    const found = await proposalOf(id)
    assert.deepEqual(found, {
      calls: 10,
      interval_seconds: null,
      schedule: '30 2 * * *',
      time_zone: 'Europe/Vienna',
      heartbeat_grace_seconds: 300,
    })
    assert.equal((await proposalOf(id, ''))?.schedule, '30 0 * * *')
    const body = { name: 'Backup', check_options: { schedule: found.schedule, time_zone: found.time_zone } }
    assert.equal((await api.request('PATCH', `/monitors/${id}`, { body })).status, 200)
  })

  it('is null of few calls, and of monitors of other kinds', async () => {
    const { id } = await createMonitor(api, { kind: 'heartbeat', url: undefined })
    await addResults(api.database, id, callsOf(7))
    assert.equal(await proposalOf(id), null)
    const { id: website } = await createMonitor(api)
    await addResults(api.database, website, callsOf(10))
    assert.equal(await proposalOf(website), null)
  })

  it('refuses a zone that there is not, and a monitor of another workspace', async () => {
    const { id } = await createMonitor(api, { kind: 'heartbeat', url: undefined })
    assert.equal((await api.get(`/monitors/${id}/rhythm-proposal?time_zone=Mars`)).status, 422)
    assert.equal((await api.get(`/monitors/${randomUUID()}/rhythm-proposal`)).status, 404)
    const { token } = await api.addWorkspace()
    assert.equal((await api.get(`/monitors/${id}/rhythm-proposal`, { token })).status, 404)
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { maxOfIncident } from '#core/incidents/evidence.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { deleteWorkspace } from '#store/workspaces/workspace-removal.ts'
import { testApi } from '../../../test/support/api.ts'
import { testEvidence } from '../../../test/support/evidence.ts'
import { addRunningIncident, createMonitor } from '../../../test/support/monitors.ts'
import { dumpOf } from '../../../test/support/secret-search.ts'
import { findNeighbours, forgetEvidence, keepEvidence, type NewEvidence, readIncidentEvidence } from './evidence.ts'

const before = new Date('2026-05-04T12:00:00Z')

describe('evidence at rest', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database } = api
  const { secrets } = api.services
  const keep = (...list: NewEvidence[]): Promise<void> => keepEvidence(database, secrets, list)

  async function incident(parts: Partial<NewEvidence> = {}): Promise<NewEvidence> {
    const monitor = await createMonitor(api)
    const incidentId = await addRunningIncident(database, monitor, before)
    const plain = { location: 'amsterdam', round: before.getTime() * 1000, cause: 'error x', evidence: testEvidence() }
    return { ...plain, incidentId, monitorId: monitor.id, ...parts }
  }
  async function count(): Promise<number> {
    const { rows } = await database.pool.query('select from incident_evidence')
    return rows.length
  }

  it('comes back as it was, and shows nothing of its text', async () => {
    const evidence = testEvidence({
      error: 'a rare sentence',
      addresses: { resolved: ['203.0.113.99'], dialled: ['203.0.113.99'] },
    })
    const piece = await incident({ evidence })
    await keep(piece)
    const [read] = await readIncidentEvidence(database, secrets, piece.incidentId)
    assert.deepEqual([read?.location, read?.at, read?.evidence], ['amsterdam', before, evidence])
    const { incident_evidence: rows = '' } = mapNames(await dumpOf(database.pool))
    for (const text of ['a rare sentence', '203.0.113.99', Buffer.from('a rare sentence').toString('hex')])
      assert.ok(rows !== '' && !rows.includes(text))
  })

  it('is bound to its row', async () => {
    const [one, other] = [await incident(), await incident()]
    await keep(one, other)
    await database.pool.query(
      `update incident_evidence set content = (select content from incident_evidence where incident_id = $1)
      where incident_id = $2`,
      [one.incidentId, other.incidentId],
    )
    await assert.rejects(readIncidentEvidence(database, secrets, other.incidentId))
  })

  it(`is kept once of each location and failure, ${maxOfIncident} of an incident and no more`, async () => {
    const piece = await incident()
    await keep(piece, piece, { ...piece, location: 'boston' })
    assert.equal((await readIncidentEvidence(database, secrets, piece.incidentId)).length, 2)
    const causes = Array.from({ length: 30 }, (_, index) => Object.assign({}, piece, { cause: `error ${index}` }))
    for (const each of causes) await keep(each)
    await keep(...causes.map((each) => Object.assign({}, each, { location: 'boston' })))
    const { rows } = await database.pool.query('select from incident_evidence where incident_id = $1', [
      piece.incidentId,
    ])
    assert.equal(rows.length, maxOfIncident)
  })

  it('of an incident or a monitor that is gone is not kept', async () => {
    const earlier = await count()
    await keep({ ...(await incident()), incidentId: randomUUID() }, { ...(await incident()), monitorId: randomUUID() })
    assert.equal(await count(), earlier)
  })

  it('makes the oldest of its workspace go when that has too much', async () => {
    const [old, fresh] = [await incident(), await incident()]
    await keep(old)
    await database.pool.query(
      `update incident_evidence set kept_at = now() - interval '1 day', bytes = 52428800
      where incident_id = $1`,
      [old.incidentId],
    )
    await keep(fresh)
    assert.equal((await readIncidentEvidence(database, secrets, old.incidentId)).length, 0)
    assert.equal((await readIncidentEvidence(database, secrets, fresh.incidentId)).length, 1)
  })

  it('finds monitors that failed on the same address within a minute', async () => {
    const addresses = { resolved: [], dialled: ['203.0.113.7', '203.0.113.8'] }
    const pieces = [await incident(), await incident(), await incident()].map((piece) =>
      Object.assign(piece, { evidence: testEvidence({ addresses }) }),
    )
    await keep(...pieces)
    const [one] = pieces
    assert.ok(one)
    const request = { workspaceId: api.workspaceId, incidentId: one.incidentId, monitorId: one.monitorId, at: before }
    const find = (given: Partial<typeof request & { addresses: string[] }> = {}) =>
      findNeighbours(database, secrets, { addresses: ['203.0.113.7'], ...request, ...given })
    assert.deepEqual(await find(), { address: '203.0.113.7', monitors: 2 })
    assert.equal(await find({ at: new Date(before.getTime() + 61_000) }), null)
    assert.equal(await find({ workspaceId: randomUUID() }), null)
    assert.equal(await find({ addresses: ['203.0.113.9'] }), null)
    assert.equal(await find({ addresses: [] }), null)
  })

  it('is forgotten, the oldest first, and goes with its monitor and its workspace', async () => {
    const [old, deleted, fresh] = [await incident(), await incident(), await incident()]
    await keep(old, deleted, fresh)
    await database.pool.query(`update incident_evidence set kept_at = $1 where incident_id = $2`, [
      before,
      old.incidentId,
    ])
    assert.equal(await forgetEvidence(database, new Date(before.getTime() + 1), 500), 1)
    await api.request('DELETE', `/monitors/${deleted.monitorId}`)
    assert.equal((await readIncidentEvidence(database, secrets, deleted.incidentId)).length, 0)
    assert.equal((await readIncidentEvidence(database, secrets, fresh.incidentId)).length, 1)
    await database.transaction((tx) => deleteWorkspace(tx, { workspaceId: api.workspaceId, at: before }))
    assert.equal(await count(), 0)
  })
})

function mapNames(dump: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(dump).map(([name, text]) => [name.split('.').at(-1) ?? name, text]))
}

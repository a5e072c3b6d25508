import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { parentProposalSchema } from '#core/monitors/parent-proposals.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { monitorOperations } from './monitors.ts'
import { parentProposalOperations } from './parent-proposals.ts'

const answerSchema = z.strictObject({ data: z.array(parentProposalSchema) })
const minute = 60_000

type Reached = { location: string; addresses: string[]; target: number; daysAgo: number; rotates: boolean }

describe('GET /monitors/{id}/parent-proposals', async () => {
  const api = await testApi({ operations: [...monitorOperations, ...parentProposalOperations] })
  const proposals = async (id: string) =>
    answerSchema.parse((await api.get(`/monitors/${id}/parent-proposals`)).body).data
  const addOutage = async (monitorId: string, startsMinutesAgo: number): Promise<void> => {
    const startedAt = new Date(Date.now() - startsMinutesAgo * minute)
    await api.database.query
      .insertInto('incidents')
      .values({
        id: randomUUID(),
        workspace_id: api.workspaceId,
        monitor_id: monitorId,
        monitor_name: 'It',
        status: 'resolved',
        title: 'It is down',
        cause: null,
        started_at: startedAt,
        resolved_at: new Date(startedAt.getTime() + 10 * minute),
      })
      .execute()
  }

  const reach = async (monitorId: string, row: Partial<Reached>): Promise<void> => {
    const { location = 'boston', addresses = [], target = 1, daysAgo = 0, rotates = false } = row
    const at = new Date(Date.now() - daysAgo * 24 * 60 * minute)
    await api.database.pool.query(
      `insert into monitor_addresses (monitor_key, location, target_version, addresses, seen_at, changed_at, is_rotating)
      select key, $2, $3, $4, array_fill($5::timestamptz, array[cardinality($4::text[])]), $5, $6
      from monitors
      where id = $1`,
      [monitorId, location, target, addresses, at, rotates],
    )
  }

  it('shows what checks the same host and what went down before, with the evidence', async () => {
    const shop = await createMonitor(api, { name: 'Shop', url: 'https://shop.example/' })
    const port = await createMonitor(api, { name: 'Port', kind: 'tcp', url: 'shop.example:443' })
    const gateway = await createMonitor(api, { name: 'Gateway', url: 'https://gateway.example/' })
    await createMonitor(api, { name: 'Blog', url: 'https://blog.example/' })
    for (const minutesAgo of [500, 3000]) {
      await addOutage(gateway.id, minutesAgo + 1)
      await addOutage(shop.id, minutesAgo)
    }
    await addOutage(shop.id, 200 * 24 * 60)
    assert.deepEqual(
      (await proposals(shop.id)).map(({ name, evidence }) => [name, evidence.map(({ message }) => message).join()]),
      [
        [
          'Gateway',
          '2 of its 2 outages of the last 90 days began while Gateway was down, or within 2 minutes of that.',
        ],
        ['Port', 'Both check shop.example.'],
      ],
    )
    assert.deepEqual(await proposals(gateway.id), [])
    assert.deepEqual(await proposals(port.id), [])
  })

  it('shows what asks less at one address, unless that is old, of another target, or one of many', async () => {
    const { token } = await api.addWorkspace()
    const page = await createMonitor(api, { name: 'Page', url: 'https://page.example/' })
    await reach(page.id, { location: 'amsterdam', addresses: ['203.0.113.7'] })
    const machines: [name: string, row: Partial<Reached>, token?: string][] = [
      ['Machine', { daysAgo: 6 }],
      ['Past', { daysAgo: 7 }],
      ['Moved', { target: 0 }],
      ['Network', { rotates: true }],
      ['Stranger', {}, token],
    ]
    for (const [name, row, by] of machines) {
      const { id } = await createMonitor(api, { name, kind: 'tcp', url: `${name}.example:443` }, by)
      await reach(id, { addresses: ['2001:db8::1', '203.0.113.7'], ...row })
    }
    assert.deepEqual(
      (await proposals(page.id)).map(({ name, evidence }) => [name, evidence]),
      [['Machine', [{ type: 'address', message: 'Both were reached at 203.0.113.7.', address: '203.0.113.7' }]]],
    )
  })

  it('is 404 for a monitor of another workspace', async () => {
    assert.equal((await api.get(`/monitors/${randomUUID()}/parent-proposals`)).status, 404)
  })
})

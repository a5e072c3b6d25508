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

  it('is 404 for a monitor of another workspace', async () => {
    assert.equal((await api.get(`/monitors/${randomUUID()}/parent-proposals`)).status, 404)
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { tellClosed } from '#store/contacts/closed-occasions.ts'
import { sealOptions } from '#store/contacts/sealed-options.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { jobsDatabase } from '../../../test/support/jobs.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'

const posted = z.tuple([
  z.object({
    labels: z.record(z.string(), z.string()),
    annotations: z.object({ description: z.string() }),
    startsAt: z.string(),
    endsAt: z.string(),
  }),
])

describe('the delivery of an end that is no recovery', async () => {
  const { database, start } = await jobsDatabase()
  const receiver = await startReceiver()
  const { secrets } = await start()

  it('reaches the contact after its monitor was deleted, and ends the same alert', async () => {
    const workspaceId = await addWorkspace(database)
    const monitorId = await addMonitor(database, { workspaceId })
    const id = randomUUID()
    const options = sealOptions({ id, publicOptions: { server: receiver.url }, secretOptions: {} }, secrets)
    await addContact(database, { id, workspaceId, kind: 'alertmanager', destination: 'Ops', ...options })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await until('the outage is told', async () => receiver.received.length === 1)
    await database.transaction(async (tx) => {
      const ending = { id: incidentId, type: 'incident', at: new Date(), reason: 'The monitor was deleted.' } as const
      await tellClosed(tx, [ending])
      await tx.query.deleteFrom('monitors').where('id', '=', monitorId).execute()
    })
    await until('the end is told', async () => receiver.received.length === 2)
    const [down, over] = receiver.received.map(({ body }) => posted.parse(JSON.parse(body))[0])
    assert.deepEqual([over?.labels, over?.startsAt], [down?.labels, down?.startsAt])
    assert.ok(Date.parse(over?.endsAt ?? '') <= Date.now())
    assert.match(over?.annotations.description ?? '', /^The monitor was deleted\. Until then, Shop API was down for /)
  })
})

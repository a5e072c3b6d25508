import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { addContact, addDownAlert, addMonitor, addRecovery, addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { updateContact } from './contact-changes.ts'
import { type DeliveryEnd, claimDelivery, endDelivery } from './delivery-attempts.ts'

describe('the message of a delivered outage', async () => {
  const database = await testDatabase()
  let workspaceId = ''
  beforeEach(async () => {
    await database.pool.query('delete from deliveries')
    workspaceId = await addWorkspace(database)
  })
  const rows = () => database.query.selectFrom('deliveries').select(['id', 'after_id']).execute()

  const event = { type: 'alert_sent', message: 'Sent.', details: { alert_channel_id: '', attempt: 1 } } as const
  const delivered = { state: 'delivered', statusCode: 200, error: null, event, reference: '4711' } as const
  /** An outage that ended as `end` says and its recovery; `after` happens between the two. */
  const recoveryAfter = async (
    end: Partial<DeliveryEnd>,
    after: (contactId: string) => Promise<unknown> = () => Promise.resolve(),
  ) => {
    const contactId = await addContact(database, { workspaceId })
    const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    const claim = await claimDelivery(database, (await rows())[0]?.id ?? '')
    assert.ok(claim !== null)
    assert.equal(claim.earlier, null)
    await database.transaction((tx) => endDelivery(tx, claim, { ...delivered, ...end }))
    await after(contactId)
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    const up = (await rows()).find((row) => row.after_id === claim.id)
    return { monitorId, recovery: (await claimDelivery(database, up?.id ?? '')) ?? assert.fail('no recovery') }
  }

  it('is known to the recovery, and to no later outage', async () => {
    const { monitorId, recovery } = await recoveryAfter({})
    assert.deepEqual(recovery.earlier, { reference: '4711' })
    await database.transaction((tx) => endDelivery(tx, recovery, { ...delivered, reference: '4712' }))
    await addDownAlert(database, { workspaceId, monitorId })
    const next = (await rows()).find((row) => row.after_id === recovery.id)
    const outage = await claimDelivery(database, next?.id ?? '')
    assert.ok(outage !== null)
    assert.equal(outage.earlier, null)
  })

  it('is unknown where the provider gave it no id, or the outage did not arrive', async () => {
    const ends: Partial<DeliveryEnd>[] = [{ reference: undefined }, { state: 'failed', reference: undefined }]
    for (const end of ends) {
      await database.pool.query('delete from deliveries')
      assert.equal((await recoveryAfter(end)).recovery.earlier, null)
    }
  })

  it('is unknown where the recovery goes to another address', async () => {
    const { recovery } = await recoveryAfter({}, (contactId) =>
      database.transaction((tx) =>
        updateContact(
          tx,
          { workspaceId, id: contactId },
          { address: { destination: 'https://elsewhere.example/', sealedDestination: null } },
        ),
      ),
    )
    assert.equal(recovery.earlier, null)
  })
})

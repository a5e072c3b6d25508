import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPolicy, listPolicies, updatePolicy } from './escalation-policies.ts'

describe('escalation policies of a workspace', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  let workspaceId = ''
  let ann = ''
  let bob = ''
  let eve = ''

  beforeEach(async () => {
    workspaceId = await addWorkspace(database)
    ann = await addContact(database, { workspaceId, name: 'Ann' })
    bob = await addContact(database, { workspaceId, name: 'Bob' })
    eve = await addContact(database, { workspaceId, name: 'Eve' })
  })

  /** Of one step, which tells this contact at once. */
  const addPolicy = async (
    contactId: string,
    given: { isDefault?: boolean; tags?: string[] } = {},
  ): Promise<string> => {
    const { isDefault = true, tags = [] } = given
    const id = randomUUID()
    const steps = [{ after_minutes: 0, contact_ids: [contactId], schedule_ids: [] }]
    const policy = { id, workspaceId, name: 'Ops', steps, repeats: 0, is_default: isDefault, tags }
    assert.equal(await database.transaction((tx) => insertPolicy(tx, policy)), true)
    return id
  }

  const failWith = async (change: string, value: unknown): Promise<void> => {
    const id = await addMonitor(database, { workspaceId })
    await database.pool.query(`update monitors set ${change} = $2 where id = $1`, [id, value])
    await addDownAlert(database, { workspaceId, monitorId: id })
  }

  it('choose by the policy that the monitor names, else by its tags, else by the default', async () => {
    await addPolicy(ann)
    const named = await addPolicy(eve, { isDefault: false })
    await addPolicy(bob, { isDefault: false, tags: ['Night', 'Team Blue'] })
    await addPolicy(eve, { isDefault: false, tags: ['team blue'] })
    await failWith('tags', ['web'])
    await failWith('tags', ['web', 'team BLUE'])
    await failWith('escalation_policy_id', named)
    const { rows } = await database.pool.query<{ name: string }>(
      `select channel.name
      from deliveries as delivery
      join alert_channels as channel on channel.id = delivery.alert_channel_id
      where delivery.workspace_id = $1
      order by delivery.created_at, delivery.id`,
      [workspaceId],
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Ann', 'Bob', 'Eve'],
    )
  })

  it('have one default, also where two are made at once', async () => {
    await Promise.all([addPolicy(ann), addPolicy(bob)])
    const policies = await listPolicies(database, workspaceId)
    assert.equal(policies.filter(({ is_default: is }) => is).length, 1)
    const other = policies.find(({ is_default: is }) => !is)?.id ?? ''
    await database.transaction((tx) => updatePolicy(tx, { workspaceId, id: other }, { is_default: true }))
    const after = await listPolicies(database, workspaceId)
    assert.deepEqual(
      after.flatMap(({ id, is_default: is }) => (is ? [id] : [])),
      [other],
    )
  })
})

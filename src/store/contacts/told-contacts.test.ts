import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { addContact, addDownAlert, addMonitor, addRecovery, addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { listContactStates } from './contact-list.ts'
import { deleteContact } from './contacts.ts'
import { isAlerted } from './deliveries.ts'

type Chosen = { ids: readonly string[] | null; tags: readonly string[] }

describe('whom a monitor alerts', async () => {
  const database = await testDatabase()
  const { pool } = database
  let workspaceId = ''
  const contacts = new Map<string, string>()

  const addTagged = async (name: string, tags: string[], more: { enabled?: boolean } = {}): Promise<void> => {
    const id = await addContact(database, { workspaceId, name, ...more })
    await pool.query('update alert_channels set tags = $2 where id = $1', [id, tags])
    contacts.set(name, id)
  }
  const idOf = (name: string): string => contacts.get(name) ?? assert.fail(name)

  beforeEach(async () => {
    workspaceId = await addWorkspace(database)
    contacts.clear()
    await addTagged('ann', ['Nights'])
    await addTagged('bob', ['days', 'leads'])
    await addTagged('eve', [])
    await addTagged('off', ['nights', 'away'], { enabled: false })
  })

  const add = async ({ ids, tags }: Chosen): Promise<string> => {
    const contactIds = ids === null ? null : ids.map(idOf)
    const id = await addMonitor(database, { workspaceId, contactIds })
    await pool.query('update monitors set alert_channel_tags = $2 where id = $1', [id, tags])
    return id
  }
  const namesOf = (ids: readonly string[]): string[] =>
    [...contacts].flatMap(([name, id]) => (ids.includes(id) ? [name] : [])).toSorted()
  const toldOf = async (incidentId: string, type: string): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>(
      `select alert_channel_id as id from deliveries where incident_id = $1 and alert ->> 'type' = $2`,
      [incidentId, type],
    )
    return namesOf(rows.map(({ id }) => id))
  }
  /** Those who are told of an outage now, which are those that would be told of a finding. */
  const told = async (monitorId: string): Promise<string[]> => {
    const { rows } = await pool.query<{ id: string }>(
      `select channel.id from monitors as monitor join alert_channels as channel on ${isAlerted} where monitor.id = $1`,
      [monitorId],
    )
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await addRecovery(database, { workspaceId, monitorId, incidentId })
    const names = await toldOf(incidentId, 'monitor.down')
    assert.deepEqual(namesOf(rows.map(({ id }) => id)), names)
    assert.deepEqual(await toldOf(incidentId, 'monitor.up'), names)
    return names
  }

  for (const [what, chosen, expected] of [
    ['all, where nothing is chosen', { ids: null, tags: [] }, ['ann', 'bob', 'eve']],
    ['nobody, where that is chosen', { ids: [], tags: [] }, []],
    ['those with a tag alone, in any case', { ids: null, tags: ['NIGHTS'] }, ['ann']],
    ['those with a tag, where no ids are chosen', { ids: [], tags: ['nights'] }, ['ann']],
    ['those with any of the tags, each once', { ids: null, tags: ['nights', 'days', 'Leads'] }, ['ann', 'bob']],
    ['those with a tag beside the chosen ones', { ids: ['eve'], tags: ['nights'] }, ['ann', 'eve']],
    ['the chosen ones, where no contact has the tag', { ids: ['eve'], tags: ['no such'] }, ['eve']],
    ['all, where no contact has the tag', { ids: null, tags: ['no such'] }, ['ann', 'bob', 'eve']],
    ['nobody, where the contacts with the tag are off', { ids: null, tags: ['away'] }, []],
  ] as const)
    it(`is ${what}`, async () => assert.deepEqual(await told(await add(chosen)), expected))

  it('follows the tags of contacts, also when the last one is deleted', async () => {
    const id = await add({ ids: null, tags: ['leads'] })
    assert.deepEqual(await told(id), ['bob'])
    await pool.query(`update alert_channels set tags = '{Leads}' where id = $1`, [idOf('eve')])
    assert.deepEqual(await told(id), ['bob', 'eve'])
    await pool.query(`update alert_channels set tags = '{}' where id = $1`, [idOf('eve')])
    await database.transaction((tx) => deleteContact(tx, { workspaceId, id: idOf('bob') }))
    assert.deepEqual(await told(id), ['ann', 'eve'])
  })

  it('is nobody of another workspace', async () => {
    const mine = await add({ ids: null, tags: ['nights'] })
    workspaceId = await addWorkspace(database)
    await addTagged('alien', ['nights'])
    const { rows } = await pool.query(
      `select channel.id from monitors as monitor join alert_channels as channel on ${isAlerted} where monitor.id = $1`,
      [mine],
    )
    assert.deepEqual(rows, [{ id: idOf('ann') }])
  })

  it('is at once who is named by a tag, where a policy escalates', async () => {
    const steps = [{ after_minutes: 10, contact_ids: [idOf('eve')], schedule_ids: [] }]
    await pool.query(
      `insert into escalation_policies (id, workspace_id, name, steps, repeats, is_default, created_at)
      values (gen_random_uuid(), $1, 'Ops', $2, 0, true, now())`,
      [workspaceId, JSON.stringify(steps)],
    )
    for (const [chosen, expected] of [
      [{ ids: null, tags: ['nights'] }, ['ann']],
      [{ ids: ['bob'], tags: ['nights'] }, ['ann', 'bob']],
      [{ ids: null, tags: ['no such'] }, []],
      [{ ids: null, tags: [] }, []],
    ] as const) {
      const { incidentId } = await addDownAlert(database, { workspaceId, monitorId: await add(chosen) })
      assert.deepEqual(await toldOf(incidentId, 'monitor.down'), expected)
    }
  })

  it('relies on one contact also where a tag names no other', async () => {
    for (const chosen of [
      { ids: ['ann'], tags: [] },
      { ids: ['ann'], tags: ['no such'] },
      { ids: ['ann'], tags: ['days'] },
      { ids: null, tags: ['leads'] },
      { ids: ['bob'], tags: ['leads'] },
      { ids: null, tags: [] },
    ])
      await add(chosen)
    const states = await listContactStates(database, workspaceId)
    const counts = states.map(({ shown: { id, only_contact_of: count } }) => [namesOf([id])[0], count])
    assert.deepEqual(counts, [
      ['ann', 2],
      ['bob', 2],
      ['eve', 0],
      ['off', 0],
    ])
  })
})

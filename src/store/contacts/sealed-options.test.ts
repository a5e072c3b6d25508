import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { createSecrets } from '#store/database/secrets.ts'
import { addWorkspace } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { findContact, insertContact } from './contacts.ts'
import { laneOfContact } from './lanes.ts'
import { openOptions, sealOptions } from './sealed-options.ts'

const secrets = createSecrets(randomBytes(32))
const given = { publicOptions: { server: 'https://a.example:8443', priority: 4 }, secretOptions: { token: 'hunter2' } }

describe('options of a contact', async () => {
  const database = await testDatabase()
  const workspaceId = await addWorkspace(database)
  const add = async (host: string | null): Promise<string> => {
    const id = randomUUID()
    const contact = { id, workspaceId, name: 'Chat', kind: 'webhook', destination: 'https://in.example/x' }
    const state = {
      sealedDestination: null,
      isConfirmed: true,
      switchedOffBy: null,
      signingSecrets: [],
      rules: null,
      tags: [],
    }
    const stored = { ...sealOptions({ id, ...given }, secrets), host, confirmationExpiresAt: null }
    await database.transaction((tx) => insertContact(tx, { ...contact, ...state, ...stored }))
    return id
  }

  it('are read back, with their secrets sealed for this contact', async () => {
    const id = await add('a.example:8443')
    const found = (await findContact(database, { workspaceId, id })) ?? assert.fail()
    assert.deepEqual(found.options, given.publicOptions)
    assert.deepEqual(openOptions(found, secrets), given)
    const { rows } = await database.pool.query<{ row: string }>(
      'select alert_channels::text as row from alert_channels',
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/)
    assert.throws(() => openOptions({ ...found, id: randomUUID() }, secrets))
  })

  it('are empty where nothing wrote them, as in contacts of an earlier release', async () => {
    const id = randomUUID()
    await database.pool.query(
      `insert into alert_channels (id, workspace_id, name, kind, destination, confirmed)
      values ($1, $2, 'Mail', 'email', 'a@example.com', true)`,
      [id, workspaceId],
    )
    const found = (await findContact(database, { workspaceId, id })) ?? assert.fail()
    assert.deepEqual(openOptions(found, secrets), { publicOptions: {}, secretOptions: {} })
  })

  it('make the lane of the contact, where they hold its address', async () => {
    const ids = [await add('a.example:8443'), await add(null)]
    const { rows } = await database.pool.query<{ lane: string }>(
      `select ${laneOfContact('c')} as lane from alert_channels as c where id = any($1) order by host nulls last`,
      [ids],
    )
    assert.deepEqual(
      rows.map(({ lane }) => lane),
      ['to:a.example:8443', 'to:in.example'],
    )
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import type { Transaction } from '#store/database/database.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { recordChange } from './change-record.ts'

describe('the record of a change', async () => {
  const database = await testDatabase()
  const workspaceId = randomUUID()
  await createWorkspace(database, { id: workspaceId, name: 'x', plan: 'free' })

  it('holds what was noted in the attempt that committed, and nothing of those that were undone', async () => {
    const actor = { kind: 'system', id: null, name: 'Test' } as const
    const known = { name: 'known before', details: { fields: ['a'] } }
    const change = { workspaceId, actor, action: 'change', subject: 'monitor', at: new Date(), known } as const
    const record = recordChange(database, change)
    let attempts = 0
    await record.database.transaction(async (tx) => {
      attempts += 1
      if (attempts === 1) record.note('nothing')
      if (attempts === 2) record.note({ name: 'undone', details: { undone: true } })
      if (attempts < 3) await collide(tx)
      record.note({ details: { kind: 'http' } })
    })
    await record.finish()
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 10 })
    assert.deepEqual(
      entries.map(({ target, details }) => [target.name, details]),
      [['known before', { fields: ['a'], kind: 'http' }]],
    )
  })
})

/** The error by which PostgreSQL ends the loser of a deadlock. */
async function collide({ client }: Transaction): Promise<void> {
  await client.query("do $$ begin raise exception using errcode = '40P01'; end $$")
}

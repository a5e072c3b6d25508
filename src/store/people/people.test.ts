import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { forgetInvitations, insertInvitation } from './invitations.ts'
import { addMember } from './members.ts'
import { forgetOver, insertPerson, takeCode } from './people.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'

const dayMs = 86_400_000
const now = new Date('2026-11-21T12:00:00Z')
const before = (ms: number): Date => new Date(now.getTime() - ms)

describe('what is over', async () => {
  const database = await testDatabase()
  const workspaceId = randomUUID()
  await createWorkspace(database, { id: workspaceId, name: 'x', plan: 'free' })

  async function addPerson(email: string, { isVerified, at }: { isVerified: boolean; at: Date }): Promise<string> {
    const id = await database.transaction((tx) => insertPerson(tx, { email, name: 'x', passwordHash: 'x', at }))
    await database.pool.query('update people."user" set "emailVerified" = $1 where email = $2', [isVerified, email])
    return id ?? assert.fail()
  }

  it('is forgotten: sessions, links, codes and sign-ups that nobody confirmed, and nothing else', async () => {
    const kept = await addPerson('kept@example.com', { isVerified: true, at: before(90 * dayMs) })
    await addPerson('young@example.com', { isVerified: false, at: before(29 * dayMs) })
    await addPerson('old@example.com', { isVerified: false, at: before(31 * dayMs) })
    const member = await addPerson('member@example.com', { isVerified: false, at: before(31 * dayMs) })
    await database.transaction((tx) => addMember(tx, { workspaceId, personId: member, role: 'viewer', at: now }))
    for (const [token, expiresAt] of [
      ['over', before(1)],
      ['open', now],
    ] as const) {
      await database.query
        .insertInto('people.session')
        .values({ token, expiresAt, userId: kept, updatedAt: now })
        .execute()
      await database.query
        .insertInto('people.verification')
        .values({ identifier: token, value: 'x', expiresAt })
        .execute()
    }
    for (const [codeHash, at] of [
      ['over', before(600_001)],
      ['open', before(60_000)],
    ] as const)
      assert.equal(await takeCode(database, { personId: kept, codeHashes: [codeHash], at }), true)
    assert.equal(await takeCode(database, { personId: kept, codeHashes: ['open'], at: now }), false)

    assert.equal(await forgetOver(database, now), 4)
    const left = async (column: string, table: string) =>
      (await database.pool.query(`select ${column} as it from ${table} order by 1`)).rows.map(({ it: value }) => value)
    assert.deepEqual(await left('token', 'people.session'), ['open'])
    assert.deepEqual(await left('identifier', 'people.verification'), ['open'])
    assert.deepEqual(await left('code_hash', 'used_codes'), ['open'])
    assert.deepEqual(await left('email', 'people."user"'), [
      'kept@example.com',
      'member@example.com',
      'young@example.com',
    ])
    assert.equal(await forgetOver(database, now), 0)
  })

  it('is forgotten: invitations that nobody accepted', async () => {
    const invite = (email: string, expiresAt: Date) =>
      database.transaction((tx) =>
        insertInvitation(tx, {
          workspaceId,
          email,
          role: 'viewer',
          invitedBy: 'x',
          tokenHash: Buffer.from(email),
          createdAt: before(7 * dayMs),
          expiresAt,
        }),
      )
    await invite('over@example.com', now)
    await invite('open@example.com', new Date(now.getTime() + 1))
    assert.equal(await forgetInvitations(database, now), 1)
    const { rows } = await database.pool.query('select email from invitations')
    assert.deepEqual(rows, [{ email: 'open@example.com' }])
  })
})

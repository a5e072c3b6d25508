import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { AppError } from '#core/language/error.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { findTokens, listTokens, maxActiveTokens, revokeToken, touchToken } from './tokens.ts'
import { createToken } from '../../../test/support/tokens.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'

const now = new Date('2026-03-01T12:00:00Z')

describe('tokens', async () => {
  const database = await testDatabase({ maxConnections: 10 })

  async function workspace(): Promise<string> {
    const id = randomUUID()
    await createWorkspace(database, { id, name: 'Tokens', plan: 'free' })
    return id
  }
  const make = (workspaceId: string, expiresAt: Date | null = null) =>
    createToken(database, { workspaceId, name: 'Made', scope: 'read', expiresAt }, now)

  it('are found by their hash alone, with everything about them', async () => {
    const workspaceId = await workspace()
    const { id, text } = await make(workspaceId)
    const [found] = await findTokens(database, [hashToken(text)])
    assert.deepEqual(found, {
      id,
      workspaceId,
      name: 'Made',
      scope: 'read',
      hash: hashToken(text),
      createdAt: now,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    })
    assert.deepEqual(await findTokens(database, [hashToken(`${text}x`)]), [])
  })

  it('are at most 50 active ones in a workspace, however many are made at once', async () => {
    const workspaceId = await workspace()
    const made = await Promise.allSettled(Array.from({ length: maxActiveTokens + 10 }, () => make(workspaceId)))
    const refused = made.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []))
    assert.equal(refused.length, 10)
    assert.ok(refused.every((reason) => reason instanceof AppError && reason.code === 'limit_reached'))
    assert.equal((await listTokens(database, workspaceId)).length, maxActiveTokens)
  })

  it('leave room once they expired or were revoked', async () => {
    const workspaceId = await workspace()
    const [first] = await Promise.all(Array.from({ length: maxActiveTokens - 1 }, () => make(workspaceId)))
    await make(workspaceId, now)
    await make(workspaceId)
    await assert.rejects(make(workspaceId), { code: 'limit_reached' })
    assert.ok(await revokeToken(database, { workspaceId, tokenId: first?.id ?? '', at: now }))
    await make(workspaceId)
    await assert.rejects(make(workspaceId), { code: 'limit_reached' })
  })

  it('are revoked once, and only from their own workspace', async () => {
    const workspaceId = await workspace()
    const { id: tokenId } = await make(workspaceId)
    assert.equal(await revokeToken(database, { workspaceId: await workspace(), tokenId, at: now }), false)
    assert.equal(await revokeToken(database, { workspaceId, tokenId, at: now }), true)
    assert.equal(await revokeToken(database, { workspaceId, tokenId, at: now }), false)
  })

  it('are listed with the active ones first', async () => {
    const workspaceId = await workspace()
    const revoked = await make(workspaceId)
    const active = await make(workspaceId)
    await revokeToken(database, { workspaceId, tokenId: revoked.id, at: now })
    assert.deepEqual(
      (await listTokens(database, workspaceId)).map(({ id }) => id),
      [active.id, revoked.id],
    )
  })

  it('remember their last use once a minute, never backwards', async () => {
    const { id: tokenId, text } = await make(await workspace())
    const lastUse = async (): Promise<string | undefined> =>
      (await findTokens(database, [hashToken(text)]))[0]?.lastUsedAt?.toISOString()
    const uses = ['12:00:00', '12:00:59', '12:01:00', '11:00:00'] as const
    const remembered = ['12:00:00', '12:00:00', '12:01:00', '12:01:00'] as const
    for (const [index, time] of uses.entries()) {
      await touchToken(database, { tokenId, at: new Date(`2026-03-01T${time}Z`) })
      assert.equal(await lastUse(), `2026-03-01T${remembered[index]}.000Z`)
    }
  })
})

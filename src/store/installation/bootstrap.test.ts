import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { bootstrap } from './bootstrap.ts'
import type { Database } from '#store/database/database.ts'
import { listLocations } from './locations.ts'
import { createSecrets, hashToken } from '#store/database/secrets.ts'
import { adoptSecretKeys } from './secret-keys.ts'
import { StartError } from '#store/database/start-error.ts'
import { findTokens, listTokens, maxActiveTokens, revokeToken, type StoredToken } from '#store/people/tokens.ts'
import { createToken } from '../../../test/support/tokens.ts'
import { listWorkspaces } from '#store/workspaces/workspaces.ts'

const now = new Date('2026-03-01T12:00:00Z')
const first = { token: null, plan: 'pro', locations: [{ code: 'local', name: 'This machine' }], now }
const configured = `pgk_${'c'.repeat(32)}`

describe('the first start', () => {
  it('makes the workspace, the location and one write token, and later starts make none', async () => {
    const database = await testDatabase()
    const { workspaceId, firstToken } = await bootstrap(database, first)
    const [token] = await findTokens(database, [hashToken(firstToken ?? '')])
    assert.deepEqual([token?.workspaceId, token?.scope], [workspaceId, 'write'])
    assert.deepEqual(token?.expiresAt, new Date('2026-03-02T12:00:00Z'), 'it was printed, and prints are kept')
    assert.deepEqual(await bootstrap(database, first), {
      workspaceId,
      firstToken: null,
      setUpToken: null,
      isTokenDead: false,
    })
    assert.deepEqual(
      (await listWorkspaces(database)).map(({ plan }) => plan),
      ['pro'],
    )
    assert.equal((await listTokens(database, workspaceId)).length, 1)
  })

  it('takes the configured token and tells none', async () => {
    const database = await testDatabase()
    const { workspaceId, firstToken } = await bootstrap(database, { ...first, token: configured })
    assert.equal(firstToken, null)
    const [token] = await findTokens(database, [hashToken(configured)])
    assert.deepEqual([token?.workspaceId, token?.expiresAt], [workspaceId, null])
  })

  it('happens once when several processes start together', async () => {
    const database = await testDatabase({ maxConnections: 8 })
    const started = await Promise.all(Array.from({ length: 8 }, () => bootstrap(database, first)))
    assert.equal(new Set(started.map(({ workspaceId }) => workspaceId)).size, 1)
    assert.equal(started.filter(({ firstToken }) => firstToken !== null).length, 1)
    assert.equal((await listWorkspaces(database)).length, 1)
  })
})

describe('a later start', () => {
  it('adds a configured token that is new, and leaves a revoked one revoked', async () => {
    const database = await testDatabase()
    const { workspaceId, firstToken } = await bootstrap(database, first)
    const start = (token: string) => bootstrap(database, { ...first, token })
    assert.equal((await start(configured)).isTokenDead, false)
    assert.equal((await stored(database, configured)).revokedAt, null)
    // It stands beside the token of the first start, which was not configured.
    assert.equal((await stored(database, firstToken ?? '')).revokedAt, null)
    await revokeToken(database, { workspaceId, tokenId: (await stored(database, configured)).id, at: now })
    assert.equal((await start(configured)).isTokenDead, true)
    assert.deepEqual((await stored(database, configured)).revokedAt, now)
  })

  it('ends the token that was configured before, and no other', async () => {
    const database = await testDatabase()
    const start = (token: string | null, at = now) => bootstrap(database, { ...first, token, now: at })
    const { workspaceId } = await start(configured)
    const later = new Date('2026-04-01T12:00:00Z')
    const [second, third] = [`pgk_${'d'.repeat(32)}`, `pgk_${'e'.repeat(32)}`]
    const own = await createToken(database, { workspaceId, name: 'CI', scope: 'write', expiresAt: null }, now)
    await start(second, later)
    assert.deepEqual((await stored(database, configured)).revokedAt, later)
    // A start without one, or with the same one, ends nothing.
    await start(null, later)
    await start(second, later)
    assert.equal((await stored(database, second)).revokedAt, null)
    // Nor does one with a token that is dead: a process that still has the old configuration.
    assert.equal((await start(configured, later)).isTokenDead, true)
    assert.equal((await stored(database, second)).revokedAt, null)
    // A token of the workspace that is then configured is as good as a new one.
    await start(own.text, later)
    assert.deepEqual((await stored(database, second)).revokedAt, later)
    await start(third, later)
    assert.deepEqual((await stored(database, own.text)).revokedAt, later)
    assert.equal((await listTokens(database, workspaceId)).filter(({ revokedAt }) => revokedAt === null).length, 1)
  })

  it('has a place for the next configured token when all others are in use, and else says in one line what to do', async () => {
    const database = await testDatabase()
    const { workspaceId } = await bootstrap(database, { ...first, token: configured })
    for (let count = 1; count < maxActiveTokens; count += 1)
      await createToken(database, { workspaceId, name: `token ${count}`, scope: 'read', expiresAt: null }, now)
    const second = `pgk_${'d'.repeat(32)}`
    await bootstrap(database, { ...first, token: second })
    const { id } = await stored(database, second)
    await revokeToken(database, { workspaceId, tokenId: id, at: now })
    await createToken(database, { workspaceId, name: 'the last', scope: 'read', expiresAt: null }, now)
    await assert.rejects(bootstrap(database, { ...first, token: `pgk_${'e'.repeat(32)}` }), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /^PERIGEE_OWNER_TOKEN is new, but .* 50 active API tokens.*perigee token revoke.*\.$/)
      return true
    })
  })

  it('leaves one configured token alive when several processes start together with different ones', async () => {
    const database = await testDatabase({ maxConnections: 8 })
    const { workspaceId } = await bootstrap(database, { ...first, token: configured })
    const tokens = Array.from({ length: 8 }, (_, index) => `pgk_${String(index).repeat(32)}`)
    await Promise.all(tokens.map((token) => bootstrap(database, { ...first, token })))
    assert.equal((await listTokens(database, workspaceId)).filter(({ revokedAt }) => revokedAt === null).length, 1)
  })

  it('adds locations at the end, renames, and removes none', async () => {
    const database = await testDatabase()
    await bootstrap(database, first)
    const locations = [
      { code: 'tokyo', name: 'Tokyo' },
      { code: 'local', name: 'The cellar' },
    ]
    await bootstrap(database, { ...first, locations })
    await bootstrap(database, { ...first, locations: [{ code: 'accra', name: 'Accra' }] })
    assert.deepEqual(await listLocations(database), [
      { code: 'local', name: 'The cellar' },
      { code: 'tokyo', name: 'Tokyo' },
      { code: 'accra', name: 'Accra' },
    ])
  })
})

async function stored(database: Database, text: string): Promise<StoredToken> {
  const [token] = await findTokens(database, [hashToken(text)])
  return token ?? assert.fail('there is no such token')
}

describe('the secret key', () => {
  it('has to be the one that the database was set up with', async () => {
    const database = await testDatabase()
    const secrets = createSecrets(randomBytes(32))
    await adoptSecretKeys(database, secrets)
    await adoptSecretKeys(database, secrets)
    await assert.rejects(adoptSecretKeys(database, createSecrets(randomBytes(32))), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /^PERIGEE_SECRET_KEY is not the key .*\.$/)
      return true
    })
  })
})

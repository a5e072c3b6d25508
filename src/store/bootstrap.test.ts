import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { testDatabase } from '../../test/support/database.ts'
import { bootstrap } from './bootstrap.ts'
import { listLocations } from './locations.ts'
import { createSecrets, hashToken } from './secrets.ts'
import { assertSecretKey } from './settings.ts'
import { StartError } from './start-error.ts'
import { findTokens, listTokens, revokeToken } from './tokens.ts'
import { listWorkspaces } from './workspaces.ts'

const now = new Date('2026-03-01T12:00:00Z')
const first = { token: null, plan: 'pro', locations: [{ code: 'local', name: 'This machine' }], now }
const configured = `pgk_${'c'.repeat(32)}`

describe('the first start', () => {
  it('makes the workspace, the location and one write token, and later starts make none', async () => {
    const database = await testDatabase()
    const { workspaceId, firstToken } = await bootstrap(database, first)
    const [token] = await findTokens(database, [hashToken(firstToken ?? '')])
    assert.deepEqual([token?.workspaceId, token?.scope], [workspaceId, 'write'])
    assert.deepEqual(await bootstrap(database, first), { workspaceId, firstToken: null })
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
    assert.equal((await findTokens(database, [hashToken(configured)]))[0]?.workspaceId, workspaceId)
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
    const { workspaceId } = await bootstrap(database, first)
    await bootstrap(database, { ...first, token: configured })
    const [added] = await findTokens(database, [hashToken(configured)])
    assert.equal(added?.revokedAt, null)
    await revokeToken(database, { workspaceId, tokenId: added?.id ?? '', at: now })
    await bootstrap(database, { ...first, token: configured })
    assert.deepEqual((await findTokens(database, [hashToken(configured)]))[0]?.revokedAt, now)
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

describe('the secret key', () => {
  it('has to be the one that the database was set up with', async () => {
    const database = await testDatabase()
    const secrets = createSecrets(randomBytes(32))
    await assertSecretKey(database, secrets)
    await assertSecretKey(database, secrets)
    await assert.rejects(assertSecretKey(database, createSecrets(randomBytes(32))), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /^PERIGEE_SECRET_KEY is not the key .*\.$/)
      return true
    })
  })
})

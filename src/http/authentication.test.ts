import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findTokens, revokeToken } from '#store/people/tokens.ts'
import { createToken } from '../../test/support/tokens.ts'
import { hashToken } from '#store/database/secrets.ts'
import { testApi } from '../../test/support/api.ts'
import { until } from '../../test/support/until.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const metadata = 'resource_metadata="http://perigee.test/.well-known/oauth-protected-resource/api/v1"'
const plainChallenge = `Bearer realm="perigee", ${metadata}`
const badChallenge = `Bearer realm="perigee", error="invalid_token", ${metadata}`

describe('authentication', async () => {
  const clock = { now: start }
  const api = await testApi({ now: () => new Date(clock.now) })
  const { database, workspaceId, token } = api
  const other = await api.addWorkspace()
  const unknown = `pgk_${'a'.repeat(40)}`
  const expiring = await make({ expiresAt: new Date(start + 60_000) })
  const expired = await make({ expiresAt: new Date(start) })
  const revoked = await make({ expiresAt: null })
  await revokeToken(database, { workspaceId, tokenId: revoked.id, at: new Date(start) })

  function make({ expiresAt }: { expiresAt: Date | null }) {
    return createToken(database, { workspaceId, name: 'Table', scope: 'read', expiresAt }, new Date(start - 1000))
  }

  const cases: [string, Record<string, string>, number, string | null][] = [
    ['no token', {}, 401, 'missing_api_key'],
    ['an empty token', { 'X-API-Key': '' }, 401, 'missing_api_key'],
    ['another scheme', { Authorization: `Basic ${btoa('a:b')}` }, 401, 'missing_api_key'],
    ['a payment credential alone', { Authorization: 'Payment abc' }, 401, 'missing_api_key'],
    ['a bearer without a token', { Authorization: 'Bearer' }, 401, 'missing_api_key'],
    ['garbage', { 'X-API-Key': 'garbage' }, 401, 'invalid_api_key'],
    ['an unknown token', { 'X-API-Key': unknown }, 401, 'invalid_api_key'],
    ['an unknown bearer', { Authorization: `Bearer ${unknown}` }, 401, 'invalid_api_key'],
    ['a token in other letters', { 'X-API-Key': token.toLowerCase() }, 401, 'invalid_api_key'],
    ['a revoked token', { 'X-API-Key': revoked.text }, 401, 'invalid_api_key'],
    ['a token at the end of its time', { 'X-API-Key': expired.text }, 401, 'token_expired'],
    ['a token just before its end', { 'X-API-Key': expiring.text }, 200, null],
    ['a token', { 'X-API-Key': token }, 200, null],
    ['a bearer', { Authorization: `Bearer ${token}` }, 200, null],
    ['a bearer in small letters', { Authorization: `bearer ${token}` }, 200, null],
    ['a token beside a payment credential', { 'X-API-Key': token, Authorization: 'Payment abc' }, 200, null],
    ['two tokens of one workspace', { 'X-API-Key': token, Authorization: `Bearer ${api.readToken}` }, 200, null],
    ['a good key beside an unknown bearer', { 'X-API-Key': token, Authorization: `Bearer ${unknown}` }, 200, null],
    [
      'an unknown key beside a good bearer',
      { 'X-API-Key': unknown, Authorization: `Bearer ${token}` },
      401,
      'invalid_api_key',
    ],
    [
      'tokens of two workspaces',
      { 'X-API-Key': token, Authorization: `Bearer ${other.token}` },
      401,
      'invalid_api_key',
    ],
  ]
  for (const [what, headers, status, code] of cases)
    it(`answers ${status} to ${what}`, async () => {
      clock.now = start
      const answer = await api.get('/account', { token: null, headers })
      assert.equal(answer.status, status)
      if (code === null) return
      assert.match(answer.text, new RegExp(`"error":"${code}"`))
      assert.match(answer.text, /http:\/\/perigee\.test\/auth\.md says how programs get a token\./)
      const challenge = code === 'missing_api_key' ? plainChallenge : badChallenge
      assert.equal(answer.headers.get('www-authenticate'), challenge)
    })

  it('ends a token at its expiry and not before', async () => {
    clock.now = start + 59_999
    assert.equal((await api.get('/account', { token: expiring.text })).status, 200)
    clock.now = start + 60_000
    assert.match((await api.get('/account', { token: expiring.text })).text, /token_expired/)
  })

  it('ends a token the moment it is revoked', async () => {
    clock.now = start
    const made = await make({ expiresAt: null })
    assert.equal((await api.get('/account', { token: made.text })).status, 200)
    await revokeToken(database, { workspaceId, tokenId: made.id, at: new Date(start) })
    assert.equal((await api.get('/account', { token: made.text })).status, 401)
  })

  it('lets the key win over the bearer', async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const answer = await api.request('PUT', '/account/billing', { token: api.readToken, headers, body: {} })
    assert.equal(answer.status, 403)
  })

  it('remembers the last use, at most once a minute', async () => {
    const made = await make({ expiresAt: null })
    const use = async (at: number): Promise<void> => {
      clock.now = at
      await api.get('/account', { token: made.text })
    }
    const lastUse = async (): Promise<number | undefined> =>
      (await findTokens(database, [hashToken(made.text)]))[0]?.lastUsedAt?.getTime()
    await use(start)
    await until('the first use', async () => (await lastUse()) === start)
    await use(start + 59_999)
    await use(start + 60_000)
    await until('the use a minute later', async () => (await lastUse()) === start + 60_000)
  })
})

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { SignJWT, UnsecuredJWT, decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK } from 'jose'
import { assertionMs } from '#core/people/agent.ts'
import { readSigningKey } from '#store/people/agent-keys.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { testDatabase } from '../../test/support/database.ts'
import { createAssertions } from './assertions.ts'

const issuer = 'https://perigee.example'
const start = new Date('2026-05-04T10:00:00Z')
const after = (days: number): Date => new Date(start.getTime() + days * 86_400_000)

describe('an assertion of ours', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  const secrets = createSecrets(randomBytes(32))
  const assertions = createAssertions({ database, secrets }, issuer)
  const registration = { id: randomUUID(), type: 'anonymous', email: null, claimedAt: null, generation: 3 } as const
  const made = async (at: Date): Promise<string> => (await (await assertions.ready(at))(registration, at)).text

  it('says who it is of, and for whom, in the terms of the profile', async () => {
    const text = await made(start)
    const header = decodeProtectedHeader(text)
    assert.equal(header.alg, 'ES256')
    assert.equal(header.typ, 'oauth-id-jag+jwt')
    const claims = decodeJwt(text)
    assert.deepEqual([claims.iss, claims.aud], [issuer, issuer])
    assert.equal(claims.sub, `reg_${registration.id.replaceAll('-', '')}`)
    assert.equal((claims.exp ?? 0) - (claims.iat ?? 0), assertionMs / 1000)
    assert.equal('email' in claims, false)
    const person = { ...registration, email: 'alice@example.com', claimedAt: start }
    const claimed = decodeJwt((await (await assertions.ready(start))(person, start)).text)
    assert.equal(claimed['email'], 'alice@example.com')
    assert.equal(claimed['email_verified'], true)
  })

  it('is known until it ends', async () => {
    const text = await made(start)
    const expected = { registrationId: registration.id, generation: 3 }
    assert.deepEqual(await assertions.verify(text, start), expected)
    assert.deepEqual(await assertions.verify(text, new Date(after(90).getTime() - 1)), expected)
    assert.equal(await assertions.verify(text, after(90)), null)
  })

  it('is signed with another key after 90 days, while the one before is still published', async () => {
    const first = await made(start)
    const later = await made(after(89))
    assert.equal(decodeProtectedHeader(first).kid, decodeProtectedHeader(later).kid)
    const second = await made(after(90))
    assert.notEqual(decodeProtectedHeader(first).kid, decodeProtectedHeader(second).kid)
    assert.equal((await assertions.keySet(after(90))).keys.length, 2)
    assert.notEqual(await assertions.verify(later, after(178)), null)
    await made(after(181))
    assert.ok((await assertions.keySet(after(182))).keys.length <= 3)
    const { rows } = await database.pool.query('select id from agent_signing_keys')
    assert.ok(!rows.some(({ id }) => id === decodeProtectedHeader(first).kid), 'the first key is gone')
  })

  it('is made with one key, however many ask for it at first', async () => {
    const fresh = await testDatabase({ maxConnections: 5 })
    const many = createAssertions({ database: fresh, secrets }, issuer)
    await Promise.all(Array.from({ length: 8 }, () => many.ready(start)))
    assert.equal((await many.keySet(start)).keys.length, 1)
  })

  it('is nothing that others made: of another key, type, issuer, audience, or of none', async () => {
    const at = after(90)
    const good = await made(at)
    const claims = decodeJwt(good)
    const { kid = '' } = decodeProtectedHeader(good)
    const own = await readSigningKey(database, secrets, at)
    const ownKey = await importJWK(JSON.parse(own?.privateKey ?? ''), 'ES256')
    const { privateKey: foreignKey } = await generateKeyPair('ES256')
    const typ = 'oauth-id-jag+jwt'
    const sign = (changes: Record<string, unknown>, header: { typ?: string; kid?: string } = {}, key = ownKey) =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'ES256', typ, kid, ...header }).sign(key)
    assert.notEqual(await assertions.verify(await sign({}), at), null, 'the control')
    const forged = {
      key: await sign({}, {}, foreignKey),
      kid: await sign({}, { kid: 'unknown' }),
      type: await sign({}, { typ: 'JWT' }),
      issuer: await sign({ iss: 'https://other.example' }),
      audience: await sign({ aud: 'https://other.example' }),
      audiences: await sign({ aud: [issuer, 'https://other.example'] }),
      subject: await sign({ sub: 'somebody' }),
      generation: await sign({ generation: '3' }),
      none: new UnsecuredJWT({ ...claims }).encode(),
      short: good.slice(0, -1),
      long: `${good}${'a'.repeat(5000)}`,
      nothing: '',
    }
    for (const [what, text] of Object.entries(forged)) assert.equal(await assertions.verify(text, at), null, what)
  })
})

describe('the next key', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  const assertions = createAssertions({ database, secrets: createSecrets(randomBytes(32)) }, issuer)

  it('is published a week before its turn', async () => {
    for (const [day, keys] of [
      [0, 1],
      [82, 1],
      [83, 2],
      [84, 2],
      [90, 2],
      [172, 2],
      [173, 3],
    ] as const)
      assert.equal((await assertions.keySet(after(day))).keys.length, keys, `on day ${day}`)
  })
})

import assert from 'node:assert/strict'
import { randomBytes, createECDH } from 'node:crypto'
import { describe, it } from 'node:test'
import { createSecrets } from '#store/database/secrets.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { readPushKeys } from './push-keys.ts'

describe('readPushKeys', async () => {
  const database = await testDatabase({ maxConnections: 4 })
  const secrets = createSecrets(randomBytes(32))

  it('makes one pair, however many ask at once, and keeps it', async () => {
    const first = await Promise.all(Array.from({ length: 4 }, () => readPushKeys(database, secrets)))
    const [keys] = first
    for (const each of [...first, await readPushKeys(database, secrets)]) assert.deepEqual(each, keys)
    const { publicKey = '', privateKey = '' } = keys ?? {}
    assert.deepEqual(
      [publicKey, privateKey].map((key) => Buffer.from(key, 'base64url').length),
      [65, 32],
    )
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(privateKey, 'base64url')
    assert.equal(pair.getPublicKey('base64url'), publicKey)
  })

  it('keeps it sealed', async () => {
    const { privateKey } = await readPushKeys(database, secrets)
    const { rows } = await database.pool.query<{ value: string }>(
      "select value::text from settings where name = 'push_keys'",
    )
    const [{ value } = { value: privateKey }] = rows
    assert.ok(!value.includes(privateKey) && !Buffer.from(value, 'base64').toString('latin1').includes(privateKey))
    await assert.rejects(
      readPushKeys(database, createSecrets(randomBytes(32))),
      /which is not among the keys of this process/,
    )
  })
})

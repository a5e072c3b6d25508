import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { isSignedFor } from '#core/proofs/signature.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { signingKeys } from './signing-keys.ts'

describe('the signing keys of an installation', async () => {
  const database = await testDatabase({ maxConnections: 4 })
  const secrets = createSecrets(randomBytes(32))
  const keys = signingKeys(database, secrets)

  it('are one that is made once, however many ask at once', async () => {
    const sets = await Promise.all(Array.from({ length: 4 }, () => keys.publicKeys()))
    for (const each of [...sets, await signingKeys(database, secrets).publicKeys()]) assert.deepEqual(each, sets[0])
    assert.equal(sets[0]?.length, 1)
  })

  it('sign what their public halves confirm', async () => {
    const { keyId, sign } = await keys.current()
    const key = (await keys.publicKeys()).find(({ kid }) => kid === keyId) ?? assert.fail('no key has the id')
    const content = randomBytes(100)
    assert.ok(isSignedFor('history-day', key, { content, signature: sign('history-day', content) }))
  })

  it('are stored sealed', async () => {
    const { rows } = await database.pool.query<{ value: string }>(
      "select value #>> '{}' as value from settings where name = 'signing_keys'",
    )
    const sealed = Buffer.from(rows[0]?.value ?? '', 'base64')
    const text = secrets.decrypt(sealed, { column: 'settings.value', id: 'signing_keys' })
    const { keys: stored } = Object(JSON.parse(text))
    assert.ok(!sealed.includes(stored[0].d))
    await assert.rejects(
      signingKeys(database, createSecrets(randomBytes(32))).current(),
      /which is not among the keys of this process/,
    )
  })

  it('stay published when another one has become the current one', async () => {
    const [former = assert.fail()] = await keys.publicKeys()
    const place = { column: 'settings.value', id: 'signing_keys' } as const
    const { rows } = await database.pool.query<{ value: string }>(
      "select value #>> '{}' as value from settings where name = 'signing_keys'",
    )
    const { keys: stored } = Object(JSON.parse(secrets.decrypt(Buffer.from(rows[0]?.value ?? '', 'base64'), place)))
    /** RFC 8037, appendix A.1. */
    const next = {
      d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    }
    const sealed = secrets.encrypt(JSON.stringify({ keys: [next, ...stored] }), place).toString('base64')
    await database.pool.query("update settings set value = to_jsonb($1::text) where name = 'signing_keys'", [sealed])
    const published = await keys.publicKeys()
    assert.deepEqual(
      published.map(({ x }) => x),
      [next.x, former.x],
    )
    assert.equal((await keys.current()).keyId, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })
})

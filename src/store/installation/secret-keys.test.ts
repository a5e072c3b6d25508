import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { createSecrets, keyIdOf, type SecretKeys } from '#store/database/secrets.ts'
import { StartError } from '#store/database/start-error.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { adoptSecretKeys, forgetFormerKey, readCurrentKey, readKeyChanges } from './secret-keys.ts'

const [old, fresh, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const [oldId, freshId] = [old, fresh].map((key) => createSecrets(key).identity)

describe('a start with other keys', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  const start = (keys: SecretKeys): Promise<void> => adoptSecretKeys(database, createSecrets(keys))
  const recorded = async (): Promise<unknown> => [await readCurrentKey(database), await readKeyChanges(database)]
  const refusal = async (keys: SecretKeys): Promise<string> => {
    const error: unknown = await start(keys).then(
      () => null,
      (reason: unknown) => reason,
    )
    return error instanceof StartError ? error.message : assert.fail(String(error))
  }

  it('changes nothing where a next one is only known', async () => {
    await start({ current: old })
    await start({ current: old, next: fresh })
    assert.deepEqual(await recorded(), [oldId, null])
  })

  it('refuses another key, and says which one is wanted', async () => {
    const message = await refusal({ current: fresh })
    assert.match(message, /^PERIGEE_SECRET_KEY is not the key/)
    assert.ok(message.includes(keyIdOf(oldId ?? '')))
  })

  it('takes the current key for the installation where the old one is a former one, also at once twice', async () => {
    await Promise.all([start({ current: fresh, former: [old] }), start({ current: fresh, former: [old] })])
    assert.deepEqual(await recorded(), [freshId, { first: oldId, inUse: [oldId] }])
  })

  it('leaves it so where a process is restarted that does not have it as the current one yet', async () => {
    await start({ current: old, next: fresh })
    assert.deepEqual(await recorded(), [freshId, { first: oldId, inUse: [oldId] }])
  })

  it('refuses where the former key is gone too early, and names it', async () => {
    const message = await refusal({ current: fresh })
    assert.match(message, new RegExp(`^The key ${keyIdOf(oldId ?? '')} still encrypts stored secrets`))
    assert.match(message, /PERIGEE_FORMER_SECRET_KEYS/)
    assert.match(await refusal({ current: old }), /^PERIGEE_SECRET_KEY is not the key/, 'an old process is told too')
    assert.match(await refusal({ current: other }), /^PERIGEE_SECRET_KEY is not the key/)
  })

  it('goes back where that is wished for', async () => {
    await start({ current: old, former: [fresh] })
    assert.deepEqual(await recorded(), [oldId, { first: oldId, inUse: [freshId] }])
    await start({ current: fresh, former: [old] })
    assert.deepEqual(await recorded(), [freshId, { first: oldId, inUse: [oldId] }])
  })

  it('needs the former key no more once it is retired', async () => {
    await forgetFormerKey(database, oldId ?? '')
    await start({ current: fresh })
    assert.deepEqual(await recorded(), [freshId, { first: oldId, inUse: [] }])
  })
})

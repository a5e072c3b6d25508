import { createECDH } from 'node:crypto'
import { z } from 'zod'
import type { PushKeys } from '#core/contacts/push-keys.ts'
import type { Database } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'
import { claimSetting, readSetting } from './settings.ts'

const name = 'push_keys'
const place: Place = { column: 'settings.value', id: name }
const stored = z.strictObject({ publicKey: z.string(), privateKey: z.string() })

/**
 * The keys by which push services of browsers know this installation, made when it is first asked for them. A browser
 * subscribes with the public one and takes nothing that another one signed, so that they stay.
 */
export async function readPushKeys(database: Database, secrets: Secrets): Promise<PushKeys> {
  const held = await readSetting(database, name)
  if (typeof held === 'string') return opened(held, secrets)
  const sealed = secrets.encrypt(JSON.stringify(newKeys()), place).toString('base64')
  // Of two processes that start at the same time, the first one has made the keys.
  if (await claimSetting(database, name, sealed)) return opened(sealed, secrets)
  return readPushKeys(database, secrets)
}

function opened(sealed: string, secrets: Secrets): PushKeys {
  return stored.parse(JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64'), place)))
}

function newKeys(): PushKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // Node leaves out leading zeros of the number, which has 32 bytes.
  const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
  return { publicKey, privateKey }
}

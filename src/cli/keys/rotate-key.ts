import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findDatabase } from '#app/find-database.ts'
import type { Config } from '#config/config.ts'
import type { Database } from '#store/database/database.ts'
import { identityOf, keyIdOf } from '#store/database/secrets.ts'
import { StartError } from '#store/database/start-error.ts'
import { changeFolderKey, readFolderKeys } from '#store/embedded/folder-keys.ts'
import { writeDurably } from '#store/embedded/write-durably.ts'
import { countSealed, sumOf } from '#store/installation/sealed-counts.ts'
import { readCurrentKey, readKeyChanges } from '#store/installation/secret-keys.ts'
import { readDatabase } from '#cli/operator-database.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { keysDefinition } from '#cli/definitions/keys.ts'
import { changeOrders } from './change-orders.ts'

export type Rotation = { keyTo: string | null; now: Date }

/** A running service looks at its folder every 2 s. */
const longestTakeoverMs = 60_000
/** The service goes on without this command. */
const longestWatchMs = 10 * 60_000
const watchEveryMs = 2_000

/** Changes the key of a data folder; for one in the environment, makes it and says what to do. */
export async function rotateKey(config: Config, rotation: Rotation, terminal: Terminal): Promise<void> {
  if (config.secretKey !== null) terminal.out.write(orderChange(config, rotation))
  else if (rotation.keyTo !== null)
    throw new UsageError('--key-to is for a key in PERIGEE_SECRET_KEY.', usageOf(keysDefinition))
  else await changeInFolder(config, rotation, terminal)
}

function orderChange({ secretKey, nextSecretKey, databaseUrl, nats }: Config, { keyTo }: Rotation): string {
  const key = nextSecretKey ?? randomBytes(32)
  const file = keyTo === null ? null : resolve(keyTo)
  if (file !== null) {
    if (existsSync(file)) throw new StartError(`${file} exists already. Name another file.`)
    writeDurably(file, `${key.toString('base64')}\n`)
  }
  return changeOrders({
    id: keyIdOf(identityOf(key)),
    formerId: secretKey === null ? '' : keyIdOf(identityOf(secretKey)),
    isKnownAlready: nextSecretKey !== null,
    isAlone: databaseUrl === null || nats === null,
    shown: file === null ? { value: key.toString('base64') } : { file },
  })
}

async function changeInFolder(config: Config, { now }: Rotation, { out }: Terminal): Promise<void> {
  const { dataFolder } = config
  const isRunning = findDatabase(config).type === 'running'
  await readDatabase(config, async (database) => {
    const before = readFolderKeys(dataFolder)
    if (before === null) throw new StartError(`There is no secret.key in ${dataFolder}.`)
    const isBegun = identityOf(before.current) !== (await readCurrentKey(database))
    const { current } = isBegun ? before : changeFolderKey(dataFolder, now)
    const identity = identityOf(current)
    const id = keyIdOf(identity)
    out.write(isBegun ? `The change to key ${id} was begun before, and goes on.\n` : `Key ${id} was made.\n`)
    if (!isRunning) out.write('The next start takes it over, and encrypts everything with it in the background.\n')
    else await watchService(database, { identity, id, out })
  })
}

type Watched = { identity: string; id: string; out: Terminal['out'] }

async function watchService(database: Database, { identity, id, out }: Watched): Promise<void> {
  const isTaken = await until(async () => (await readCurrentKey(database)) === identity, longestTakeoverMs)
  if (!isTaken) throw new StartError(`The running service has not taken over key ${id}. See its log.`)
  out.write('The running service encrypts with it from now on.\n')
  const former = ((await readKeyChanges(database))?.inUse ?? []).map(keyIdOf)
  let told = -1
  const isDone = await until(async () => {
    const left = sumOf(await countSealed(database), former)
    if (left !== told && left > 0) out.write(`${left} values are left to encrypt with it.\n`)
    told = left
    return left === 0
  }, longestWatchMs)
  if (!isDone) out.write('The service goes on with that. "perigee keys" shows how far it is.\n')
  else
    out.write(
      `Nothing else is left. ${former.map((each) => `"perigee keys retire ${each}"`).join(' and ')} ends the change.\n`,
    )
}

async function until(isSo: () => Promise<boolean>, longestMs: number): Promise<boolean> {
  const end = performance.now() + longestMs
  for (;;) {
    if (await isSo()) return true
    if (performance.now() > end) return false
    await delay(watchEveryMs)
  }
}

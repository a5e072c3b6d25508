import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { findKeys } from '#app/secret-keys.ts'
import { type Config, readConfig } from '#config/config.ts'
import type { Passphrase } from '#store/backup/frames.ts'
import type { Manifest } from '#store/backup/records.ts'
import { readManifest, type RestoredBackup, restoreBackup } from '#store/backup/restore.ts'
import { createSecrets, keyIdOf } from '#store/database/secrets.ts'
import { StartError } from '#store/database/start-error.ts'
import { formerKeysName, storeFolderKeys } from '#store/embedded/folder-keys.ts'
import { clusterExists } from '#store/embedded/embedded.ts'
import { writeDurably } from '#store/embedded/write-durably.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { restoreDefinition } from '#cli/definitions/running.ts'
import { onNewDatabase } from '#cli/operator-database.ts'
import { table } from '#cli/table.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { readPassphrase } from './passphrase.ts'

const usage = usageOf(restoreDefinition)

type Order = { file: string; passphrase: Passphrase; isLive: boolean }

export async function runRestore(argv: readonly string[], { out, err }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, restoreDefinition.options, usage)
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new UsageError('Name the file of one backup.', usage)
  const order = { file, passphrase: readPassphrase(values['passphrase-file']), isLive: values.live === true }
  if (values['key-to'] !== undefined) {
    out.write(await writeKey(order, resolve(values['key-to'])))
    return 0
  }
  const config = readConfig()
  const restored = await restore(config, order)
  out.write(tableOf(restored))
  err.write(whatNext(config, restored.manifest, order))
  return 0
}

/** For an installation that has its key in PERIGEE_SECRET_KEY, and lost it. */
async function writeKey({ file, passphrase }: Order, to: string): Promise<string> {
  if (existsSync(to)) throw new StartError(`${to} exists already. Name another file.`)
  const { secret_key: key, former_secret_keys: former } = await readManifest(open(file), passphrase)
  if (key === null) throw new StartError('The backup does not hold the secret key, because it is not encrypted.')
  writeDurably(to, `${key}\n`)
  if (former.length === 0) return `The secret key was written to ${to}.\n`
  writeDurably(`${to}-former`, `${former.join(',')}\n`)
  return `The secret key was written to ${to}, and former ones for PERIGEE_FORMER_SECRET_KEYS_FILE to ${to}-former.\n`
}

async function restore(config: Config, { file, passphrase, isLive }: Order): Promise<RestoredBackup> {
  const { dataFolder, databaseUrl } = config
  if (databaseUrl === null) assertFree(dataFolder)
  const source = open(file)
  const accept = (manifest: Manifest): void => assertKey(config, manifest)
  return onNewDatabase(config, async (database) => {
    const restored = await restoreBackup(database, source, { passphrase, isLive, now: new Date(), accept })
    if (databaseUrl === null && config.secretKey === null) storeKeys(dataFolder, config, restored.manifest)
    return restored
  })
}

/** A folder that has a key already keeps it as the current one, with those of the backup as former ones. */
function storeKeys(
  dataFolder: string,
  config: Config,
  { secret_key: key, former_secret_keys: former }: Manifest,
): void {
  if (key === null) return
  const [held, inBackup] = [findKeys(config), [key, ...former].map((text) => Buffer.from(text, 'base64'))]
  const [current, ...others] = held === null ? inBackup : [held.current, ...(held.former ?? []), ...inBackup]
  if (current === undefined) return
  const distinct = new Map([...others].map((other) => [other.toString('base64'), other]))
  distinct.delete(current.toString('base64'))
  storeFolderKeys(dataFolder, { current, former: [...distinct.values()] })
}

/** What lies in the folder of an installation that has no database yet. */
const mayLieThere = new Set(['backups', 'lock', 'outbox', 'secret.key', formerKeysName])

/** A database there is looked into: it may be what a restore left. */
function assertFree(dataFolder: string): void {
  if (clusterExists(dataFolder) || !existsSync(dataFolder)) return
  const others = readdirSync(dataFolder).filter((name) => !mayLieThere.has(name) && !name.startsWith('postgres'))
  if (others.length > 0)
    throw new StartError(
      `The data folder ${dataFolder} is not empty: it has ${others.slice(0, 5).join(', ')}. Restore into an empty one, with PERIGEE_DATA_DIR.`,
    )
}

/** A key that cannot open the secrets of the backup is told of before anything is loaded. */
function assertKey(config: Config, { key_identity: identity }: Manifest): void {
  const keys = findKeys(config)
  if (keys === null || identity === null) return
  if (createSecrets(keys).identities.known.includes(identity)) return
  const place = config.secretKey === null ? `secret.key in ${config.dataFolder}` : 'PERIGEE_SECRET_KEY'
  throw new StartError(
    `${place} is not the key that the backup was made with, which has the id ${keyIdOf(identity)}. Set it to that key, or name that key as a former one.`,
  )
}

function open(file: string): Readable {
  if (file === '-') return process.stdin
  if (!existsSync(file)) throw new StartError(`There is no file ${file}.`)
  return createReadStream(file, { highWaterMark: 1024 * 1024 })
}

function tableOf({ tables }: RestoredBackup): string {
  const rows = tables
    .filter(({ rows: number }) => number !== '0')
    .map(({ schema, name, rows: number, isLoaded }) => [
      schema === null ? name : `${schema}.${name}`,
      number,
      isLoaded ? 'the same' : 'left out, because it is no table of Perigee',
    ])
  return table(['TABLE', 'ROWS', 'COMPARED'], rows)
}

function whatNext(config: Config, manifest: Manifest, { isLive }: Order): string {
  const needsKey = config.databaseUrl === null && findKeys(config) === null
  return [
    `Restored what Perigee ${manifest.release} had on ${manifest.created_at}.`,
    ...(needsKey
      ? [
          `The backup does not hold the secret key. Put the original's secret.key into ${config.dataFolder} before you start.`,
        ]
      : []),
    isLive
      ? 'It sends alerts and mail as soon as it is started.'
      : 'It sends nothing until you run "perigee resume-sending".',
    '',
  ].join('\n')
}

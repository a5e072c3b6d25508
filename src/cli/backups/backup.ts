import { join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { readRelease } from '#app/release.ts'
import { findKeys } from '#app/secret-keys.ts'
import { type Config, readConfig } from '#config/config.ts'
import { backupName, writeBackupFile } from '#store/backup/backup-file.ts'
import { takeBackup, type TakenBackup } from '#store/backup/take-backup.ts'
import type { Database } from '#store/database/database.ts'
import { backupFolder } from '#store/embedded/data-folder.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { backupDefinition } from '#cli/definitions/running.ts'
import { onDatabase } from '#cli/operator-database.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { readPassphrase } from './passphrase.ts'
import { megabytes } from './sizes.ts'

const usage = usageOf(backupDefinition)

export async function runBackup(argv: readonly string[], { out, err }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, backupDefinition.options, usage)
  if (positionals.length > 0) throw new UsageError('backup takes no arguments; --to names the file.', usage)
  const config = readConfig()
  const passphrase = readPassphrase(values['passphrase-file']) ?? config.backups.passphrase
  const order = { to: values.to, passphrase, now: new Date() }
  const said = await onDatabase(config, (database) => write(database, config, order))
  err.write(`${said}\n${passphrase === null ? withoutKey(config) : 'It is encrypted, and holds the secret key.\n'}`)
  return 0
}

type Order = { to: string | undefined; passphrase: string | null; now: Date }

/** Returns what was done, in a line. */
async function write(database: Database, config: Config, { to, passphrase, now }: Order): Promise<string> {
  const options = { release: readRelease(), keys: findKeys(config), passphrase, now }
  if (to === '-') return toldOf(await takeBackup(database, process.stdout, options), 'standard output')
  const file =
    to === undefined ? join(config.backups.folder ?? backupFolder(config.dataFolder), backupName(now)) : resolve(to)
  let taken: TakenBackup | null = null
  const bytes = await writeBackupFile(file, async (stream: Writable) => {
    taken = await takeBackup(database, stream, options)
  })
  return `${taken === null ? '' : toldOf(taken, file)} The file has ${megabytes(bytes)}.`
}

function toldOf({ tables }: TakenBackup, where: string): string {
  const rows = tables.reduce((sum, table) => sum + Number(table.rows), 0)
  return `${rows} rows of ${tables.length} tables were written to ${where}.`
}

function withoutKey({ secretKey, dataFolder }: Config): string {
  const place = secretKey === null ? `secret.key in ${dataFolder}` : 'PERIGEE_SECRET_KEY'
  return `It does not hold the secret key. Keep ${place} in another place: without it, stored secrets are lost.\n`
}

import { resolve } from 'node:path'
import { z } from 'zod'
import { variable, wholeNumber } from './config-values.ts'

const fewestCharacters = 12
const unitMs = new Map([
  ['h', 3_600_000],
  ['d', 86_400_000],
])

export type BackupSettings = {
  /** Null for that in the data folder. */
  folder: string | null
  /** Null where the service makes none by itself. */
  everyMs: number | null
  /** How many of its own backups the service leaves in the folder. */
  keep: number
  /** Null for backups that are not encrypted. */
  passphrase: string | null
}

/** Backups that the service makes by itself. */
export const backupVariables = {
  PERIGEE_BACKUP_EVERY: variable('1h to 24h or 1d to 31d', everyMs).optional(),
  PERIGEE_BACKUP_FOLDER: variable('a folder', (text) => resolve(text)).optional(),
  PERIGEE_BACKUP_KEEP: wholeNumber(1, 1000).default(7),
  PERIGEE_BACKUP_PASSPHRASE: variable(`${fewestCharacters} characters or more`, (text) =>
    text.length < fewestCharacters ? null : text,
  ).optional(),
}

export const secretBackupVariables = ['PERIGEE_BACKUP_PASSPHRASE'] as const

const backupShape = z.object(backupVariables)
type Read = z.infer<typeof backupShape>

export function backupsOf(read: Read): BackupSettings {
  return {
    folder: read.PERIGEE_BACKUP_FOLDER ?? null,
    everyMs: read.PERIGEE_BACKUP_EVERY ?? null,
    keep: read.PERIGEE_BACKUP_KEEP,
    passphrase: read.PERIGEE_BACKUP_PASSPHRASE ?? null,
  }
}

function everyMs(text: string): number | null {
  const [, number, unit = ''] = /^(\d{1,2})([hd])$/.exec(text) ?? []
  const most = unit === 'h' ? 24 : 31
  const count = Number(number)
  return count >= 1 && count <= most ? count * (unitMs.get(unit) ?? 0) : null
}

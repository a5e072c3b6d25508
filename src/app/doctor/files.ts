import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ExaminedConfig } from '#config/config.ts'
import { bad, type Found, good, notLookedAt, warning } from '#core/doctor-report.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const files: DoctorCheck = {
  name: 'files',
  look: async ({ examined }) => [
    judgeFolder(examined.config.dataFolder, seen(examined.config.dataFolder), process.getuid?.() ?? null),
    ...secretFiles(examined).map(({ label, path }) => judgeSecretFile(label, path, seen(path))),
  ],
}

/** Null where there is none. */
export type SeenFile = { mode: number; owner: number; isReadable: boolean } | null

export function judgeSecretFile(label: string, path: string, file: SeenFile): Found {
  if (file === null)
    return bad(label, `${path} is not there.`, 'Restore the file, or correct the variable that names it.')
  if (!file.isReadable)
    return bad(label, `${path} cannot be read by this user.`, 'Give the user of the service the right to read it.')
  // Containers have their secrets here, readable for everyone inside, who is the service alone.
  if ((file.mode & 0o004) !== 0 && !path.startsWith('/run/secrets/'))
    return warning(
      label,
      `${path} holds a secret, and every user of this machine can read it.`,
      `Run: chmod o-rwx ${path}`,
    )
  return good(label, `${path} can be read, and not by every user.`)
}

/** The folder of another user is a sign that the doctor sees with other rights than the service. */
export function judgeFolder(path: string, folder: SeenFile, user: number | null): Found {
  if (folder === null)
    return notLookedAt(
      'data folder',
      `${path} is not there; a start makes it.`,
      'Set PERIGEE_DATA_DIR if it is elsewhere.',
    )
  if (!folder.isReadable)
    return bad('data folder', `${path} cannot be read by this user.`, 'Run the doctor as the user of the service.')
  if ((folder.mode & 0o002) !== 0)
    return bad('data folder', `Every user of this machine can write to ${path}.`, `Run: chmod o-w ${path}`)
  if (user !== null && folder.owner !== user)
    return warning(
      'data folder',
      `${path} belongs to the user ${folder.owner}, and the doctor runs as ${user}: it has other rights than the service.`,
      'Run the doctor as the user of the service.',
    )
  return good('data folder', `${path} can be read, and other users cannot write to it.`)
}

/** Those that variables name, and those that Perigee has made in its data folder. */
function secretFiles({ config, secretFiles: named }: ExaminedConfig): { label: string; path: string }[] {
  const { nats, dataFolder } = config
  const ofBroker = [
    ...(nats?.login.type === 'file' ? [{ label: 'PERIGEE_NATS_CREDENTIALS', path: nats.login.path }] : []),
    ...(nats === null || nats.tlsFiles.key === null ? [] : [{ label: 'PERIGEE_NATS_KEY', path: nats.tlsFiles.key }]),
  ]
  const own = ['secret.key', 'operator.token']
    .map((name) => ({ label: name, path: join(dataFolder, name) }))
    .filter(({ path }) => seen(path) !== null)
  return [...named.map(({ variable, path }) => ({ label: variable, path })), ...ofBroker, ...own]
}

function seen(path: string): SeenFile {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : { mode: found.mode, owner: found.uid, isReadable: isReadable(path) }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

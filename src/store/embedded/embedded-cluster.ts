import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Identity, giveTo, initialiserIdentity, invoke, programEnvironment } from './embedded-identity.ts'
import type { Programs } from './embedded-programs.ts'
import { StartError } from '#store/database/start-error.ts'
import { writeDurably } from './write-durably.ts'

/** The paths of the embedded database in a data folder. */
export type ClusterPaths = { cluster: string; passwordFile: string; logFile: string }

export const databaseUser = 'perigee'
const initialiseTimeoutMs = 180_000

export function clusterPaths(folder: string): ClusterPaths {
  return {
    cluster: join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres.password'),
    logFile: join(folder, 'postgres.log'),
  }
}

/** Another major release cannot read the data: told before anything is touched. */
export function assertMajor(cluster: string, programs: Programs): void {
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file)) return
  const found = readFileSync(file, 'utf8').trim()
  if (found !== programs.major)
    throw new StartError(
      `The database in ${cluster} was created by PostgreSQL ${found}, but this release has PostgreSQL ${programs.major}. Start the release that created it, or choose another folder with PERIGEE_DATA_DIR.`,
    )
}

export function readPassword({ cluster, passwordFile }: ClusterPaths): string {
  if (!existsSync(passwordFile))
    throw new StartError(
      `${passwordFile} is missing. ${cluster} cannot be opened without it. Restore it from a backup.`,
    )
  return readFileSync(passwordFile, 'utf8').trim()
}

/**
 * Makes the database if there is none. It is made under another name and renamed when it is whole, its password
 * written before, so that a start that was killed begins anew.
 */
export async function ensureCluster(
  paths: ClusterPaths,
  { programs, identity, signal }: { programs: Programs; identity: Identity; signal: AbortSignal },
): Promise<void> {
  if (existsSync(join(paths.cluster, 'PG_VERSION'))) return
  const unfinished = `${paths.cluster}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  const password = randomBytes(32).toString('base64url')
  writeDurably(paths.passwordFile, `${password}\n`)
  const handedOver = `${unfinished}.password`
  writeFileSync(handedOver, `${password}\n`, { mode: 0o600 })
  for (const path of [unfinished, handedOver]) giveTo(identity, path)
  try {
    await initialise({ unfinished, handedOver }, { programs, identity, signal })
  } finally {
    rmSync(handedOver, { force: true })
  }
  rmSync(paths.cluster, { recursive: true, force: true })
  renameSync(unfinished, paths.cluster)
}

async function initialise(
  { unfinished, handedOver }: { unfinished: string; handedOver: string },
  { programs, identity, signal }: { programs: Programs; identity: Identity; signal: AbortSignal },
): Promise<void> {
  // The built-in locale sorts by code point and knows all of Unicode, the same on every system.
  const locale = ['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = [`--username=${databaseUser}`, '--auth=scram-sha-256', `--pwfile=${handedOver}`]
  const { command, args, options } = invoke(initialiserIdentity(identity), programs.initialiser, [
    '-D',
    unfinished,
    ...locale,
    ...access,
  ])
  const child = spawn(command, args, {
    ...options,
    cwd: '/',
    env: programEnvironment,
    detached: true,
    signal,
    timeout: initialiseTimeoutMs,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = (): void => void child.kill()
  process.once('exit', kill)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-4000)
  })
  child.once('error', ({ message }) => (complaint += message))
  // Also of one that was told to end: it removes what it made, and would remove what the next start makes.
  const ending = await new Promise<string | null>((resolve) => {
    child.once('close', (code, by) => resolve(code === 0 ? null : `${by ?? `exit code ${code}`} ${complaint}`))
  })
  process.off('exit', kill)
  signal.throwIfAborted()
  if (ending !== null)
    throw new StartError(
      `The database could not be created in ${unfinished}: ${ending.trim().replaceAll(/\s*\n\s*/g, '; ')}`,
    )
}

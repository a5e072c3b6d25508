import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { StartError } from '#store/database/start-error.ts'

/**
 * The user that PostgreSQL runs as, which refuses root. `setuid`: as that user. `namespace`: in a user namespace where
 * this user is called nobody, so that PostgreSQL may enter folders that only this user may enter.
 */
export type Identity = { type: 'plain' } | { type: 'setuid'; uid: number; gid: number } | { type: 'namespace' }

export type Invocation = { command: string; args: string[]; options: { uid?: number; gid?: number } }

/** The ids of the users `nobody` and `nogroup` on every Linux. */
const nobody = { uid: 65_534, gid: 65_534 }
const searchPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
const probeTimeoutMs = 10_000

export const programEnvironment: Readonly<Record<string, string>> = { PATH: searchPath, LC_ALL: 'C.UTF-8', TZ: 'UTC' }

/**
 * Chooses by the owner of existing data: PostgreSQL refuses a folder that another user owns, and changing the owner
 * would hide what is wrong (docs/decisions/embedded-postgresql.md). New data belong to the user `nobody` where every
 * user may pass through the folders above, else to root, inside a namespace.
 */
export function chooseIdentity({
  server,
  folder,
  cluster,
}: {
  server: string
  folder: string
  cluster: string
}): Identity {
  if (process.getuid?.() !== 0) return { type: 'plain' }
  if (process.platform !== 'linux')
    throw new StartError(
      'Root cannot start the embedded PostgreSQL on this system. Start Perigee as another user, or set PERIGEE_DATABASE_URL.',
    )
  const owner = clusterOwner(cluster)
  if (owner !== null && owner.uid !== 0) {
    if (canReach(owner, { server, folder })) return { type: 'setuid', ...owner }
    throw new StartError(
      `The database in ${cluster} belongs to user ${owner.uid}, who may not enter ${folder} or run ${server}. Open the folders on the way for other users (chmod o+x).`,
    )
  }
  if (owner === null && canReach(nobody, { server, folder })) return { type: 'setuid', ...nobody }
  if (runs(invoke({ type: 'namespace' }, server, ['--version']))) return { type: 'namespace' }
  throw new StartError(
    `PostgreSQL does not run as root, other users may not enter ${folder} or run ${server}, and user namespaces are not allowed here. Start Perigee as another user, open the folders on the way for others (chmod o+x) or set PERIGEE_DATABASE_URL.`,
  )
}

/** initdb wants the user to have a name; in a namespace every user has one. */
export function initialiserIdentity(identity: Identity): Identity {
  if (identity.type !== 'plain' || process.platform !== 'linux' || hasName()) return identity
  const namespace: Identity = { type: 'namespace' }
  if (runs(invoke(namespace, 'true', []))) return namespace
  throw new StartError(
    `The user ${process.getuid?.()} has no entry in /etc/passwd, which initdb needs, and user namespaces are not allowed here. Add an entry, start Perigee as another user, or set PERIGEE_DATABASE_URL.`,
  )
}

export function invoke(identity: Identity, program: string, args: string[]): Invocation {
  switch (identity.type) {
    case 'plain':
      return { command: program, args, options: {} }
    case 'setuid':
      return { command: program, args, options: { uid: identity.uid, gid: identity.gid } }
    case 'namespace':
      return {
        command: 'unshare',
        args: ['--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--', program, ...args],
        options: {},
      }
  }
}

/** Gives a file or folder to whom PostgreSQL runs as. */
export function giveTo(identity: Identity, path: string): void {
  if (identity.type === 'setuid') chownSync(path, identity.uid, identity.gid)
}

/** Asks the system rather than the modes, which are not all there is to permissions. */
function canReach(user: { uid: number; gid: number }, { server, folder }: { server: string; folder: string }): boolean {
  const identity: Identity = { type: 'setuid', ...user }
  return runs(invoke(identity, 'test', ['-x', `${folder}/.`])) && runs(invoke(identity, server, ['--version']))
}

function runs({ command, args, options }: Invocation): boolean {
  const { status } = spawnSync(command, args, {
    ...options,
    cwd: '/',
    env: programEnvironment,
    stdio: 'ignore',
    timeout: probeTimeoutMs,
  })
  return status === 0
}

function clusterOwner(cluster: string): { uid: number; gid: number } | null {
  const file = join(cluster, 'PG_VERSION')
  if (!existsSync(file)) return null
  const { uid, gid } = statSync(file)
  return { uid, gid }
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Identity, giveTo } from './embedded-identity.ts'
import { StartError } from '#store/database/start-error.ts'

/** The address of a unix socket has room for 107 bytes on Linux and 103 on macOS. */
const maxSocketBytes = 103
const socketName = '.s.PGSQL.5432'

/** The folder of the server's socket, the same for every process that looks at the same data. `cluster` is a real path. */
export function socketFolderOf(cluster: string): string {
  const name = `perigee-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`
  const preferred = join(tmpdir(), name)
  return Buffer.byteLength(join(preferred, socketName)) <= maxSocketBytes ? preferred : join('/tmp', name)
}

/** Makes the folder, closed to other users. A folder that another user made under its name beforehand is refused. */
export function prepareSocketFolder(folder: string, identity: Identity): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  const allowed = new Set([
    process.getuid?.() ?? 0,
    identity.type === 'setuid' ? identity.uid : (process.getuid?.() ?? 0),
  ])
  if (!found.isDirectory() || !allowed.has(found.uid) || (found.mode & 0o077) !== 0)
    throw new StartError(
      `${folder}, where PostgreSQL's socket belongs, is not a private folder of this user. Remove it, or set TMPDIR to another folder.`,
    )
  giveTo(identity, folder)
}

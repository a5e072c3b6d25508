// A disk that turns read-only under a running service, as file systems do after an error (ext4's `errors=remount-ro`).
//
// Linux refuses to make a file system or a mount read-only while any file on it is open for writing, and PostgreSQL
// always has some open. So each folder of the database is covered by a read-only mount of itself, in the mount namespace
// of the service: every file that is opened or made from then on is refused (EROFS), and what was open stays writable.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type ReadOnlyDisk = {
  /** Runs a program in a mount namespace of its own. */
  command: { file: string; args: readonly string[] }
  /** `pid` is that of the program. */
  turn: (pid: number, state: 'read-only' | 'writable') => void
}

/** Of the data folder in which a service keeps its PostgreSQL. */
export function readOnlyDisk(dataFolder: string, program: string): ReadOnlyDisk {
  const cluster = join(dataFolder, 'postgres')
  return {
    command: {
      file: 'unshare',
      args: ['--mount', '--propagation', 'private', process.execPath, '--max-semi-space-size=4', program],
    },
    turn: (pid, state) => {
      const aside = mkdtempSync(join(tmpdir(), 'perigee-read-only-'))
      const folders = readdirSync(cluster, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      for (const { name } of folders) {
        const folder = join(cluster, name)
        if (state === 'writable') within(pid, 'umount', '--lazy', folder)
        else {
          // Read-only before it covers anything: else a file may be opened in between, and Linux refuses.
          within(pid, 'mount', '--bind', folder, aside)
          within(pid, 'mount', '-o', 'remount,bind,ro', aside)
          within(pid, 'mount', '--move', aside, folder)
        }
      }
    },
  }
}

/** Runs a program in the mount namespace of a process. */
function within(pid: number, ...args: string[]): void {
  execFileSync('nsenter', ['--target', String(pid), '--mount', ...args])
}

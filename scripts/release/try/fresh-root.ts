// Debian as it is right after its installation, without Node, in which an artefact shows that it needs nothing more. Works as
// root on Debian. The network of what runs there is its own loopback device.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The user that services run as in the root, whose number has a name there. */
export const user = { name: 'someone', id: 1000 } as const

/** A folder with that Debian, to be given to `removeRoot` afterwards. */
export function freshRoot(tar: string): string {
  const root = mkdtempSync(join(tmpdir(), 'perigee-root-'))
  execFileSync('tar', ['-xf', tar, '-C', root, '--numeric-owner'])
  appendFileSync(join(root, 'etc/passwd'), `${user.name}:x:${user.id}:${user.id}::/home/${user.name}:/bin/sh\n`)
  appendFileSync(join(root, 'etc/group'), `${user.name}:x:${user.id}:\n`)
  execFileSync('install', ['-d', '-o', String(user.id), '-g', String(user.id), join(root, 'home', user.name)])
  return root
}

export function removeRoot(root: string): void {
  rmSync(root, { recursive: true, force: true })
}

/** The first argument is the root, the second the user, the rest a command. */
const inside = `set -e
ip link set lo up
mount -t proc proc "$1/proc"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mkdir -p "$1/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
root=$1; as=$2; shift 2
exec chroot --userspec="$as" "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/home/${user.name} "$@"`

/** Runs a script of the shell in the root. It ends, and everything that it started, when its namespace's first process does. */
export function runInside(root: string, script: string, { as = `${user.id}:${user.id}` } = {}): ChildProcess {
  return spawn(
    'unshare',
    [
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      '/bin/sh',
      '-c',
      inside,
      'sh',
      root,
      as,
      '/bin/sh',
      '-c',
      script,
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
}

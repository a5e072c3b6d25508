// A box around git, where the machine has bubblewrap: what a server makes git do reaches no file but its own folder.
import { tmpdir } from 'node:os'
import { dirname, isAbsolute } from 'node:path'
import { runGit } from './git-program.ts'

/** What stands before git's own words: the program and the arguments that make the box. Nothing where there is no box. */
export type GitBox = (folder: string, reaches: 'network' | 'nothing') => readonly string[]

const bubblewrap = 'bwrap'
const retryMs = 600_000
const timeoutMs = 10_000
/** Git has helpers for the network and for packs. */
const maxProcesses = 64

/** What programs and names of hosts need, of the systems that bubblewrap runs on. What is not there is left out. */
const readable = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/nix/store',
  '/etc/alternatives',
  '/etc/crypto-policies',
  '/etc/gai.conf',
  '/etc/group',
  '/etc/host.conf',
  '/etc/hosts',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  '/etc/resolv.conf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
]

/** A count of processes belongs to the user, so that it is set where the user has no others. Shells name it differently. */
const few = `ulimit -p ${maxProcesses} 2>/dev/null || ulimit -u ${maxProcesses} 2>/dev/null; exec "$@"`

/**
 * A box in which `program` can run: a file system to be read, of programs alone, the folder of the run, no other
 * processes, and the network only where it is needed. See bwrap(1).
 */
export function boxAround(program: string): GitBox {
  // A program elsewhere was put there by the operator.
  const shown = isAbsolute(program) ? [dirname(program)] : []
  return (folder, reaches) => [
    bubblewrap,
    '--unshare-all',
    ...(reaches === 'network' ? ['--share-net'] : []),
    '--die-with-parent',
    ...[
      ['--cap-drop', 'ALL'],
      ...readable.map((path) => ['--ro-bind-try', path, path]),
      ['--proc', '/proc'],
      ['--dev', '/dev'],
      ['--tmpfs', '/tmp'],
      ...shown.map((path) => ['--ro-bind-try', path, path]),
      ['--bind', folder, folder],
      ['--chdir', folder],
      ['/bin/sh', '-c', few, 'sh'],
    ].flat(),
  ]
}

const noBox: GitBox = () => []

/**
 * Finds out whether a box can be made here, which a container may forbid: git is asked for its version in one. Asked
 * again ten minutes after it could not.
 */
export function createGitBoxes(program: string, nowMs: () => number): () => Promise<GitBox> {
  let known: { found: Promise<GitBox>; retryAt: number } | null = null
  return () => {
    if (known !== null && nowMs() < known.retryAt) return known.found
    const entry = { found: findBox(program), retryAt: Infinity }
    known = entry
    return entry.found.then((found) => {
      if (found === noBox) entry.retryAt = nowMs() + retryMs
      return found
    })
  }
}

async function findBox(program: string): Promise<GitBox> {
  const box = boxAround(program)
  const folder = tmpdir()
  const order = { arguments: ['version'], environment: {}, folder, box: box(folder, 'nothing') }
  const ending = await runGit(program, order, AbortSignal.timeout(timeoutMs)).catch(() => null)
  return ending?.type === 'success' ? box : noBox
}

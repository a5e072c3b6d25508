import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

const bootIdFile = '/proc/sys/kernel/random/boot_id'

/**
 * Tells a process from a later one that was given the same pid: when it started, and in which boot. Null when there
 * is no such process, or only its zombie, which a container without an init may keep for ever.
 */
export function processIdentity(pid: number): string | null {
  return process.platform === 'linux' ? linuxIdentity(pid) : psField(pid, 'lstart=')
}

/** True when `pid` is a PostgreSQL server that works in `folder`; null when this user may not know. */
export function isPostgresOf(pid: number, folder: string): boolean | null {
  if (process.platform !== 'linux') return psField(pid, 'command=')?.includes(`postgres -D ${folder} `) ?? false
  const program = readOrNull(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim())
  if (program !== 'postgres') return false
  const at = readOrNull(() => readlinkSync(`/proc/${pid}/cwd`))
  return at === null ? null : at === folder
}

/** Processes of a PostgreSQL server in `folder`, whichever process started them. Empty where there is no /proc. */
export function postgresProcesses(folder: string): number[] {
  const entries = readOrNull(() => readdirSync('/proc')) ?? []
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number)
  return pids.filter((pid) => isPostgresOf(pid, folder) === true && linuxIdentity(pid) !== null)
}

/** The same for all processes of a machine, in containers too, until it boots anew; null where there is no /proc. */
export function bootId(): string | null {
  return readOrNull(() => readFileSync(bootIdFile, 'utf8').trim())
}

/** Field 3 of proc(5)'s stat is the state, field 22 the start in ticks since boot; the name before them may hold spaces. */
function linuxIdentity(pid: number): string | null {
  const stat = readOrNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  const [state, startedAt] = [fields[0], fields[19]]
  if (startedAt === undefined || state === 'Z' || state === 'X') return null
  return `${bootId() ?? ''}:${startedAt}`
}

function psField(pid: number, field: string): string | null {
  const answer = readOrNull(() =>
    execFileSync('/bin/ps', ['-ww', '-o', `stat=`, '-o', field, '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 5000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim(),
  )
  const [, state = 'Z', text = ''] = /^(\S+)\s+(.*)$/.exec(answer ?? '') ?? []
  return state.startsWith('Z') ? null : text
}

/** Null for a process that ended while it was being looked at, or that this user may not look at. */
function readOrNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

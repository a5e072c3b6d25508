// The process of the probers that a service has started, as Linux shows it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { processIdentity } from '#store/embedded/process-identity.ts'
import { signalLeft } from './signal.ts'
import { until } from './until.ts'

/** Null where the probers are threads of the service itself. */
export function proberPid(servicePid: number): number | null {
  const children = readFileSync(`/proc/${servicePid}/task/${servicePid}/children`, 'utf8').split(' ').filter(Boolean)
  const found = children.map(Number).find((pid) => processIdentity(pid) !== null && isOfProbers(pid))
  return found ?? null
}

export async function untilProberPid(servicePid: number, former: number | null = null): Promise<number> {
  const isThere = (): boolean => ![null, former].includes(proberPid(servicePid))
  await until('there is a process of probers', isThere, 40_000)
  return proberPid(servicePid) ?? assert.fail('it is gone again')
}

/** To the service, and to the process of its probers where there is one. */
export function signalBoth(servicePid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  const probers = proberPid(servicePid)
  for (const pid of probers === null ? [servicePid] : [servicePid, probers]) signalLeft(pid, signal)
}

/** Numbers of its sockets beside its standard streams: whoever shares one has the same number. */
export function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .filter((fd) => Number(fd) > 2)
    .flatMap((fd) => {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`)) ?? []
      return inode === undefined ? [] : [inode]
    })
}

/** Of all processes: sockets of this machine, over which its PostgreSQL is reached. */
export function localSockets(): Set<string> {
  const [, ...lines] = readFileSync('/proc/net/unix', 'utf8').trim().split('\n')
  return new Set(lines.map((line) => line.split(/ +/)[6] ?? ''))
}

function isOfProbers(pid: number): boolean {
  return /process-worker\.m?[tj]s/.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1'))
}

/** A file may be closed while the list is read. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

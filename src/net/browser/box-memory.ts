import { readFile } from 'node:fs/promises'

/** Of one box, in bytes: a page that takes more is ended. */
export const maxBoxBytes = 1024 * 1024 * 1024
const maxProcesses = 200

/** Memory of a process and of all that it started, without what programs share; 0 where that cannot be read. */
export async function memoryOf(pid: number): Promise<number> {
  let sum = 0
  const pids = [pid]
  for (let at = 0; at < pids.length && at < maxProcesses; at += 1) {
    const one = pids[at] ?? 0
    sum += await ownMemoryOf(one)
    pids.push(...(await childrenOf(one)))
  }
  return sum
}

/** See proc_pid_status(5). */
async function ownMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  const parts = [...status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d{1,12}) kB$/gm)]
  return parts.reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0)
}

/** Of its first thread, which starts all of them in programs of this box. See proc_tid_children(5). */
async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '')
  return children
    .split(' ')
    .map(Number)
    .filter(Number.isInteger)
    .filter((child) => child > 0)
}

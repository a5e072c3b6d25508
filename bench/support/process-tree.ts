import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU milliseconds, user and system, since each process began: of a process and its probers, and of the PostgreSQL below
 * it.
 */
export type TreeCpu = { own: number; below: number; total: number }

/** /proc counts in hundredths of a second whatever the kernel's own clock (proc(5), USER_HZ). */
const msPerTick = 10

/**
 * The CPU time of a process and all processes below it, including the ones that have ended and were waited for: their
 * time is their parent's `cutime` and `cstime`. Linux only.
 */
export function treeCpu(root: number): TreeCpu {
  const processes = readProcesses()
  const children = Map.groupBy(processes.values(), ({ parent }) => parent)
  const pending = [...(children.get(root) ?? [])]
  let own = processes.get(root)?.ownMs ?? 0
  let below = processes.get(root)?.endedMs ?? 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.isPostgres) below += next.ownMs + next.endedMs
    else own += next.ownMs + next.endedMs
    pending.push(...(children.get(next.pid) ?? []))
  }
  return { own, below, total: own + below }
}

/** The memory of a process and all below it, in which what they share counts once (proc(5), Pss). */
export function treeMemoryMb(root: number): number {
  const children = Map.groupBy(readProcesses().values(), ({ parent }) => parent)
  const pending = [root]
  let kilobytes = 0
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    kilobytes += proportionalKilobytes(next)
    pending.push(...(children.get(next) ?? []).map(({ pid }) => pid))
  }
  return kilobytes / 1024
}

/** The memory of a process alone, now and at its highest so far, in MB (proc(5), VmRSS and VmHWM). */
export function residentMb(pid: number): { now: number; peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'latin1')
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) / 1024
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** 0 for a process that has just gone. */
function proportionalKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

export function cpuBetween(from: TreeCpu, to: TreeCpu): TreeCpu {
  return { own: to.own - from.own, below: to.below - from.below, total: to.total - from.total }
}

type Process = { pid: number; parent: number; isPostgres: boolean; ownMs: number; endedMs: number }

function readProcesses(): Map<number, Process> {
  const processes = new Map<number, Process>()
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? readProcess(Number(name)) : null
    if (found !== null) processes.set(found.pid, found)
  }
  return processes
}

/** Null for a process that has just gone. The name, in brackets, may hold anything; the numbers follow it. */
function readProcess(pid: number): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (index: number): number => Number(fields[index])
    return {
      pid,
      parent: ticks(1),
      isPostgres: text.includes('(postgres)'),
      ownMs: (ticks(11) + ticks(12)) * msPerTick,
      endedMs: (ticks(13) + ticks(14)) * msPerTick,
    }
  } catch {
    return null
  }
}

// How often other programs kept the processors from those of a test.
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

export type Starvation = {
  /** To be called about once a second. */
  look: () => void
  /** The share of the looks that found that a thread had waited for a processor while others had it. */
  share: () => number
}

/** A thread that waited for more than this share of a second was held up. */
const muchOfTheTime = 0.5
/** Where others took less than this share of all processors, the programs of the test held up one another. */
const muchOfTheMachine = 0.25
const nanosecondsPerMs = 1e6
/** In /proc: Linux reports in hundredths of a second on every platform (proc_stat(5), USER_HZ). */
const msPerTick = 10

type Look = { atMs: number; waits: Map<string, number>; othersMs: number }

/** Of these processes together. Linux counts the waits of each thread (/proc/<pid>/task/<tid>/schedstat). */
export function watchStarvation(pids: readonly number[]): Starvation {
  let last = lookAt(pids)
  const findings: boolean[] = []
  return {
    look: () => {
      const next = lookAt(pids)
      findings.push(isStarved(last, next))
      last = next
    },
    share: () => findings.filter(Boolean).length / Math.max(1, findings.length),
  }
}

function isStarved(before: Look, now: Look): boolean {
  const passedMs = now.atMs - before.atMs
  const longest = Math.max(...Array.from(now.waits, ([thread, ms]) => ms - (before.waits.get(thread) ?? ms)))
  const others = (now.othersMs - before.othersMs) / (passedMs * availableParallelism())
  return longest > passedMs * muchOfTheTime && others > muchOfTheMachine
}

function lookAt(pids: readonly number[]): Look {
  const threads = pids.flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => `${pid}/task/${thread}`))
  return {
    atMs: performance.now(),
    waits: new Map(threads.map((thread) => [thread, waitOf(thread)])),
    othersMs: machineMs() - pids.reduce((sum, pid) => sum + processorMs(pid), 0),
  }
}

/** Milliseconds that a thread waited so far; 0 for one that has just ended. */
function waitOf(thread: string): number {
  try {
    const [, waited = '0'] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')
    return Number(waited) / nanosecondsPerMs
  } catch {
    return 0
  }
}

/** Milliseconds for which the machine's processors were taken, by other machines of the same host as well. */
export function machineMs(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number)
  return (user + nice + system + irq + softirq + steal) * msPerTick
}

/** Milliseconds that a process had a processor so far. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program stands in brackets and may hold anything; user and system time are the 12th and 13th after.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}

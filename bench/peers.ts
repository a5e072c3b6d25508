import { readFileSync } from 'node:fs'
import { type Exporter, startExporter } from './support/blackbox-exporter.ts'
import { whole } from './support/figures.ts'
import { cpuBetween, treeCpu, treeMemoryMb } from './support/process-tree.ts'
import { pause } from './support/service.ts'
import { measureStoredChecks } from './support/stored-checks.ts'
import { startTarget, type Target } from './support/target.ts'

type Load = { name: string; checksPerSecond: number; isTls: boolean }
type Cost = { cpuMs: number; checksPerSecond: number; memoryMb: number; firstRoundSeconds: number }

const loads: readonly Load[] = [
  { name: 'http', checksPerSecond: 300, isTls: false },
  { name: 'https, a full handshake each', checksPerSecond: 200, isTls: true },
]
const turns = 3
const intervalSeconds = 10
const settleMs = 12_000
const measureMs = 30_000

/**
 * Perigee beside blackbox_exporter on the same targets, in turns: the same interval, a fresh connection for each check,
 * the settings that each has by default. Perigee schedules, judges and stores, PostgreSQL included. The exporter is asked
 * by this bench, whose CPU does not count, and stores nothing.
 */
export async function peers(): Promise<void> {
  const ours = `Perigee ${version()} (stores each check, PostgreSQL included)`
  for (const load of loads) {
    const ratios: number[] = []
    for (let turn = 1; turn <= turns; turn += 1) {
      const theirs = await measureExporter(load)
      if (theirs === null) return console.log('peers: skipped, because prometheus-blackbox-exporter is not installed')
      const own = await measureStoredChecks({ ...load, measureMs, referenceChecks: 0, isQuiet: true })
      print(load, turn, [ours, { ...own, checksPerSecond: own.storedPerSecond }], [theirs.name, theirs.cost])
      ratios.push(own.cpuMs / theirs.cost.cpuMs)
    }
    const shown = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
    console.log(`peers: ${load.name}: CPU of a check, Perigee by blackbox_exporter: ${shown}; goal below 1`)
  }
}

function print({ name, checksPerSecond }: Load, turn: number, ...costs: (readonly [string, Cost])[]): void {
  console.log(`${name} at ${whole(checksPerSecond)}/s, turn ${turn}:`)
  for (const [who, cost] of costs)
    console.log(
      `  ${who}: ${cost.cpuMs.toFixed(3)} ms CPU a check, ${whole(cost.checksPerSecond)} checks/s, ` +
        `${whole(cost.memoryMb)} MB, all checked once ${cost.firstRoundSeconds.toFixed(1)} s after the start`,
    )
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return /"version": "([^"]+)"/.exec(text)?.[1] ?? ''
}

async function measureExporter(load: Load): Promise<{ name: string; cost: Cost } | null> {
  const target = await startTarget({ isTls: load.isTls })
  try {
    const startedMs = performance.now()
    const exporter = await startExporter(target)
    if (exporter === null) return null
    try {
      return {
        name: `blackbox_exporter ${exporter.version} (stores nothing)`,
        cost: await measure(exporter, load, { target, startedMs }),
      }
    } finally {
      exporter.stop()
    }
  } finally {
    await target.stop()
  }
}

async function measure(
  exporter: Exporter,
  { checksPerSecond }: Load,
  { target, startedMs }: { target: Target; startedMs: number },
): Promise<Cost> {
  const asking = startAsking(exporter, checksPerSecond, target.urls)
  try {
    await asking.firstRound
    const firstRoundSeconds = (performance.now() - startedMs) / 1000
    await pause(settleMs)
    const [before, doneBefore, fromMs] = [treeCpu(exporter.pid), asking.done(), performance.now()]
    await pause(measureMs)
    const cpu = cpuBetween(before, treeCpu(exporter.pid))
    const done = asking.done() - doneBefore
    const seconds = (performance.now() - fromMs) / 1000
    return {
      cpuMs: cpu.total / done,
      checksPerSecond: done / seconds,
      memoryMb: treeMemoryMb(exporter.pid),
      firstRoundSeconds,
    }
  } finally {
    asking.stop()
    if (asking.failed() > 0) console.log(`${asking.failed()} checks failed: this measures something else`)
  }
}

type Asking = { firstRound: Promise<void>; done: () => number; failed: () => number; stop: () => void }

const tickMs = 20

/** As many targets as there are checks in an interval, one after the other. */
function startAsking(exporter: Exporter, checksPerSecond: number, urls: readonly string[]): Asking {
  const targets = checksPerSecond * intervalSeconds
  const startedMs = performance.now()
  const { promise: firstRound, resolve: endFirstRound } = Promise.withResolvers<void>()
  let [asked, done, failed] = [0, 0, 0]
  const ask = async (): Promise<void> => {
    try {
      await exporter.probe(urls[asked % urls.length] ?? '')
      done += 1
    } catch {
      failed += 1
    }
    if (done + failed === targets) endFirstRound()
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - startedMs) / 1000) * checksPerSecond
    for (; asked < due; asked += 1) void ask()
  }, tickMs)
  return { firstRound, done: () => done, failed: () => failed, stop: () => clearInterval(timer) }
}

import { addMonitors } from './support/installation.ts'
import { cpuBetween, treeCpu } from './support/process-tree.ts'
import { pause, type Service, withService } from './support/service.ts'
import { startTarget } from './support/target.ts'

type Rest = { name: string; monitors: number; intervalSeconds: number; goalMs: number }

const rests: readonly Rest[] = [
  { name: 'no monitors', monitors: 0, intervalSeconds: 60, goalMs: 3 },
  { name: '20 monitors every minute', monitors: 20, intervalSeconds: 60, goalMs: 5 },
  { name: '300 monitors every 10 s', monitors: 300, intervalSeconds: 10, goalMs: 30 },
]
/** Partitions are taken, first checks are made, and compiled code is collected, before anything is counted. */
const settleMs = 30_000
const measureMs = 60_000

/** CPU of an installation that has little or nothing to do; the whole process tree counts. */
export async function rest(): Promise<void> {
  const target = await startTarget({ isTls: false })
  try {
    const said: string[] = []
    for (const each of rests) said.push(await measure(each, target.urls))
    console.log(`rest: CPU of service and PostgreSQL, in ms a second: ${said.join('; ')}`)
  } finally {
    await target.stop()
  }
}

async function measure({ name, monitors, intervalSeconds, goalMs }: Rest, urls: readonly string[]): Promise<string> {
  return withService(
    {
      seed: async (seed) => {
        await addMonitors(seed, monitors, (index) => ({
          name: `Monitor ${index}`,
          url: urls[index % urls.length] ?? null,
          interval_seconds: intervalSeconds,
        }))
      },
    },
    async (service) => {
      const { own, below, total } = await cpuASecond(service)
      console.log(
        `${name}: ${total.toFixed(1)} ms a second (service ${own.toFixed(1)}, PostgreSQL ${below.toFixed(1)})`,
      )
      return `${name} ${total.toFixed(1)}, goal ${goalMs}`
    },
  )
}

async function cpuASecond({ pid }: Service): Promise<{ own: number; below: number; total: number }> {
  await pause(settleMs)
  const before = treeCpu(pid)
  const startedMs = performance.now()
  await pause(measureMs)
  const { own, below, total } = cpuBetween(before, treeCpu(pid))
  const seconds = (performance.now() - startedMs) / 1000
  return { own: own / seconds, below: below / seconds, total: total / seconds }
}

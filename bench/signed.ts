import { addDays, dayMs, dayOf, startOf } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { signNextDay } from '#store/results/signed-days.ts'
import { sumUpNextHours } from '#store/results/signed-hours.ts'
import { fillDay, type World } from './compaction.ts'
import { withEngine } from './support/engine.ts'
import { whole } from './support/figures.ts'
import { addMonitors } from './support/installation.ts'
import { type TreeCpu, cpuBetween, treeCpu } from './support/process-tree.ts'

/** A twentieth of the CPU of an HTTP check that is stored (docs/operating.md, "What does it take?"). */
const goalUs = 9.6

const worlds: (World & { intervalSeconds: number })[] = [
  { name: '1,000 monitors, each minute', monitors: 1_000, locations: 1, hasOutages: true, intervalSeconds: 60 },
  { name: '200 monitors, each 10 s', monitors: 200, locations: 1, hasOutages: true, intervalSeconds: 10 },
  { name: '1,000 monitors, each 5 minutes', monitors: 1_000, locations: 1, hasOutages: true, intervalSeconds: 300 },
]

/** Measures what signed history takes: CPU of each stored result, and bytes of each monitor and day. */
export async function signed(): Promise<void> {
  for (const world of worlds) {
    const us = await withEngine(
      async (seed) => void (await addMonitors(seed, world.monitors, (index) => ({ name: `Monitor ${index}` }))),
      async ({ foundation: { database, secrets } }) => signDay(database, signingKeys(database, secrets), world),
    )
    console.log(`signed, ${world.name}: ${us.toFixed(1)} us CPU a stored result, goal ${goalUs}`)
  }
}

async function signDay(
  database: Database,
  keys: ReturnType<typeof signingKeys>,
  world: (typeof worlds)[number],
): Promise<number> {
  const now = new Date()
  const day = dayOf(new Date(now.getTime() - 3 * dayMs))
  await sumUpNextHours(database, startOf(day))
  const checks = await fillDay(database, world, { day, intervalSeconds: world.intervalSeconds })
  const end = new Date(startOf(addDays(day, 1)).getTime() + 3 * 3_600_000)
  const summed = await measured(async () => {
    while ((await sumUpNextHours(database, end)) !== null);
  })
  const packed = await measured(async () => {
    while ((await signNextDay(database, keys)) !== null);
  })
  const each = (cpu: TreeCpu): string => `${((cpu.total * 1000) / checks).toFixed(1)} us`
  const bytes = await sizeOf(database)
  console.log(
    `  ${world.name}: ${whole(checks)} results; summed up ${each(summed)}, ` +
      `signed ${each(packed)}; ${whole(bytes / world.monitors)} B a monitor and day, ${(bytes / checks).toFixed(1)} B a result`,
  )
  return ((summed.total + packed.total) * 1000) / checks
}

async function measured(work: () => Promise<void>): Promise<TreeCpu> {
  const before = treeCpu(process.pid)
  await work()
  return cpuBetween(before, treeCpu(process.pid))
}

/** With indexes. */
async function sizeOf({ pool }: Database): Promise<number> {
  await pool.query('vacuum full signed_days')
  const found = await pool.query<{ bytes: number }>(`select pg_total_relation_size('signed_days')::float8 as bytes`)
  return found.rows[0]?.bytes ?? Number.NaN
}

// Days of a monitor that another tool counted, before there was the monitor here.
import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { type DayCounts, maxUptimeDays } from './uptime.ts'

/** Where days came from, as answers tell it. */
export const importedDaysSchema = z.strictObject({
  source: z.string().describe('What counted them, such as `Uptime Kuma`.'),
  from: z.iso.date(),
  to: z.iso.date(),
})
export type ImportedDays = z.infer<typeof importedDaysSchema>

/** More checks than ten locations make of a monitor in a day. */
const count = z.int().min(0).max(1_000_000)

const daySchema = z
  .strictObject({
    date: z.iso.date(),
    up: count,
    down: count,
    restricted: count.default(0).describe('Degraded checks.'),
    latency_ms: z
      .int()
      .min(0)
      .max(600_000)
      .nullable()
      .default(null)
      .describe('Average response time of the checks that were not down.'),
  })
  .refine(({ up, down, restricted }) => up + down + restricted > 0, {
    path: ['up'],
    error: 'A day without checks must be left out.',
  })

export const importedDaysInputSchema = z.strictObject({
  source: text({ min: 1, max: 80 }),
  days: z.array(daySchema).max(maxUptimeDays),
})
export type ImportedDaysInput = z.infer<typeof importedDaysInputSchema>

/** What is wrong with the days beyond their form, by the path of the field. `createdOn` is the monitor's first day here. */
export function importedDaysProblems({ days }: ImportedDaysInput, createdOn: string): Record<string, string[]> {
  const seen = new Set<string>()
  const problems: Record<string, string[]> = {}
  for (const [at, { date }] of days.entries()) {
    if (date >= createdOn) problems[`days.${at}.date`] = [`Must be before ${createdOn}, when the monitor was created.`]
    else if (date < earliestDay) problems[`days.${at}.date`] = [`Must not be before ${earliestDay}.`]
    else if (seen.has(date)) problems[`days.${at}.date`] = ['Must not occur twice.']
    seen.add(date)
  }
  return problems
}

const earliestDay = '2000-01-01'

export function toCounts({
  date,
  up,
  down,
  restricted,
  latency_ms: latencyMs,
}: ImportedDaysInput['days'][number]): DayCounts {
  const latencyCount = latencyMs === null ? 0 : up + restricted
  const latencySumMs = (latencyMs ?? 0) * latencyCount
  return { date, checks: up + down + restricted, up, down, restricted, latencySumMs, latencyCount }
}

import { z } from 'zod'

const daysSchema = z.object({
  data: z.array(z.object({ checks: z.int(), up: z.int(), down: z.int(), restricted: z.int() })),
  from: z.string(),
  to: z.string(),
})

/** All days of an answer of `get_uptime` in one sentence, however many of them are shown; null where there are none. */
export function uptimeNote(body: unknown): string | null {
  const parsed = daysSchema.safeParse(body)
  if (!parsed.success || parsed.data.data.length === 0) return null
  const { data: days, from, to } = parsed.data
  const checks = sum(days.map((day) => day.checks))
  const down = sum(days.map((day) => day.down))
  // Degraded counts as up (docs/decisions/history-and-uptime.md).
  const percent = checks === 0 ? '' : `, ${((100 * (checks - down)) / checks).toFixed(3)} percent uptime`
  return `In all, ${from} to ${to}: ${checks} checks, ${down} of them down${percent}.`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

import { type DayCounts, noChecks } from '#core/results/uptime.ts'

/** A day's counts; `checks` is their sum. */
export function testDay(date: string, counts: Partial<Omit<DayCounts, 'date' | 'checks'>> = {}): DayCounts {
  const day = { ...noChecks, date, ...counts }
  return { ...day, checks: day.up + day.down + day.restricted }
}

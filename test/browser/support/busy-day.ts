import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { type Checked, addResults } from '../../support/monitors.ts'

const stepMs = 10_000
const anHour = 3_600_000 / stepMs
const locations = ['here', 'there', 'yonder']

/**
 * Checks of the last 24 hours, every ten seconds from three locations: slow in the first hour, none in the fifth, and
 * failed for five minutes after twelve, 30 a location.
 */
export async function addBusyDay(database: Database, monitorId: string): Promise<void> {
  const begin = Math.floor(Date.now() / stepMs) * stepMs - dayMs
  for (let hour = 0; hour < 24; hour += 1) {
    if (hour === 4) continue
    const ticks = Array.from({ length: anHour }, (_, index) => hour * anHour + index)
    const checks = ticks.flatMap((tick) =>
      locations.map((location, place) => checkOf({ tick, location, place }, begin)),
    )
    await addResults(database, monitorId, checks)
  }
}

/** As if the hours before the last six had been merged by a release that kept no histograms of hours. */
export function forgetHours(name: string): string {
  const ofMonitor = `(select key from monitors where name = '${name}')`
  return `
    delete from latency_hours where monitor_key = ${ofMonitor};
    insert into result_merges (monitor_key, merged_until, due_at)
    values (${ofMonitor}, date_trunc('hour', now()) - interval '6 hours', now())
    on conflict (monitor_key) do update
    set merged_until = greatest(result_merges.merged_until, excluded.merged_until)`
}

type Place = { tick: number; location: string; place: number }

function checkOf({ tick, location, place }: Place, begin: number): Checked {
  const at = new Date(begin + tick * stepMs)
  const latencyMs = (tick < anHour ? 900 : 100 + place * 150) + ((tick * 23) % 70)
  const phases = { dnsMs: 3, connectMs: 8, tlsMs: 21, ttfbMs: latencyMs - 36, transferMs: 4 }
  const isFailed = tick >= 12 * anHour && tick < 12 * anHour + 30
  return isFailed
    ? { at, location, status: 'down', statusCode: null, latencyMs: null, error: 'Connection refused' }
    : { at, location, latencyMs, phases }
}

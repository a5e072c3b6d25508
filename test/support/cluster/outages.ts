import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Database } from '#store/database/database.ts'
import type { Received } from '../receiver.ts'

/** A time in which these monitors' targets failed. */
export type Outage = { event: string; monitorIds: readonly string[]; from: Date; to: Date }

export type Incident = { id: string; monitor_id: string; started_at: Date; resolved_at: Date | null; cause: string }

const told = z.looseObject({
  type: z.enum(['monitor.down', 'monitor.up']),
  data: z.looseObject({ incident: z.looseObject({ id: z.string() }) }),
})

/** A check that was under way as its target failed is of a round that began before. */
const underWayMs = 3_000

/** Each outage is one incident of each of its monitors, which is over, and there is no other. */
export async function assertIncidents({ pool }: Database, outages: readonly Outage[]): Promise<Incident[]> {
  const { rows } = await pool.query<Incident>(
    'select id, monitor_id, started_at, resolved_at, cause from incidents order by started_at',
  )
  const left = new Set(rows)
  for (const { event, monitorIds, from, to } of outages)
    for (const monitorId of monitorIds) {
      const all = rows.filter((row) => row.monitor_id === monitorId)
      const own = all.filter(({ started_at: at }) => at.getTime() >= from.getTime() - underWayMs && at <= to)
      const [incident] = own
      assert.ok(
        incident !== undefined && own.length === 1,
        `${event}: ${own.length} incidents of ${monitorId} from ${from.toISOString()} to ${to.toISOString()}; all it had: ${all.map(({ started_at: at }) => at.toISOString()).join(', ')}`,
      )
      assert.ok(incident.resolved_at !== null, `${event}: the incident of ${monitorId} is not over`)
      left.delete(incident)
    }
  assert.deepEqual([...left], [], 'incidents without an outage')
  return rows
}

/**
 * Down and up of every incident arrived, each under one id however often. Returns the most seconds that passed from the
 * round that opened an incident to its first alert.
 */
export function assertAlerts(incidents: readonly Incident[], received: readonly Received[]): number {
  const ids = new Map<string, Set<string>>()
  const delays = new Map<string, number>()
  const startedAt = new Map(incidents.map(({ id, started_at }) => [id, started_at.getTime()]))
  for (const { headers, body, at } of received) {
    const { type, data } = told.parse(JSON.parse(body))
    const turn = `${data.incident.id} ${type}`
    ids.set(turn, (ids.get(turn) ?? new Set()).add(String(headers['webhook-id'])))
    const ms = performance.timeOrigin + at - (startedAt.get(data.incident.id) ?? 0)
    if (type === 'monitor.down' && !delays.has(turn)) delays.set(turn, ms)
  }
  const wanted = incidents.flatMap(({ id }) => [`${id} monitor.down`, `${id} monitor.up`])
  assert.deepEqual(new Set(ids.keys()), new Set(wanted), 'turns of incidents that were told')
  for (const [turn, names] of ids) assert.equal(names.size, 1, `${turn} was told under ${names.size} ids`)
  return Math.max(0, ...delays.values()) / 1000
}

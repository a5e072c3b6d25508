import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Database } from '#store/database.ts'
import type { Received } from '../receiver.ts'

/** A time in which these monitors' targets failed. */
export type Outage = { event: string; monitorIds: readonly string[]; from: Date; to: Date }

const told = z.looseObject({
  type: z.enum(['monitor.down', 'monitor.up']),
  data: z.looseObject({ incident: z.looseObject({ id: z.string() }) }),
})

type Incident = { id: string; monitor_id: string; started_at: Date; resolved_at: Date | null }

/** Each outage is one incident of each of its monitors, and there is no other. Returns them by event. */
export async function assertIncidents(
  { pool }: Database,
  outages: readonly Outage[],
): Promise<Map<string, Incident[]>> {
  const { rows } = await pool.query<Incident & { cause: string }>(
    'select id, monitor_id, started_at, resolved_at, cause from incidents order by started_at',
  )
  const left = new Set(rows)
  const found = new Map<string, Incident[]>()
  for (const { event, monitorIds, from, to } of outages)
    for (const monitorId of monitorIds) {
      const own = rows.filter(
        ({ monitor_id, started_at }) => monitor_id === monitorId && started_at >= from && started_at <= to,
      )
      assert.equal(
        own.length,
        1,
        `${event}: ${own.length} incidents of ${monitorId} between ${from.toISOString()} and ${to.toISOString()}`,
      )
      for (const incident of own) {
        left.delete(incident)
        assert.ok(incident.resolved_at !== null, `${event}: the incident of ${monitorId} is not over`)
        found.set(event, [...(found.get(event) ?? []), incident])
      }
    }
  assert.deepEqual([...left], [], 'incidents without an outage')
  return found
}

/** Down and up of every incident arrived, each under one id however often. Returns when each first down alert came. */
export function assertAlerts(incidents: readonly Incident[], received: readonly Received[]): Map<string, number> {
  const ids = new Map<string, Set<string>>()
  const downs = new Map<string, number>()
  for (const { headers, body, at } of received) {
    const { type, data } = told.parse(JSON.parse(body))
    const turn = `${data.incident.id} ${type}`
    ids.set(turn, (ids.get(turn) ?? new Set()).add(String(headers['webhook-id'])))
    if (type === 'monitor.down' && !downs.has(data.incident.id)) downs.set(data.incident.id, at)
  }
  const wanted = incidents.flatMap(({ id }) => [`${id} monitor.down`, `${id} monitor.up`])
  assert.deepEqual(new Set(ids.keys()), new Set(wanted), 'turns of incidents that were told')
  for (const [turn, names] of ids) assert.equal(names.size, 1, `${turn} was told under ${names.size} ids`)
  return downs
}

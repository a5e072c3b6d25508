import assert from 'node:assert/strict'
import { z } from 'zod'
import { type EngineBench, standingOf } from './engine.ts'
import { until } from './until.ts'

const created = z.object({ data: z.object({ id: z.string() }), heartbeat_url: z.string() })

export type Heartbeat = {
  id: string
  call: (suffix?: string, options?: { method?: string; body?: string }) => Promise<Response>
}

export async function createHeartbeat(bench: EngineBench, input: object = {}): Promise<Heartbeat> {
  const body = { name: 'Backup', kind: 'heartbeat', interval_seconds: 60, recovery_threshold: 1, ...input }
  const answer = await bench.api.post('/monitors', body)
  assert.equal(answer.status, 201, answer.text)
  const { data, heartbeat_url: url } = created.parse(answer.body)
  assert.match(url, /^http:\/\/perigee\.test\/ping\/[\w-]{32}$/)
  await until('it is watched', async () => bench.engine.watching >= 1)
  return {
    id: data.id,
    call: async (suffix = '', { method = 'GET', body: text } = {}) =>
      bench.api.app.request(
        `${url}${suffix}`,
        { method, ...(text === undefined ? {} : { body: text }) },
        { address: '192.0.2.9' },
      ),
  }
}

export async function statusIs(bench: EngineBench, id: string, status: string): Promise<void> {
  await until(`status ${status}`, async () => (await standingOf(bench.database, id)).current_status === status)
}

/** Makes the deadline of a monitor pass now, in the table and, by a comparison, in the engine. */
export async function passDeadline(bench: EngineBench, id: string, secondsAgo = 1): Promise<void> {
  await bench.database.pool.query(
    `with moved as (
      update monitors set version = version + 1 where id = $1 returning key, version
    )
    update monitor_state s
    set deadline_at = now() - make_interval(secs => $2), version = moved.version
    from moved
    where s.monitor_key = moved.key`,
    [id, secondsAgo],
  )
  bench.bus.announceChange({ monitorId: id, partition: 0 })
}

/** Seconds from now to the deadline, as the table has it. */
export async function aheadOf({ database }: EngineBench, id: string): Promise<number> {
  const { rows } = await database.pool.query<{ ahead: number }>(
    `select extract(epoch from s.deadline_at - now())::float8 as ahead
    from monitor_state s
    join monitors m on m.key = s.monitor_key
    where m.id = $1`,
    [id],
  )
  return rows[0]?.ahead ?? assert.fail('it has no deadline')
}

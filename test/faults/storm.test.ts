import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { underFault } from '../support/faults/fault-report.ts'
import { faultFolder, type FaultyService, startFaultyService } from '../support/faults/faulty-service.ts'
import { httpServer } from '../support/http-server.ts'
import { pause } from '../support/pause.ts'
import { freePort } from '../support/free-port.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const children = 250
const others = 250
const createsAtOnce = 10
const contacts = 10
/** These gather what they are told into bundles. */
const bundling = 3
const kills = 20
/** The target fails, or works again, after so many kills: a storm lasts for longer than the service lives. */
const killsPerTurn = 4
const [shortestLifeMs, longestLifeMs] = [300, 4_000]
const intervalSeconds = 10
const firstWithinMs = 10_000
/** An attempt and what is written of it have ended by then, so that a kill that comes later doubles nothing. */
const longestAttemptMs = 5_000
/** All windows of bundles, and what waited for its parents. */
const settleMs = 240_000
const identified = z.looseObject({ data: z.looseObject({ id: z.string() }) })

type Kill = { at: number; spawnedAt: number; waiting: number }

describe('a storm in which the service is killed again and again', async () => {
  let isDown = false
  const target = await httpServer((_request, response) => response.writeHead(isDown ? 500 : 200).end())
  const receiver = await startReceiver()
  const folder = faultFolder()
  const environment = {
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
    PERIGEE_PORT: String(await freePort()),
    PERIGEE_PLANS: JSON.stringify({ pro: { slots: 5000 } }),
  }
  let service = await startFaultyService(folder, { environment })
  const read = async <Row extends object>(statement: string): Promise<Row[]> => {
    const database = openDatabase({ connection: runningConnection(join(folder, 'data')), maxConnections: 1 })
    try {
      return (await database.pool.query<Row>(statement)).rows
    } finally {
      await database.close()
    }
  }

  it('loses no alert, and doubles only what was on its way', { timeout: 600_000 }, async (t) => {
    await fill(service, { targetUrl: `http://127.0.0.1:${target.port}`, receiverUrl: receiver.url })
    await service.untilAllUp(new Date(), 60_000)
    const killed: Kill[] = []
    await underFault('it is killed again and again in a storm', async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        if (kill % killsPerTurn === 0) isDown = !isDown
        await pause(shortestLifeMs + Math.random() * (longestLifeMs - shortestLifeMs))
        service.perigee.child.kill('SIGKILL')
        assert.equal(await service.perigee.ended(), 'SIGKILL')
        const at = performance.now()
        service = await startFaultyService(folder, { environment })
        const [row] = await read<{ count: number }>(waitingStatement)
        killed.push({ at, spawnedAt: at, waiting: row?.count ?? 0 })
      }
      isDown = false
      await until('all alerts to end', async () => isQuiet(await read<Left>(leftStatement)), settleMs)
    })
    assertFirsts(killed, receiver.received)
    const told = await read<Told>(toldStatement)
    assertToldOnce(told)
    const doubled = assertArrived(told, { killed, received: receiver.received })
    const messages = receiver.received.length
    t.diagnostic(JSON.stringify({ alerts: told.length, messages, doubled, kills: killed.length }))
  })
})

async function fill(service: FaultyService, of: { targetUrl: string; receiverUrl: string }): Promise<void> {
  const add = async (path: string, body: object): Promise<string> =>
    identified.parse(await service.ask('POST', path, body)).data.id
  for (let index = 0; index < contacts; index += 1)
    await add('/alert-channels', {
      name: `Contact ${index}`,
      kind: 'webhook',
      destination: `${of.receiverUrl}/${index}`,
      alert_rules: index < bundling ? { bundle: true } : null,
    })
  const monitor = (name: string, dependsOn: readonly string[]): Promise<string> =>
    add('/monitors', {
      name,
      url: `${of.targetUrl}/${encodeURIComponent(name)}`,
      interval_seconds: intervalSeconds,
      recovery_threshold: 1,
      depends_on: dependsOn,
    })
  const parent = await monitor('Gateway', [])
  const wanted = [
    ...Array.from({ length: children }, (_, index) => ({ name: `child ${index}`, of: [parent] })),
    ...Array.from({ length: others }, (_, index) => ({ name: `other ${index}`, of: [] })),
  ]
  for (let from = 0; from < wanted.length; from += createsAtOnce)
    await Promise.all(wanted.slice(from, from + createsAtOnce).map(({ name, of: ids }) => monitor(name, ids)))
}

const waitingStatement = `
select count(*)::integer as count
from deliveries
where state = 'pending'
  and bundle_id is null
  and due_at <= now()
  and alert ->> 'type' <> 'alerts.bundle'`

type Left = { pending: number; open: number }

const leftStatement = `
select
  (select count(*)::integer from deliveries where state = 'pending') as pending,
  (select count(*)::integer from incidents where status <> 'resolved') as open`

function isQuiet([left]: readonly Left[]): boolean {
  return left?.pending === 0 && left.open === 0
}

/** After each start that found an alert to send, the first one arrives soon. */
function assertFirsts(killed: readonly Kill[], received: readonly Received[]): void {
  for (const { spawnedAt, waiting } of killed) {
    if (waiting === 0) continue
    const first = received.find(({ at }) => at > spawnedAt)?.at ?? Number.POSITIVE_INFINITY
    assert.ok(first - spawnedAt < firstWithinMs, `the first of ${waiting} came ${first - spawnedAt} ms after a start`)
  }
  assert.ok(
    killed.some(({ waiting }) => waiting > 0),
    'a kill left alerts behind',
  )
}

type Told = { incident: string; contact: string; downs: string[]; ups: string[]; ids: string[] }

const toldStatement = `
select
  i.id as incident, c.name as contact,
  coalesce(array_agg(d.state) filter (where d.alert ->> 'type' = 'monitor.down'), '{}') as downs,
  coalesce(array_agg(d.state) filter (where d.alert ->> 'type' = 'monitor.up'), '{}') as ups,
  coalesce(array_agg(coalesce(d.bundle_id, d.id)::text) filter (where d.state = 'delivered'), '{}') as ids
from incidents i
cross join alert_channels c
left join deliveries d on d.incident_id = i.id and d.alert_channel_id = c.id
group by i.id, c.name, c.id`

/** Each contact has one outcome of each outage, and is told of the end where it was told of the beginning. */
function assertToldOnce(told: readonly Told[]): void {
  for (const each of told) {
    const what = JSON.stringify(each)
    assert.equal(each.downs.length, 1, what)
    assert.ok(each.downs[0] === 'delivered' || each.downs[0] === 'dropped', what)
    assert.deepEqual(each.ups, each.downs[0] === 'delivered' ? ['delivered'] : [], what)
  }
}

/** What counts as delivered arrived, and what arrived twice was on its way when the service was killed. */
function assertArrived(told: readonly Told[], of: { killed: readonly Kill[]; received: readonly Received[] }): number {
  const arrivals = Map.groupBy(of.received, ({ headers }) => String(headers['webhook-id']))
  for (const id of new Set(told.flatMap(({ ids }) => ids))) assert.ok(arrivals.has(id), `${id} never arrived`)
  const doubled = [...arrivals.values()].filter(({ length }) => length > 1)
  for (const [first, ...again] of doubled)
    for (const { at } of again) {
      const isInFlight = of.killed.some((kill) => kill.at < at && kill.at - (first?.at ?? 0) < longestAttemptMs)
      assert.ok(isInFlight, `${String(first?.headers['webhook-id'])} came twice without a kill`)
    }
  return doubled.length
}

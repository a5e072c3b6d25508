// An installation of twelve processes at its daily work, while one part after the other dies. `-- --long`: five times each.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { monitorSchema } from '#core/monitors/monitor.ts'
import type { ProcessRole } from '#config/roles.ts'
import { createClient } from '../support/kills/client.ts'
import { lookAtAftermath } from '../support/cluster/aftermath.ts'
import { type Called, type Callers, rhythm, startCallers } from '../support/cluster/heartbeats.ts'
import { startFarm } from '../support/cluster/farm.ts'
import { type Installation, type Member, ownerToken, startInstallation } from '../support/cluster/installation.ts'
import type { Outage } from '../support/cluster/outages.ts'
import { type PlaceApart, placeApart } from '../support/cluster/place-apart.ts'
import { table } from '../support/cluster/table.ts'
import { isStored, openTap } from '../support/cluster/tap.ts'
import { type Gaps, readGaps, untilAnswered, untilTakenOver } from '../support/cluster/watch.ts'
import { startMailServer } from '../support/mail-server.ts'
import { noNatsServer } from '../support/nats-server.ts'
import { pause } from '../support/pause.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const locations = ['amsterdam', 'boston', 'chennai']
const cutLocation = 'chennai'
const intervalMs = 10_000
const probed = 440
const jobs = 60
const triple = 11
const createsAtOnce = 10
/** Targets that fail around each event: some before it, some after. */
const failingEach = 16
const times = process.env['PERIGEE_TEST_LONG'] === undefined ? 1 : 5
const operator = 'operator@example.com'

type Event = {
  name: string
  /** Resolves with the seconds until others had taken over, or what was away was back. */
  strike: () => Promise<number | null>
  /** Puts things as they were. */
  mend: () => Promise<void>
  /** From the strike to its mending, and to the next event. */
  mendAfterMs: number
  lastsMs: number
  without?: string | undefined
  /** What strikes meanwhile, one after the other. */
  meanwhile?: Event[]
}

type Row = Gaps & { event: string; takeover: number | null }

const created = z.looseObject({ data: monitorSchema, heartbeat_url: z.string().nullish() })

describe('a cluster at its daily work', { skip: noNatsServer }, async () => {
  const apart = placeApart()
  const farm = await startFarm(apart.host)
  const receiver = await startReceiver()
  const mail = await startMailServer()
  const installation = await startInstallation({
    locations,
    apart,
    counts: { api: 2, engine: 2, jobs: 2, probersEach: 2 },
    environment: {
      PERIGEE_PLANS: JSON.stringify({ pro: { slots: 5000 } }),
      PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
      PERIGEE_READS_PER_MINUTE: '1000000',
      PERIGEE_WRITES_PER_MINUTE: '1000000',
      PERIGEE_PUBLIC_URL: 'https://perigee.example.com',
      PERIGEE_OPERATOR_EMAIL: operator,
      PERIGEE_SMTP_URL: mail.url,
    },
    reference: farm.address,
  })
  const { database } = installation
  const tap = await openTap(installation.hub.optionsOf('core'))
  installation.beforeEnd(tap.close)
  const [api = assert.fail(), ...otherApis] = installation.of('api')
  const client = createClient({ url: api.url, token: ownerToken })
  const ids: string[] = []
  const outages: Outage[] = []
  const rows: Row[] = []
  let begun = 0

  it(
    'loses nothing, counts nothing twice, tells every outage once and no other',
    { timeout: 900_000 * times },
    async () => {
      const calls = await fill()
      const callers = startCallers(
        calls,
        [api, ...otherApis].map(({ url }) => url),
      )
      await untilAllChecked()
      for (let time = 0; time < times; time += 1) for (const event of events(installation, apart)) await around(event)
      await settled()
      await untilQuiet(callers)
      await report(calls)
    },
  )

  async function fill(): Promise<Called[]> {
    const hook = { name: 'Receiver', kind: 'webhook', destination: receiver.url }
    await client.persist({ method: 'POST', path: '/alert-channels', body: hook })
    await until(
      'the locations are known',
      async () => {
        const found = await database.pool.query('select 1 from locations')
        return found.rowCount === locations.length
      },
      30_000,
    )
    const common = {
      interval_seconds: intervalMs / 1000,
      timeout_ms: 3_000,
      failure_threshold: 1,
      recovery_threshold: 1,
    }
    const inputs = [
      ...Array.from({ length: probed }, (_, number) => ({
        ...common,
        name: `target ${number}`,
        kind: 'http',
        url: farm.urlOf(number),
        ...(number % triple === 0
          ? { locations, confirmation_threshold: 2 }
          : { locations: [locations[number % locations.length]] }),
      })),
      ...Array.from({ length: jobs }, (_, number) => ({
        ...common,
        ...rhythm,
        name: `job ${number}`,
        kind: 'heartbeat',
      })),
    ]
    const calls: Called[] = []
    for (let from = 0; from < inputs.length; from += createsAtOnce)
      for (const { data, heartbeat_url: url } of await Promise.all(
        inputs.slice(from, from + createsAtOnce).map(create),
      ))
        if (url === undefined || url === null) ids.push(data.id)
        else calls.push({ id: data.id, url, answered: 0, unknown: 0, slowestMs: 0 })
    return calls
  }

  async function create(body: Record<string, unknown>): Promise<z.infer<typeof created>> {
    const answer = await client.persist({ method: 'POST', path: '/monitors', body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return created.parse(answer.body)
  }

  function untilAllChecked(): Promise<void> {
    return until(
      'every monitor is up',
      async () => {
        const found = await database.pool.query(`select 1 from monitor_state where current_status <> 'up'`)
        return found.rowCount === 0
      },
      120_000,
    )
  }

  async function around(event: Event): Promise<void> {
    const numbers = failingNumbers(begun, event.without)
    begun += 1
    const half = numbers.length / 2
    const outage = {
      event: event.name,
      monitorIds: numbers.map((number) => ids[number] ?? assert.fail()),
      from: new Date(),
    }
    farm.fail(numbers.slice(0, half))
    await pause(3_000)
    const at = new Date()
    const [takeover] = await Promise.all([event.strike(), failSoon(numbers.slice(half))])
    for (const other of event.meanwhile ?? []) await around({ ...other, without: event.without })
    await pause(Math.max(0, at.getTime() + event.mendAfterMs - Date.now()))
    const mending = event.mend()
    await pause(Math.max(0, at.getTime() + event.lastsMs - Date.now()))
    await mending
    farm.recover(numbers)
    const gaps = await readGaps(database, at, event.without ?? null)
    outages.push({ ...outage, to: new Date() })
    rows.push({ event: event.name, takeover, ...gaps })
  }

  async function failSoon(numbers: readonly number[]): Promise<void> {
    await pause(1_000)
    farm.fail(numbers)
  }

  /** The last outage is over for every monitor, and one more round of all is done. */
  async function settled(): Promise<void> {
    await until(
      'all targets are seen up',
      async () => {
        const found = await database.pool.query(
          `select 1 from monitor_state where current_status <> 'up' or last_checked_at < now() - interval '25 seconds'`,
        )
        return found.rowCount === 0
      },
      90_000,
    )
  }

  /**
   * Waits until no result is left at probers or broker and no alert is left to deliver. Deadlines end with the engines.
   */
  async function untilQuiet(callers: Callers): Promise<void> {
    await stop('prober')
    await until(
      'all alerts are delivered',
      async () => {
        const found = await database.pool.query(`select 1 from deliveries where state = 'pending'`)
        return found.rowCount === 0
      },
      150_000,
    )
    await callers.stop()
    await until('what the broker had is stored', () => isStored(database, tap), 60_000)
    await stop('engine')
  }

  async function stop(role: ProcessRole): Promise<void> {
    const members = installation.of(role)
    for (const { signal } of members) signal('SIGTERM')
    for (const { ended, stderr } of members) assert.equal(await ended(), 0, `${role}: ${stderr()}`)
  }

  async function report(called: readonly Called[]): Promise<void> {
    const { figures, problems } = await lookAtAftermath({ database, tap, called, outages, received: receiver.received })
    const processes = installation.members.length
    console.log(`${probed + jobs} monitors, ${processes} processes; ${cutLocation} is cut off by ${apart.means}`)
    const heads = ['event', 'taken over, s', 'all checked again, s', 'longest gap, s', 'results']
    console.log(
      table(
        heads,
        rows.map(({ event, takeover, again, longest, results }) => [event, takeover, again, longest, results]),
      ),
    )
    for (const figure of figures) console.log(figure)
    for (const { event, again, unchecked } of rows) {
      if (unchecked > 0) problems.push(`${event}: ${unchecked} monitors were not checked again`)
      if (again > (2 * intervalMs) / 1000)
        problems.push(`${event}: the last monitor was checked again after ${again} s`)
    }
    const notices = mail.received.filter(({ to }) => to.includes(operator)).length
    if (notices !== times) problems.push(`${notices} notices of a missing location`)
    if (problems.length > 0)
      for (const { role, stderr } of installation.members) console.log(role, stderr().slice(-1500))
    assert.equal(problems.length, 0, problems.join('\n'))
  }
})

/** Other monitors each time; none that only the location checks which is cut off. */
function failingNumbers(event: number, without: string | undefined): number[] {
  const from = (event * failingEach * 2) % (probed - 2 * failingEach)
  const numbers = Array.from({ length: 2 * failingEach }, (_, index) => from + index)
  return numbers
    .filter((number) => number % triple === 0 || locations[number % locations.length] !== without)
    .slice(0, failingEach)
}

function events(installation: Installation, apart: PlaceApart): Event[] {
  const { database, hub, postgres } = installation
  const [engine = assert.fail(), otherEngine = assert.fail()] = installation.of('engine')
  const [, api = assert.fail()] = installation.of('api')
  const [prober = assert.fail()] = installation.of('prober')
  const [worker = assert.fail()] = installation.of('jobs')
  const usual = { mendAfterMs: 14_000, lastsMs: 24_000 }
  const kill = (name: string, victim: Member): Event => ({
    name: `kill -9 ${name}`,
    strike: async () => {
      victim.signal('SIGKILL')
      return victim.role === 'engine' ? untilTakenOver(database, victim.pid(), 20_000) : null
    },
    mend: victim.start,
    ...usual,
  })
  return [
    kill('an engine', engine),
    kill('a prober', prober),
    {
      // Long enough for the service to tell the operator, once, that the location has no prober left.
      name: `cut off ${cutLocation}`,
      meanwhile: [
        // First, because no check waits for it: how soon all were checked after the cut is another question.
        kill('an api', api),
        {
          name: 'kill -9 the broker, back after 3 s',
          strike: async () => {
            await hub.server.kill()
            await pause(3_000)
            await hub.server.start()
            return 3
          },
          mend: async () => {},
          ...usual,
        },
        {
          name: 'restart PostgreSQL at once',
          strike: async () => {
            process.kill(postgres.pid(), 'SIGQUIT')
            await pause(500)
            return 0.5 + (await untilAnswered(database, 30_000))
          },
          mend: async () => {},
          ...usual,
        },
        {
          name: 'stop an engine for 30 s',
          strike: async () => {
            otherEngine.signal('SIGSTOP')
            return untilTakenOver(database, otherEngine.pid(), 20_000)
          },
          mend: async () => otherEngine.signal('SIGCONT'),
          mendAfterMs: 30_000,
          lastsMs: 42_000,
        },
        kill('a jobs process', worker),
      ],
      strike: async () => {
        apart.cut()
        return null
      },
      mend: async () => apart.mend(),
      mendAfterMs: 165_000,
      lastsMs: 185_000,
      without: cutLocation,
    },
  ]
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type Callers, startCallers } from '../support/faults/callers.ts'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { type Installation, startInstallation } from '../support/faults/installation.ts'
import { startOperator } from '../support/faults/operator-mail.ts'
import { httpServer } from '../support/http-server.ts'
import { noNatsServer } from '../support/nats-server.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'

const intervalMs = 10_000
const timeoutMs = 3_000
const slackMs = 10_000
const lateMs = intervalMs + timeoutMs + slackMs
/** After the broker is there again, its clients find it within some seconds. */
const joinMs = 10_000
const brieflyMs = 30_000
const killedMs = 20_000
/** A location that is missing for two minutes is told to the operator, within half a minute. */
const missingMs = 155_000
const targets = ['one', 'two', 'three', 'four']
const victim = 'two'
const locations = z.looseObject({ data: z.array(z.unknown()) })

type Fault = {
  what: string
  begin: (installation: Installation) => Promise<void>
  end: (installation: Installation) => Promise<void>
  lastingMs: number
}

const faults: readonly Fault[] = [
  {
    what: 'its location is cut off from the broker',
    begin: async ({ cables }) => cables.prober.cut(),
    end: async ({ cables }) => cables.prober.mend(),
    lastingMs: brieflyMs,
  },
  {
    what: 'its broker is cut off from all',
    begin: async ({ cables }) => [cables.core, cables.prober].forEach(({ cut }) => cut()),
    end: async ({ cables }) => [cables.core, cables.prober].forEach(({ mend }) => mend()),
    lastingMs: missingMs,
  },
  {
    what: 'its broker is killed',
    begin: ({ broker }) => broker.kill(),
    end: ({ broker }) => broker.start(),
    lastingMs: killedMs,
  },
]

/** Each has an installation of its own, so that the longest of them is waited for and not all. */
describe('an installation', { skip: noNatsServer, concurrency: true }, () => {
  for (const fault of faults)
    it(`opens no incident while ${fault.what}, and tells an outage that began meanwhile`, { timeout: 280_000 }, () =>
      play(fault),
    )
})

async function play({ what, begin, end, lastingMs }: Fault): Promise<void> {
  const gone = new Set<string>()
  const target = await httpServer(({ url = '' }, response) => {
    response.writeHead(gone.has(url) ? 500 : 200).end()
  })
  const operator = await startOperator()
  const installation = await startInstallation({ ...operator.environment, PERIGEE_ALLOW_PRIVATE_TARGETS: 'true' })
  const { service, troubles } = installation
  const callers = startCallers(() => service)
  await watch(installation, callers, target.port)
  await underFault(what, async (outcome) => {
    const mailsBefore = operator.mails().length
    await begin(installation)
    try {
      await pause(lastingMs / 2)
      gone.add(`/${victim}`)
      await pause(lastingMs / 2)
      outcome.told = [...(await troubles()), ...operator.mails().slice(mailsBefore)]
    } finally {
      await end(installation)
    }
    await expectTold(outcome, victim, { withinMs: joinMs + lateMs, isTold: () => service.isDown(victim) })
    await pause(intervalMs + timeoutMs)
    outcome.falseIncidents = await service.incidentsBeside(victim)
    outcome.lost = await callers.lost()
    assert.ok(callers.answered() > 0)
    assert.notDeepEqual(outcome.told, [])
  })
}

/** Targets are watched and calls are taken while all is well. */
async function watch({ service }: Installation, callers: Callers, port: number): Promise<void> {
  const isLocated = async (): Promise<boolean> =>
    locations.parse(await service.ask('GET', '/locations')).data.length > 0
  await until('the location is known', isLocated)
  for (const name of targets)
    await service.ask('POST', '/monitors', {
      name,
      url: `http://127.0.0.1:${port}/${name}`,
      interval_seconds: intervalMs / 1_000,
      timeout_ms: timeoutMs,
      failure_threshold: 1,
    })
  for (const name of ['job 1', 'job 2', 'job 3'])
    await callers.begin(name, { interval_seconds: intervalMs / 1_000, heartbeat_grace_seconds: 5 })
  await service.untilAllUp(new Date(), 60_000)
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { startCallers } from '../support/faults/callers.ts'
import { expectTold, type Outcome, underFault } from '../support/faults/fault-report.ts'
import { startInstallation } from '../support/faults/installation.ts'
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
const targets = ['one', 'two', 'three', 'four', 'five', 'six']
const locations = z.looseObject({ data: z.array(z.unknown()) })

describe('an installation whose broker is cut off', { skip: noNatsServer }, async () => {
  const gone = new Set<string>()
  const target = await httpServer(({ url = '' }, response) => {
    response.writeHead(gone.has(url) ? 500 : 200).end()
  })
  const operator = await startOperator()
  const { broker, cables, service, troubles } = await startInstallation({
    ...operator.environment,
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
  })
  const callers = startCallers(() => service)
  const isLocated = async (): Promise<boolean> =>
    locations.parse(await service.ask('GET', '/locations')).data.length > 0
  const all = [cables.core, cables.prober]

  it('watches targets and takes calls while all is well', async () => {
    await until('the location is known', isLocated)
    for (const name of targets)
      await service.ask('POST', '/monitors', {
        name,
        url: `http://127.0.0.1:${target.port}/${name}`,
        interval_seconds: intervalMs / 1_000,
        timeout_ms: timeoutMs,
        failure_threshold: 1,
      })
    for (const name of ['job 1', 'job 2', 'job 3'])
      await callers.begin(name, { interval_seconds: intervalMs / 1_000, heartbeat_grace_seconds: 5 })
    await service.untilAllUp(new Date(), 60_000)
  })

  const faults = [
    {
      what: 'its location is cut off from the broker',
      begin: async () => cables.prober.cut(),
      end: async () => cables.prober.mend(),
      lastingMs: brieflyMs,
    },
    {
      what: 'its broker is cut off from all',
      begin: async () => all.forEach(({ cut }) => cut()),
      end: async () => all.forEach(({ mend }) => mend()),
      lastingMs: missingMs,
    },
    { what: 'its broker is killed', begin: () => broker.kill(), end: () => broker.start(), lastingMs: killedMs },
  ]
  for (const [index, { what, begin, end, lastingMs }] of faults.entries())
    it(`opens no incident while ${what}, and tells an outage that began meanwhile`, { timeout: 280_000 }, async () => {
      const victim = targets[index] ?? assert.fail()
      await underFault(what, async (outcome) => {
        const mailsBefore = operator.mails().length
        await begin()
        try {
          await pause(lastingMs / 2)
          gone.add(`/${victim}`)
          await pause(lastingMs / 2)
          outcome.told = [...(await troubles()), ...operator.mails().slice(mailsBefore)]
        } finally {
          await end()
        }
        await expectTold(outcome, victim, { withinMs: joinMs + lateMs, isTold: () => service.isDown(victim) })
        await judge(outcome, index)
        assert.notDeepEqual(outcome.told, [])
      })
    })

  async function judge(outcome: Outcome, index: number): Promise<void> {
    await pause(intervalMs + timeoutMs)
    outcome.falseIncidents = await service.incidentsBeside(...targets.slice(0, index + 1))
    outcome.lost = await callers.lost()
    assert.ok(callers.answered() > 0)
  }
})

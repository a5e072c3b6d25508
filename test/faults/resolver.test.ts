import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { startOperator } from '../support/faults/operator-mail.ts'
import { hosts, namedHost, twoNetworks } from '../support/faults/two-networks.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'

const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const intervalMs = 10_000
const timeoutMs = 5_000
const slackMs = 10_000
const lateMs = intervalMs + timeoutMs + slackMs
const lastingMs = 65_000
const endMs = 30_000
const named = ['one', 'two', 'three', 'four']

describe('a service whose resolver cannot ask', async () => {
  const networks = await twoNetworks(90)
  const resolver = await networks.addResolver()
  const operator = await startOperator(networks.ownHost)
  const service = await startFaultyService(faultFolder(), {
    command: networks.atService(process.execPath, [program]),
    environment: {
      ...operator.environment,
      PERIGEE_HOST: '0.0.0.0',
      PERIGEE_PORT: '3000',
      PERIGEE_DNS_SERVERS: `${resolver.address}:53`,
    },
    reachedAt: `http://${networks.serviceHost}:3000`,
  })

  it('watches targets while all is well', async () => {
    const times = { interval_seconds: intervalMs / 1_000, timeout_ms: timeoutMs, failure_threshold: 1 }
    for (const name of named)
      await service.ask('POST', '/monitors', { name, url: `http://${name}.example.com/`, ...times })
    for (const name of hosts.slice(0, 3))
      await service.ask('POST', '/monitors', { name, url: `http://${name}/`, ...times })
    await service.untilAllUp(new Date(), 60_000)
  })

  for (const [what, begin, end] of [
    ['its resolver answers SERVFAIL to all', () => networks.names('silent'), () => networks.names('back')],
    ['its resolver answers nothing', () => resolver.turn('silent'), () => resolver.turn('back')],
  ] as const)
    it(`opens no incident of a name while ${what}`, { timeout: 200_000 }, async () => {
      await underFault(what, async (outcome) => {
        const mailsBefore = operator.mails().length
        begin()
        await pause(lastingMs)
        const sentences = await service.troubles()
        const during = operator.mails().slice(mailsBefore)
        end()
        await service.untilAllUp(new Date(), 60_000)
        const isOver = (): boolean => operator.mails().length === mailsBefore + 2
        await until('the operator is told that it is over', isOver, endMs)
        outcome.told = [...operator.mails().slice(mailsBefore), ...sentences]
        outcome.falseIncidents = await service.incidentsBeside()
        assert.equal(during.length, 1, during.join('\n'))
      })
    })

  it('tells the outage of a named target after that', { timeout: 100_000 }, async () => {
    await underFault('its resolver answered SERVFAIL before', async (outcome) => {
      networks.host(namedHost, 'gone')
      await Promise.all(
        named.map((name) =>
          expectTold(outcome, name, { withinMs: lateMs + 2 * intervalMs, isTold: async () => service.isDown(name) }),
        ),
      )
      outcome.falseIncidents = await service.incidentsBeside(...named)
    })
  })
})

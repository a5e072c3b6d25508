import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startCallers } from '../support/faults/callers.ts'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { startOperator } from '../support/faults/operator-mail.ts'
import { hosts, twoNetworks } from '../support/faults/two-networks.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'

const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const locations = ['amsterdam', 'boston', 'chennai']
const intervalMs = 10_000
const timeoutMs = 5_000
/** An outage is told within its interval, the timeout of its check and this. */
const slackMs = 10_000
const lateMs = intervalMs + timeoutMs + slackMs
const lastingMs = 45_000
/** Half a minute after a check told nothing because of the own network, and a turn of the job that looks. */
const noticeMs = 75_000
const jobs = ['job 1', 'job 2', 'job 3']

describe('a service that loses its own network', async () => {
  const networks = await twoNetworks()
  const operator = await startOperator(networks.ownHost)
  const service = await startFaultyService(faultFolder(), {
    command: networks.atService(process.execPath, [program]),
    environment: {
      ...operator.environment,
      PERIGEE_HOST: '0.0.0.0',
      PERIGEE_PORT: '3000',
      PERIGEE_LOCATIONS: locations.map((code) => `${code}=${code}`).join(','),
      PERIGEE_DNS_SERVERS: `${networks.nameServer}:53`,
    },
    reachedAt: `http://${networks.serviceHost}:3000`,
  })
  const callers = startCallers(() => service)

  it('watches its targets while all is well', async () => {
    for (const [place, host] of hosts.entries())
      for (const kind of ['one', 'three'])
        await service.ask('POST', '/monitors', {
          name: `${host} from ${kind}`,
          url: `http://${host}/${place}`,
          interval_seconds: intervalMs / 1_000,
          timeout_ms: timeoutMs,
          ...(kind === 'three' ? { locations, confirmation_threshold: 2 } : {}),
        })
    for (const name of ['one', 'two', 'three'])
      await service.ask('POST', '/monitors', {
        name,
        url: `http://${name}.example.com/`,
        interval_seconds: intervalMs / 1_000,
        timeout_ms: timeoutMs,
      })
    for (const name of jobs)
      await callers.begin(name, { interval_seconds: intervalMs / 1_000, heartbeat_grace_seconds: 5 })
    await service.untilAllUp(new Date())
  })

  for (const [what, begin, end] of [
    ['its link is down', () => networks.link('down'), () => networks.link('up')],
    ['its provider swallows what comes back', () => networks.upstream('lost'), () => networks.upstream('back')],
  ] as const)
    it(`opens no incident while ${what}, nor when that ends`, { timeout: 250_000 }, async () => {
      await underFault(what, async (outcome) => {
        const mailsBefore = operator.mails().length
        const mails = (): string[] => operator.mails().slice(mailsBefore)
        begin()
        const beganMs = performance.now()
        const sentences = await toldWithin(mails, noticeMs)
        await pause(lastingMs - (performance.now() - beganMs))
        const during = mails()
        end()
        await service.untilAllUp(new Date(), 60_000)
        await toldWithin(() => mails().slice(during.length), 30_000)
        outcome.told = [...mails(), ...sentences]
        outcome.falseIncidents = await service.incidentsBeside()
        outcome.lost = await callers.lost()
        // All locations are on this machine: one trouble is one notice, and its end another.
        assert.deepEqual([during.length, mails().length], [1, 2], mails().join('\n'))
        assert.deepEqual(await service.troubles(), [])
      })
    })

  /** Whether both of its monitors have an incident. */
  async function isTold(host: string): Promise<boolean> {
    return (await service.incidents()).filter(({ monitor_name: name }) => name.startsWith(host)).length === 2
  }

  /** Waits for the first mail, and returns what the service says of itself then. */
  async function toldWithin(mails: () => string[], withinMs: number): Promise<string[]> {
    await until('the operator is told', () => mails().length > 0, withinMs)
    // The mails of one trouble leave together.
    await pause(2_000)
    return service.troubles()
  }

  it(
    'tells the outage of a target in time, also one that began while its own link was down',
    { timeout: 200_000 },
    async () => {
      const [first, second] = hosts
      await underFault('its link is down and a target goes down', async (outcome) => {
        networks.host(first, 'gone')
        await expectTold(outcome, first, { withinMs: lateMs, isTold: () => isTold(first) })
        networks.link('down')
        networks.host(second, 'gone')
        await pause(20_000)
        networks.link('up')
        // Two rounds more may be withheld after trouble of its own.
        await expectTold(outcome, second, { withinMs: lateMs + 2 * intervalMs, isTold: () => isTold(second) })
        const gone = [first, second].flatMap((host) => [`${host} from one`, `${host} from three`])
        outcome.falseIncidents = await service.incidentsBeside(...gone)
        outcome.lost = await callers.lost()
      })
    },
  )
})

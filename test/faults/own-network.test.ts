import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { hosts, twoNetworks } from '../support/faults/two-networks.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'

const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const locations = ['amsterdam', 'boston', 'chennai']
const intervalMs = 10_000
const timeoutMs = 5_000
/** An outage is told within its interval, the timeout of its check and this. */
const slackMs = 10_000

describe('a service that loses its own network', async () => {
  const networks = await twoNetworks()
  const service = await startFaultyService(faultFolder(), {
    command: networks.atService(process.execPath, [program]),
    environment: {
      PERIGEE_HOST: networks.serviceHost,
      PERIGEE_LOCATIONS: locations.map((code) => `${code}=${code}`).join(','),
      PERIGEE_DNS_SERVERS: `${networks.nameServer}:53`,
    },
  })
  /** Lets a fault last, ends it, and waits until each monitor was checked with what comes after. */
  const overcome = async (begin: () => void, { lastingMs, end }: { lastingMs: number; end: () => void }) => {
    begin()
    await pause(lastingMs)
    end()
    await service.untilAllUp(new Date(), 60_000)
  }

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
    await service.untilAllUp(new Date())
  })

  for (const [what, begin, end] of [
    ['its link is down', () => networks.link('down'), () => networks.link('up')],
    ['its provider swallows what comes back', () => networks.upstream('lost'), () => networks.upstream('back')],
    ['its name server answers nothing', () => networks.names('silent'), () => networks.names('back')],
  ] as const)
    it(`opens no incident while ${what}, nor when that ends`, { timeout: 150_000 }, async () => {
      await overcome(begin, { lastingMs: 45_000, end })
      assert.deepEqual(
        (await service.incidents()).map(({ monitor_name: name, title }) => `${name}: ${title}`),
        [],
      )
    })

  it(
    'tells the outage of a target in time, also one that began while its own link was down',
    { timeout: 200_000 },
    async () => {
      const [first, second] = hosts
      const told = async (host: string): Promise<number> =>
        (await service.incidents()).filter(({ monitor_name: name }) => name.startsWith(host)).length
      const lateMs = intervalMs + timeoutMs + slackMs
      networks.host(first, 'gone')
      await until('the outage is told', async () => (await told(first)) === 2, lateMs)
      networks.link('down')
      networks.host(second, 'gone')
      await pause(20_000)
      networks.link('up')
      // Two rounds more may be withheld after trouble of its own.
      await until('the other one is told', async () => (await told(second)) === 2, lateMs + 2 * intervalMs)
      assert.equal((await service.incidents()).length, 4)
    },
  )
})

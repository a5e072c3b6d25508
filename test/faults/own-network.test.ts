import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { hosts, twoNetworks } from '../support/faults/two-networks.ts'
import { pause } from '../support/pause.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { prepareData } from '../support/prepared-data.ts'
import { until } from '../support/until.ts'

const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const token = `pgk_${'fault'.repeat(8)}`
const locations = ['amsterdam', 'boston', 'chennai']
const intervalMs = 10_000
const timeoutMs = 5_000
/** An outage is told within its interval, the timeout of its check and this. */
const slackMs = 10_000
const monitors = z.looseObject({ data: z.array(monitorSchema) })
const incidents = z.looseObject({ data: z.array(incidentSchema) })

describe('a service that loses its own network', async () => {
  const networks = await twoNetworks()
  const folder = mkdtempSync(join(tmpdir(), 'perigee-faults-'))
  chmodSync(folder, 0o711)
  after(() => rmSync(folder, { recursive: true, force: true }))
  prepareData(join(folder, 'data'))
  const perigee = spawnPerigee({
    args: ['start'],
    command: networks.atService(process.execPath, [program]),
    environment: {
      HOME: folder,
      PERIGEE_DATA_DIR: join(folder, 'data'),
      PERIGEE_HOST: networks.serviceHost,
      PERIGEE_OWNER_TOKEN: token,
      PERIGEE_LOCATIONS: locations.map((code) => `${code}=${code}`).join(','),
      PERIGEE_DNS_SERVERS: `${networks.nameServer}:53`,
      PERIGEE_READS_PER_MINUTE: '1000000',
      PERIGEE_WRITES_PER_MINUTE: '1000000',
    },
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/\S+)$/m)
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return response.json()
  }
  const listed = async (): Promise<z.infer<typeof monitors>['data']> =>
    monitors.parse(await ask('GET', '/monitors')).data
  const opened = async (): Promise<z.infer<typeof incidents>['data']> =>
    incidents.parse(await ask('GET', '/incidents')).data
  let others: unknown[] = []
  const allCheckedSince = async (since: Date): Promise<boolean> => {
    const waiting = (await listed()).filter(
      ({ current_status: status, last_checked_at: at }) => status !== 'up' || at === null || new Date(at) <= since,
    )
    others = waiting.map(({ name, current_status: status, last_checked_at: at }) => [name, status, at])
    return waiting.length === 0
  }
  const stillWaiting = (): string => `every monitor to be checked and up; these are not: ${JSON.stringify(others)}`
  /** Lets a fault last, ends it, and waits until each monitor was checked with what comes after. */
  const overcome = async (begin: () => void, { lastingMs, end }: { lastingMs: number; end: () => void }) => {
    begin()
    await pause(lastingMs)
    end()
    const endedAt = new Date()
    await until(stillWaiting, () => allCheckedSince(endedAt), 60_000)
  }

  it('watches its targets while all is well', async () => {
    for (const [place, host] of hosts.entries())
      for (const kind of ['one', 'three'])
        await ask('POST', '/monitors', {
          name: `${host} from ${kind}`,
          url: `http://${host}/${place}`,
          interval_seconds: intervalMs / 1_000,
          timeout_ms: timeoutMs,
          ...(kind === 'three' ? { locations, confirmation_threshold: 2 } : {}),
        })
    for (const name of ['one', 'two', 'three'])
      await ask('POST', '/monitors', {
        name,
        url: `http://${name}.example.com/`,
        interval_seconds: intervalMs / 1_000,
        timeout_ms: timeoutMs,
      })
    const at = new Date()
    await until(stillWaiting, () => allCheckedSince(at))
  })

  for (const [what, begin, end] of [
    ['its link is down', () => networks.link('down'), () => networks.link('up')],
    ['its provider swallows what comes back', () => networks.upstream('lost'), () => networks.upstream('back')],
    ['its name server answers nothing', () => networks.names('silent'), () => networks.names('back')],
  ] as const)
    it(`opens no incident while ${what}, nor when that ends`, { timeout: 150_000 }, async () => {
      await overcome(begin, { lastingMs: 45_000, end })
      assert.deepEqual(
        (await opened()).map(({ monitor_name: name, title }) => `${name}: ${title}`),
        [],
      )
    })

  it(
    'tells the outage of a target in time, also one that began while its own link was down',
    { timeout: 200_000 },
    async () => {
      const [first, second] = hosts
      const told = async (host: string): Promise<number> =>
        (await opened()).filter(({ monitor_name: name }) => name.startsWith(host)).length
      const lateMs = intervalMs + timeoutMs + slackMs
      networks.host(first, 'gone')
      await until('the outage is told', async () => (await told(first)) === 2, lateMs)
      networks.link('down')
      networks.host(second, 'gone')
      await pause(20_000)
      networks.link('up')
      // Two rounds more may be withheld after trouble of its own.
      await until('the other one is told', async () => (await told(second)) === 2, lateMs + 2 * intervalMs)
      assert.equal((await opened()).length, 4)
    },
  )
})

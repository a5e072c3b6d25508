import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { processIdentity } from '#store/embedded/process-identity.ts'
import { parseExposition } from '../support/exposition.ts'
import { httpServer } from '../support/http-server.ts'
import { type Perigee, spawnPerigee } from '../support/perigee-process.ts'
import { localSockets, proberPid, socketsOf, untilProberPid } from '../support/probers-apart.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const token = `pgk_${'apart'.repeat(8)}`
const secretKey = Buffer.alloc(32, 7).toString('base64')
const metricsToken = 'a-token-of-the-metrics'
const secrets: Readonly<Record<string, string>> = {
  PERIGEE_OWNER_TOKEN: token,
  PERIGEE_SECRET_KEY: secretKey,
  PERIGEE_METRICS_TOKEN: metricsToken,
  PERIGEE_SMTP_URL: 'smtp://user:the-mail-password@127.0.0.1:1',
  AWS_SECRET_ACCESS_KEY: 'a-secret-of-another-program',
}
const settings = { ...secrets, PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8', PERIGEE_PROBER_PROCESS: 'on' }
const created = z.object({ data: z.looseObject({ id: z.uuid() }) })
const listed = z.object({ data: z.array(z.unknown()) })
/** The silence after which it is ended, some looks, the pause and a start on a busy machine. */
const replacedMs = 40_000

describe('the process of the probers', { skip: !existsSync('/proc/self/task') }, () => {
  it('has no secret of the environment and no way to the database', async () => {
    const { pid } = await start(settings)
    const first = await untilProberPid(pid)
    assertKnowsNothing(first, pid)
    // The next one is started beside open connections.
    process.kill(first, 'SIGKILL')
    const second = await untilProberPid(pid, first)
    await until('it has begun', () => socketsOf(second).length > 0)
    assertKnowsNothing(second, pid)
  })

  it('is replaced when it is killed, and when it hangs, while checks go on', async () => {
    let requests = 0
    const { port } = await httpServer((_, response) => {
      requests += 1
      response.end('well')
    })
    const service = await start(settings)
    await monitor(service, `http://127.0.0.1:${port}/`)
    await until('it is checked', () => requests > 0)
    let pid = await untilProberPid(service.pid)
    for (const signal of ['SIGKILL', 'SIGSTOP'] as const) {
      process.kill(pid, signal)
      const former = pid
      await until(`another one after ${signal}`, () => ![null, former].includes(proberPid(service.pid)), replacedMs)
      assert.equal(processIdentity(former), null)
      pid = proberPid(service.pid) ?? assert.fail('it is gone again')
      await until('its threads have begun', async () => (await metric(service, 'perigee_prober_threads_missing')) === 0)
      const before = requests
      await until('checks go on', () => requests > before + 1, 60_000)
    }
    assert.ok((await metric(service, 'perigee_prober_thread_deaths_total')) >= 2)
    // What was counted in the last second before a death is lost with it.
    await until('checks are counted', async () => (await metric(service, 'perigee_checks_total')) >= 3)
    assert.deepEqual(listed.parse(await (await ask(service.url, '/api/v1/incidents')).json()).data, [])
    assert.match(service.perigee.stderr(), /\(SIGKILL\)".*The process of the probers died/)
    assert.match(service.perigee.stderr(), /no sign of life for 10 s".*The process of the probers died/)
    service.perigee.child.kill('SIGTERM')
    assert.equal(await service.perigee.ended(), 0)
    assert.equal(processIdentity(pid), null)
  })

  it('ends with the process that started it, however that ends', async () => {
    const { perigee, pid } = await start(settings)
    const probers = await untilProberPid(pid)
    perigee.child.kill('SIGKILL')
    await perigee.ended()
    await until('it has ended', () => processIdentity(probers) === null)
  })

  it('ends with a start that fails', async () => {
    const perigee = spawnPerigee({ args: ['start'], environment: { ...settings, PERIGEE_DATA_DIR: '/dev/null/data' } })
    assert.equal(await perigee.ended(), 1)
    assert.match(perigee.stderr(), /^The data folder .* cannot be used .*\n$/)
  })

  it('is not there where it is turned off, nor on a machine of one core', async () => {
    const isOff = await start({ ...settings, PERIGEE_PROBER_PROCESS: 'off' })
    const oneCore = { file: 'taskset', args: ['-c', '0', process.execPath, program, 'start'] }
    const onOne = await start({ ...settings, PERIGEE_PROBER_PROCESS: 'auto' }, oneCore)
    for (const service of [isOff, onOne]) {
      await until('its threads have begun', async () => (await metric(service, 'perigee_prober_threads_missing')) === 0)
      assert.equal(proberPid(service.pid), null)
    }
  })
})

const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))

type Service = { perigee: Perigee; pid: number; url: string }

async function start(
  environment: Record<string, string>,
  command?: { file: string; args: readonly string[] },
): Promise<Service> {
  const folder = serviceFolder()
  const own = { HOME: folder.path, PERIGEE_DATA_DIR: folder.dataFolder, ...environment }
  const perigee =
    command === undefined ? folder.start(environment) : spawnPerigee({ args: [], environment: own, command })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)
  return { perigee, pid: perigee.child.pid ?? assert.fail('it has no pid'), url }
}

function ask(url: string, path: string, body?: object): Promise<Response> {
  const headers = { 'X-API-Key': token, 'Content-Type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return fetch(url + path, { headers, ...sent, signal: AbortSignal.timeout(30_000) })
}

async function monitor({ url }: Service, target: string): Promise<void> {
  const body = { name: 'Target', kind: 'http', url: target, interval_seconds: 10 }
  created.parse(await (await ask(url, '/api/v1/monitors', body)).json())
}

/** The sum over all labels. */
async function metric({ url }: Service, name: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${metricsToken}` } })
  const samples = parseExposition(await response.text()).samples.filter((sample) => sample.name === name)
  return samples.reduce((sum, { value }) => sum + value, 0)
}

function assertKnowsNothing(probers: number, service: number): void {
  const environment = readFileSync(`/proc/${probers}/environ`, 'latin1')
  const told = environment + readFileSync(`/proc/${probers}/cmdline`, 'latin1')
  assert.ok(environment.includes('PATH='))
  assert.doesNotMatch(environment, /PERIGEE_/)
  for (const secret of [...Object.values(secrets), 'the-mail-password']) assert.ok(!told.includes(secret), secret)
  const local = localSockets()
  const own = socketsOf(probers).filter((socket) => local.has(socket))
  const shared = new Set(socketsOf(service)).intersection(new Set(own))
  assert.deepEqual([own.length, shared.size], [1, 0], 'of this machine it has the pipe alone')
  assert.ok(socketsOf(service).some((socket) => local.has(socket)))
}

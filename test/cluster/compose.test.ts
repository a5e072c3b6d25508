// The installation of deploy/compose.yaml as processes of this machine: its broker's configuration, its credentials, and
// of each service one process with the variables that it has there.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { operatorStatusSchema } from '#core/operator-status.ts'
import { type Embedded, startEmbedded } from '#store/embedded/embedded.ts'
import { deployFolder, readCompose, rolesOf, substituted } from '../support/compose.ts'
import { parseExposition } from '../support/exposition.ts'
import { freePort } from '../support/free-port.ts'
import { type NatsServer, noNatsServer, startNatsServer } from '../support/nats-server.ts'
import { type Perigee, spawnPerigee } from '../support/perigee-process.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const script = fileURLToPath(new URL('../../scripts/nats-users.ts', import.meta.url))
const created = z.object({ data: monitorSchema })

type Running = { name: string; role: string; url: string; token: string; perigee: Perigee }

type Place = { folder: string; broker: NatsServer; postgres: Embedded }

async function prepare(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-compose-'))
  chmodSync(folder, 0o711)
  const ends: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })]
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })
  cpSync(join(deployFolder, 'prepare.sh'), join(folder, 'prepare.sh'))
  execFileSync('sh', [join(folder, 'prepare.sh')], { stdio: 'pipe' })
  const nats = join(folder, 'nats')
  execFileSync(process.execPath, [script, '--folder', nats, 'ams', 'nyc', 'sin'], { stdio: 'pipe' })
  const postgres = await startEmbedded({ folder: join(folder, 'database'), settings: { max_connections: '100' } })
  ends.push(postgres.stop)
  const { socketFolder, user, password, database } = postgres.connection
  writeFileSync(
    join(folder, 'secrets/database-url'),
    `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(socketFolder)}\n`,
  )
  const broker = await startNatsServer({
    configuration: ({ folder: own, port }) => {
      const site = readFileSync(join(deployFolder, 'compose/site.conf'), 'utf8')
      const here = site
        .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
        .replace('127.0.0.1:8222', '127.0.0.1:-1')
        .replace('/var/lib/nats', join(own, 'jetstream'))
      writeFileSync(join(own, 'site.conf'), here)
      cpSync(join(nats, 'users.conf'), join(own, 'users.conf'))
      return readFileSync(join(deployFolder, 'nats/nats-server.conf'), 'utf8')
    },
  })
  ends.push(broker.stop)
  return { folder, broker, postgres }
}

async function startService(
  { name, role, service }: ReturnType<typeof rolesOf>[number],
  { folder, broker }: Place,
): Promise<Running> {
  const { secrets } = readCompose()
  const port = await freePort()
  const dataFolder = join(folder, `data-${name}`)
  mkdirSync(dataFolder)
  const environment = Object.entries(service.environment).map(([variable, text]): [string, string] => [
    variable,
    substituted(text)
      .replace('nats:4222', `127.0.0.1:${broker.port}`)
      .replace(/^\/run\/secrets\/(.+)$/, (_, secret: string) => join(folder, secrets[secret]?.file ?? '')),
  ])
  const perigee = spawnPerigee({
    args: [role],
    environment: {
      ...Object.fromEntries(environment),
      HOME: folder,
      PERIGEE_PORT: String(port),
      PERIGEE_DATA_DIR: dataFolder,
      PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      PERIGEE_PROBER_THREADS: '1',
    },
  })
  await perigee.printed(/^Perigee's \w+ is at/m)
  const token = readFileSync(join(folder, 'secrets', 'metrics-token'), 'utf8').trim()
  return { name, role, url: `http://127.0.0.1:${port}`, token, perigee }
}

async function status({ url, token }: Running) {
  const headers = { Authorization: `Bearer ${token}` }
  return operatorStatusSchema.parse(await (await fetch(`${url}/operator/status`, { headers })).json())
}

describe('the installation of deploy/compose.yaml', { skip: noNatsServer }, () => {
  it('checks from three locations, tells how it is, and stops in order', async () => {
    const place = await prepare()
    const { folder } = place
    const secret = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8').trim()
    const running = await Promise.all(rolesOf(readCompose()).map((each) => startService(each, place)))
    const of = (role: string): Running => running.find((each) => each.role === role) ?? assert.fail(role)
    const receiver = await startReceiver()
    after(receiver.close)
    const authorization = { Authorization: `Bearer ${secret('owner-token')}` }

    await until(
      'the locations are known',
      async () => (await status(of('api'))).cluster?.locations.length === 3,
      30_000,
    )
    const answer = await fetch(`${of('api').url}/api/v1/monitors`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Here', url: receiver.url, locations: ['ams', 'nyc', 'sin'], interval_seconds: 30 }),
    })
    assert.equal(answer.status, 201)
    const { id } = created.parse(await answer.json()).data
    const shown = async () =>
      created.parse(await (await fetch(`${of('api').url}/api/v1/monitors/${id}`, { headers: authorization })).json())
        .data
    await until('it is up', async () => (await shown()).current_status === 'up', 30_000)

    const whole = await status(of('jobs'))
    assert.deepEqual(whole.troubles, [])
    assert.deepEqual(
      whole.cluster?.locations.map(({ code, online, monitors }) => [code, online, monitors]).toSorted(),
      [
        ['ams', true, 1],
        ['nyc', true, 1],
        ['sin', true, 1],
      ],
    )
    assert.equal((await status(of('engine'))).process?.bus?.streams?.[0]?.name, 'results')
    assert.equal((await status(of('prober'))).cluster, null)

    for (const { url, role, token } of running) {
      assert.equal((await fetch(`${url}/readyz`)).status, 200, role)
      const known = { Authorization: `Bearer ${token}` }
      const metrics = parseExposition(await (await fetch(`${url}/metrics`, { headers: known })).text())
      assert.equal(metrics.value('perigee_partitions'), role === 'engine' ? 64 : undefined)
      // A request through a proxy needs the token, and so does one that a proxy here may have made.
      const far = { 'X-Forwarded-For': '203.0.113.9' }
      assert.equal((await fetch(`${url}/metrics`)).status, 401)
      assert.equal((await fetch(`${url}/metrics`, { headers: far })).status, 404)
      assert.equal((await fetch(`${url}/metrics`, { headers: { ...far, ...known } })).status, 200)
    }

    const lost = running.find(({ name }) => name === 'prober-sin') ?? assert.fail('prober-sin')
    lost.perigee.child.kill('SIGKILL')
    const trouble = 'The location sin has no prober, and 1 monitor uses it.'
    await until('the loss is told', async () => (await status(of('api'))).troubles.includes(trouble), 40_000)
    const { url, token } = of('engine')
    const nearby = { PERIGEE_PORT: new URL(url).port, PERIGEE_DATA_DIR: join(folder, 'none') }
    const untold = spawnPerigee({ args: ['status'], environment: nearby })
    assert.equal(await untold.ended(), 1)
    assert.match(untold.stderr(), new RegExp(`^${url} requires a token: .*\\n`))
    const said = spawnPerigee({ args: ['status'], environment: { ...nearby, PERIGEE_METRICS_TOKEN: token } })
    assert.equal(await said.ended(), 1)
    assert.equal(said.stderr(), `${trouble}\n`)
    assert.match(said.stdout(), /\nsin +missing +\d+ s ago +1 +Singapore\n/)

    for (const { perigee, name } of running.filter((each) => each !== lost)) {
      perigee.child.kill('SIGTERM')
      assert.equal(await perigee.ended(), 0, `${name}: ${perigee.stderr()}`)
    }
  })
})

// The packed SDK against the service as the real program, and its examples as people run them.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { startReceiver } from '../support/receiver.ts'
import { sdkProject } from '../support/sdk.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'
import { openWay } from '../support/way.ts'

const token = `pgk_${'a1'.repeat(20)}`
const nowhere = 'http://127.0.0.1:9/'
const patienceMs = 30_000
const storySchema = z.custom<(world: object) => Promise<void>>((value) => typeof value === 'function')

describe('the SDK', async () => {
  const project = sdkProject()
  const { start } = serviceFolder()
  const perigee = start({
    PERIGEE_OWNER_TOKEN: token,
    PERIGEE_PAYMENTS: 'sandbox',
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_WRITES_PER_MINUTE: '100000',
  })
  const [, url = '', port = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:(\d+))$/m)
  const receiver = await startReceiver()
  let hasLost = false
  const lossy = await openWay(
    { host: '127.0.0.1', port: Number(port) },
    {
      watch: () => ({
        forth: () => true,
        back: () => {
          if (hasLost) return true
          hasLost = true
          lossy.cut()
          return false
        },
      }),
    },
  )
  const world = {
    url,
    token,
    lossyUrl: `http://127.0.0.1:${lossy.port}`,
    admitted: lossy.admitted,
    receiverUrl: receiver.url,
    received: async (type: string) => {
      const message = () => receiver.received.find(({ body }) => body.startsWith(`{"type":"${type}"`))
      await until(`a message ${type}`, async () => message() !== undefined, patienceMs)
      return message() ?? assert.fail(type)
    },
  }
  const stories = z
    .record(z.string(), storySchema)
    .parse({ ...(await import(pathToFileURL(join(project, 'stories.ts')).href)) })
  for (const [name, story] of Object.entries(stories)) it(inWords(name), async () => story(world))

  it('runs its example that creates a monitor and says what is down', async () => {
    const environment = { PERIGEE_URL: url, PERIGEE_TOKEN: token }
    const { output, ended } = run(project, 'monitors.ts', { args: ['http://127.0.0.1:9/example'], environment })
    assert.equal(await ended, 0, output())
    assert.match(output(), /^created http:\/\/127\.0\.0\.1:9\/example$/m)
    const wrong = run(project, 'monitors.ts', { args: ['example.com'], environment })
    assert.equal(await wrong.ended, 1)
    assert.match(wrong.output(), /^url: Must be a URL/m)
  })

  it('runs its example that pays', async () => {
    const { output, ended } = run(project, 'pay.ts', { args: [nowhere], environment: { PERIGEE_URL: url } })
    assert.equal(await ended, 0, output())
    const poor = run(project, 'pay.ts', { args: [nowhere, '0.49'], environment: { PERIGEE_URL: url } })
    assert.equal(await poor.ended, 1)
    assert.match(poor.output(), /It costs 50 cents, and the budget is \$0\.49\./)
    assert.match(output(), /^paying 50 cents\ncreated .*, with the token pgk_\w{40}$/m)
  })

  it('runs its example that receives alerts', async () => {
    const free = await startReceiver()
    await free.close()
    const contact = { name: 'Example', kind: 'webhook', destination: `${free.url}/` }
    const { data, signing_secret: secret } = await post(`${url}/api/v1/alert-channels`, contact)
    const { id } = z.object({ id: z.string() }).parse(data)
    const environment = { SIGNING_SECRET: String(secret), PORT: new URL(free.url).port }
    const { output } = run(project, 'receiver.ts', { args: [], environment })
    await until('it listens', async () => output().includes('Waiting for alerts.'), patienceMs)
    await post(`${url}/api/v1/alert-channels/${id}/test`)
    await until('it prints the test', async () => /^test$/m.test(output()), patienceMs)
    const stranger = await fetch(free.url, { method: 'POST', body: '{}' })
    assert.equal(stranger.status, 401)
  })
})

async function post(url: string, body?: object): Promise<Record<string, unknown>> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { 'x-api-key': token, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, ...sent })
  assert.ok(response.ok, `${url}: ${response.status}`)
  return z.record(z.string(), z.unknown()).parse(await response.json())
}

function run(
  project: string,
  example: string,
  { args, environment }: { args: readonly string[]; environment: Record<string, string> },
): { output: () => string; ended: Promise<unknown> } {
  const child: ChildProcess = spawn(process.execPath, [join(project, 'examples', example), ...args], {
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { output: () => output, ended: once(child, 'close').then(([code]) => code) }
}

/** `readsAllPages` is "reads all pages". */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

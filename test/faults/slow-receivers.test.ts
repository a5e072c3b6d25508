import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { underFault } from '../support/faults/fault-report.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { portOf, rawServer } from '../support/raw-server.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const token = `pgk_${'fault'.repeat(8)}`
const monitors = 60
const confirmations = 40
const slowAnswerMs = 8_000
/** From an occasion to its alert, whoever else is slow. */
const goodWithinMs = 11_000
/** Thirteen at a time, in five turns, and the interval in which the monitors go down. */
const slowWithinMs = 70_000
const heldUpWithinMs = 90_000
const alert = z.looseObject({
  timestamp: z.iso.datetime(),
  data: z.looseObject({ monitor: z.looseObject({ id: z.string() }) }),
})

describe('a service whose mail server is silent and whose receivers differ', async () => {
  const mail = await rawServer(() => {})
  const target = createServer((_request, response) => response.writeHead(500).end('failed'))
  target.listen(0, '127.0.0.1')
  after(() => target.close())
  const receivers = {
    good: await startReceiver(),
    hanging: await startReceiver(),
    failing: await startReceiver(),
    slow: await startReceiver(),
  }
  const delaysMs: number[] = []
  receivers.good.react(({ body }) => {
    delaysMs.push(Date.now() - Date.parse(alert.parse(JSON.parse(body)).timestamp))
    return { status: 204 }
  })
  receivers.hanging.react(() => null)
  receivers.failing.react(() => ({ status: 500 }))
  receivers.slow.react(() => ({ status: 204, afterMs: slowAnswerMs }))

  const folder = serviceFolder()
  const perigee = folder.start({
    PERIGEE_OWNER_TOKEN: token,
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    PERIGEE_READS_PER_MINUTE: '1000000',
    PERIGEE_WRITES_PER_MINUTE: '1000000',
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/\S+)$/m)
  const create = async (path: string, body: object): Promise<void> => {
    const headers = { 'X-API-Key': token, 'Content-Type': 'application/json' }
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(response.status, 201, await response.text())
  }

  it('waits for its mail server with many mails', async () => {
    for (let number = 1; number <= confirmations; number += 1)
      await create('/alert-channels', {
        name: `Mail ${number}`,
        kind: 'email',
        destination: `ops${number}@example.com`,
      })
    await until('mails are under way', async () => mail.connections() > 0)
    for (const [name, { url: destination }] of Object.entries(receivers))
      await create('/alert-channels', { name, kind: 'webhook', destination })
  })

  it('tells the good receiver at once, and the slow one of several at a time', { timeout: 150_000 }, async () => {
    const failing = `http://127.0.0.1:${portOf(target)}`
    for (let number = 1; number <= monitors; number += 1)
      await create('/monitors', {
        name: `Shop ${number}`,
        url: `${failing}/${number}`,
        interval_seconds: 10,
        failure_threshold: 1,
      })
    await underFault('its receivers are slow, failing or hanging', async (outcome) => {
      await until('the good receiver knows all', async () => told(receivers.good) === monitors)
      outcome.late = delaysMs.filter((ms) => ms >= goodWithinMs).map((ms) => `an alert came after ${ms} ms`)
      await until('the slow receiver knows all', async () => told(receivers.slow) === monitors, slowWithinMs)
    })
  })

  it('tells the operator of its mail server, and blames itself for no receiver', { timeout: 150_000 }, async () => {
    const environment = { HOME: folder.path, PERIGEE_DATA_DIR: folder.dataFolder }
    const said = async (): Promise<string> => {
      const status = spawnPerigee({ args: ['status'], environment })
      await status.ended()
      return status.stdout() + status.stderr()
    }
    let last = ''
    await underFault('its mail server is silent', async (outcome) => {
      const isHeldUp = async (): Promise<boolean> =>
        / none overdue, [1-9]\d* held up by their receivers/.test((last = await said()))
      await until(() => `alerts are held up:\n${last}`, isHeldUp, heldUpWithinMs)
      outcome.told = /^No mail could be sent for .*$/m.exec(last)?.slice() ?? []
      assert.doesNotMatch(last, /alerts are overdue/)
      assert.match(last, /^No mail could be sent for /m)
      assert.doesNotMatch(last, /All is well/)
    })
  })
})

/** The number of monitors of which a receiver knows. */
function told({ received }: Receiver): number {
  return new Set(received.map(({ body }) => alert.parse(JSON.parse(body)).data.monitor.id)).size
}

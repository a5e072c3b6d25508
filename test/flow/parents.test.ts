// A router and what stands behind it, against the real service: who is told of what, also when the service is killed.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { incidentDetailSchema, incidentSchema } from '#core/incidents/incident.ts'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { createClient } from '../support/kills/client.ts'
import { freePort } from '../support/free-port.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { restartable } from './targets.ts'

const waitMs = 60_000
const one = <T extends z.ZodType>(schema: T) => z.looseObject({ data: schema })
const many = <T extends z.ZodType>(schema: T) => z.object({ data: z.array(schema) })
const alertSchema = z.object({
  type: z.string(),
  data: z.object({
    monitor: z.object({ name: z.string() }),
    children: z.object({ total: z.number(), names: z.array(z.string()) }).optional(),
  }),
})

/** What arrived there, as `down Router`. */
const told = ({ received }: Receiver): string[] =>
  received.map(({ body }) => {
    const { type, data } = alertSchema.parse(JSON.parse(body))
    return `${type.slice(8)} ${data.monitor.name}`
  })

describe('a router and five monitors behind it', async () => {
  const ann = await startReceiver()
  const bob = await startReceiver()
  const own = await freePort()
  const token = `pgk_${'flow0'.repeat(8)}`
  const { start } = serviceFolder()
  const begin = () =>
    start({
      PERIGEE_PORT: String(own),
      PERIGEE_OWNER_TOKEN: token,
      PERIGEE_PLANS: JSON.stringify({ pro: { slots: 100 } }),
      PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      PERIGEE_READS_PER_MINUTE: '100000',
    })
  let perigee = begin()
  const client = createClient({ url: `http://127.0.0.1:${own}`, token })
  const ask = async <T>(schema: z.ZodType<T>, path: string, body?: unknown): Promise<T> => {
    const answer = await client.persist({ method: body === undefined ? 'GET' : 'POST', path, body })
    assert.ok(answer.status < 300, JSON.stringify(answer))
    return schema.parse(answer.body)
  }
  let areBroken: ReadonlySet<string> = new Set()
  const { port } = await restartable(() =>
    createServer(({ url = '' }, response) => {
      response.statusCode = areBroken.has(url) ? 503 : 200
      response.end()
    }),
  )

  const create = async (name: string, path: string, parents: string[]): Promise<string> => {
    const settings = { interval_seconds: 10, failure_threshold: 1, recovery_threshold: 1 }
    const body = { name, url: `http://127.0.0.1:${port}${path}`, depends_on: parents, ...settings }
    return (await ask(one(monitorSchema), '/monitors', body)).data.id
  }
  const hook = (name: string, { url }: Receiver) =>
    ask(z.unknown(), '/alert-channels', { name, kind: 'webhook', destination: url })
  const statuses = async (): Promise<string[]> => {
    const { data } = await ask(many(monitorSchema), '/monitors')
    return data.map(({ current_status: status }) => status)
  }
  const all = (status: string) => async (): Promise<boolean> => (await statuses()).every((each) => each === status)
  const countDown = async (): Promise<number> => (await statuses()).filter((status) => status === 'down').length
  const countHeldBack = async (): Promise<number> => {
    const { data } = await ask(many(incidentSchema), '/incidents')
    const open = data.filter(({ status }) => status === 'open')
    const stories = await Promise.all(open.map(({ id }) => ask(one(incidentDetailSchema), `/incidents/${id}`)))
    return stories.filter((story) => story.data.events.some(({ type }) => type === 'alert_withheld')).length
  }
  const shops = ['/a', '/b', '/c', '/d', '/e']
  const downs = shops.map((path) => `down Shop ${path}`)

  await hook('Ann', ann)
  await hook('Bob', bob)
  const router = await create('Router', '/router', [])
  for (const path of shops) await create(`Shop ${path}`, path, [router])
  await until('all are up', all('up'), waitMs)

  it('are one message each way to whom that of the router reached', async () => {
    // Bob's address takes nothing that tells of the router.
    bob.react(({ body }) => ({ status: body.includes('"name":"Router"') ? 500 : 204 }))
    areBroken = new Set(['/router', ...shops])
    await until('all are down', all('down'), waitMs)
    await until('Bob is told of the shops', async () => downs.every((each) => told(bob).includes(each)), waitMs)
    assert.deepEqual(told(ann), ['down Router'])
    const { data } = alertSchema.parse(JSON.parse(ann.received[0]?.body ?? ''))
    assert.deepEqual(data.children, { total: 5, names: shops.map((path) => `Shop ${path}`) })
    areBroken = new Set()
    await until('all are up', all('up'), waitMs)
    await until('Ann is told', async () => told(ann).length === 2, waitMs)
    await until(
      'Bob is told of the end',
      async () => told(bob).filter((each) => each.startsWith('up Shop')).length === 5,
      waitMs,
    )
    assert.deepEqual(told(ann), ['down Router', 'up Router'])
  })

  it('are told later where one of them stays down, also by a service that was killed meanwhile', async () => {
    bob.react(() => ({ status: 204 }))
    ann.received.length = 0
    areBroken = new Set(['/router', '/a', '/b'])
    await until('Ann is told', async () => told(ann).length === 1, waitMs)
    await until('three are down', async () => (await countDown()) === 3, waitMs)
    await until('both are held back', async () => (await countHeldBack()) === 2, waitMs)
    perigee.child.kill('SIGKILL')
    await perigee.ended()
    areBroken = new Set(['/a'])
    perigee = begin()
    await until('Ann is told of the shop', async () => told(ann).includes('down Shop /a'), waitMs)
    assert.deepEqual(told(ann), ['down Router', 'up Router', 'down Shop /a'])
    areBroken = new Set()
    await until('Ann is told of its end', async () => told(ann).includes('up Shop /a'), waitMs)
    assert.equal(told(ann).length, 4)
  })
})

// Two names that lead to one address, against the real service: what is proposed as a parent, and until when.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { parentProposalSchema } from '#core/monitors/parent-proposals.ts'
import { createClient, type Write } from '../support/kills/client.ts'
import { dnsServer } from '../support/dns-server.ts'
import { freePort } from '../support/free-port.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'
import { restartable } from './targets.ts'

const waitMs = 60_000
const createdSchema = z.looseObject({ data: monitorSchema })
const proposedSchema = z.object({ data: z.array(parentProposalSchema) })

describe('two names that lead to one address', async () => {
  const names = await dnsServer((name) =>
    ['shop.example', 'machine.example'].includes(name) ? { addresses: ['127.0.0.1'] } : 'nxdomain',
  )
  const own = await freePort()
  const token = `pgk_${'flow0'.repeat(8)}`
  const perigee = serviceFolder().start({
    PERIGEE_PORT: String(own),
    PERIGEE_OWNER_TOKEN: token,
    PERIGEE_LOCATIONS: 'amsterdam=Amsterdam,boston=Boston',
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_DNS_SERVERS: names.address,
    PERIGEE_READS_PER_MINUTE: '100000',
  })
  const client = createClient({ url: `http://127.0.0.1:${own}`, token })
  const ask = async <T>(schema: z.ZodType<T>, write: Write): Promise<T> => {
    const answer = await client.persist(write)
    assert.ok(answer.status < 300, JSON.stringify(answer))
    return schema.parse(answer.body)
  }
  const { port } = await restartable(() => createServer((_, response) => response.end('well')))
  const create = async (settings: object): Promise<string> => {
    const body = { interval_seconds: 10, locations: ['boston'], ...settings }
    return (await ask(createdSchema, { method: 'POST', path: '/monitors', body })).data.id
  }
  const proposed = async (id: string): Promise<string[]> => {
    const { data } = await ask(proposedSchema, { method: 'GET', path: `/monitors/${id}/parent-proposals` })
    return data.map(({ name, evidence }) => `${name}: ${evidence.map(({ message }) => message).join(' ')}`)
  }

  it('make a proposal of what asks less, with the address, until the target is another one', async () => {
    await perigee.printed(/^Perigee is at /m)
    const shop = await create({ name: 'Shop', url: `http://shop.example:${port}/` })
    const machine = await create({ name: 'Machine', kind: 'tcp', url: `machine.example:${port}` })
    await until('a proposal', async () => (await proposed(shop)).length > 0, waitMs)
    assert.deepEqual(await proposed(shop), ['Machine: Both were reached at 127.0.0.1.'])
    assert.deepEqual(await proposed(machine), [])
    const body = { name: 'Shop', url: `http://gone.example:${port}/` }
    await ask(createdSchema, { method: 'PATCH', path: `/monitors/${shop}`, body })
    assert.deepEqual(await proposed(shop), [])
  })
})

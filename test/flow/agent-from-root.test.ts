// An agent that knows the bare address and does only what it is told, until it is gone again: what it has to ask and read.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { credentialText, firstChallenge } from '../support/payment-client.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const mostRequests = 9
const mostCharacters = 30_000

const indexSchema = z.object({ links: z.object({ agents: z.url(), openapi_short: z.url() }) })
const askedToPaySchema = z.object({
  amount_due: z.string(),
  sandbox: z.object({ payloads: z.array(z.object({ payload: z.unknown() })) }),
})
const alertSchema = z.looseObject({ data: z.looseObject({ incident: z.looseObject({ id: z.uuid() }) }) })

type Read = { status: number; headers: Headers; text: string; body: Record<string, unknown> }

/** Counts what an agent asks, and every character that it reads of answers: bodies, and challenges. */
function reader() {
  const read = { requests: 0, characters: 0 }
  const ask = async (url: string, request: RequestInit = {}): Promise<Read> => {
    const response = await fetch(url, request)
    const text = await response.text()
    read.requests += 1
    read.characters += text.length + (response.headers.get('www-authenticate') ?? '').length
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, text, body: Object(body) }
  }
  return { read, ask }
}

/** An address that a document names, by how it ends. */
function named(text: string, ending: string): string {
  const addresses = [...text.matchAll(/https?:\/\/[^\s"'`)\]]+/g)].map(([address]) => address)
  return addresses.find((address) => address.endsWith(ending)) ?? assert.fail(`nothing names ${ending}`)
}

describe('an agent that knows the bare address', async () => {
  const receiver = await startReceiver()
  receiver.react(({ path }) => ({ status: path === '/shop' ? 500 : 204 }))
  const perigee = serviceFolder().start({
    PERIGEE_PAYMENTS: 'sandbox',
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  })
  const [, origin = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)

  it(`watches, is told, and is gone with ${mostRequests} requests and ${mostCharacters} characters`, async (test) => {
    const { read, ask } = reader()
    const { links } = indexSchema.parse((await ask(`${origin}/`, { headers: { Accept: 'application/json' } })).body)
    const recipe = await ask(links.agents)
    const short = await ask(links.openapi_short)
    const api = named(short.text, '/api/v1')
    for (const line of ['POST /alert-channels:', 'POST /monitors:', 'DELETE /monitors/{id}:'])
      assert.ok(short.text.includes(line), line)
    assert.ok(short.text.includes('POST /incidents/{id}/acknowledge:'))

    const registered = await ask(named(recipe.text, '/agent/identity'), json('POST', { type: 'anonymous' }))
    assert.equal(registered.status, 200, registered.text)
    const token = { 'X-API-Key': String(registered.body['access_token']) }
    const webhook = { kind: 'webhook', name: 'Agent', destination: `${receiver.url}/hook` }
    const contact = await ask(`${api}/alert-channels`, json('POST', webhook, token))
    assert.equal(contact.status, 201, contact.text)
    const shop = { name: 'Shop', url: `${receiver.url}/shop`, interval_seconds: 60, failure_threshold: 1 }
    const priced = await ask(`${api}/monitors`, json('POST', shop, token))
    assert.equal(priced.status, 402, priced.text)
    const { amount_due: due, sandbox } = askedToPaySchema.parse(priced.body)
    assert.equal(due, '0.01')
    const credential = credentialText({ challenge: firstChallenge(priced), payload: sandbox.payloads[0]?.payload })
    const paying = { ...token, Authorization: `Payment ${credential}` }
    const paid = await ask(`${api}/monitors`, json('POST', shop, paying))
    assert.equal(paid.status, 201, paid.text)

    const alert = await told(receiver)
    const { incident } = alertSchema.parse(JSON.parse(alert)).data
    const acknowledged = await ask(`${api}/incidents/${incident.id}/acknowledge`, json('POST', {}, token))
    assert.equal(acknowledged.status, 200, acknowledged.text)
    const { data: monitor } = z.object({ data: z.object({ id: z.uuid() }) }).parse(paid.body)
    const gone = await ask(`${api}/monitors/${monitor.id}`, { method: 'DELETE', headers: token })
    assert.equal(gone.status, 204, gone.text)
    assert.ok(read.requests <= mostRequests, `${read.requests} requests`)
    assert.ok(read.characters <= mostCharacters, `${read.characters} characters`)
    test.diagnostic(`${read.requests} requests, ${read.characters} characters`)
  })
})

function json(method: string, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

/** The body of the alert. The target fails from the beginning. */
async function told({ received }: Receiver): Promise<string> {
  await until('the alert', async () => received.some(({ path }) => path === '/hook'), 60_000)
  return received.find(({ path }) => path === '/hook')?.body ?? assert.fail()
}

// Agents drive the real service through the protocol, by the public clients of both versions.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { httpServer } from '../support/http-server.ts'
import { credentialFor, credentialMember, paymentRequiredSchema } from '../support/mcp-call.ts'
import {
  type Connect,
  type McpClient,
  type McpResult,
  connect,
  connectFormer,
  connectPerson,
} from '../support/mcp-clients.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const waitMs = 60_000
const registeredSchema = z.object({ identity_assertion: z.string() })
const tokenSchema = z.object({ access_token: z.string() })
const monitorSchema = z.object({ data: z.object({ id: z.uuid(), name: z.string(), current_status: z.string() }) })
const resultsSchema = z.object({ data: z.array(z.object({ status: z.string(), error: z.string().nullable() })) })
const incidentsSchema = z.object({
  data: z.array(z.object({ id: z.uuid(), monitor_id: z.uuid(), status: z.string(), cause: z.string().nullable() })),
})

describe('an agent', async () => {
  const target = await httpServer((_request, response) => response.writeHead(503).end('closed'))
  const perigee = serviceFolder().start({
    PERIGEE_PAYMENTS: 'sandbox',
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_READS_PER_MINUTE: '100000',
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)

  const clients: [what: string, revision: string, connectTo: Connect][] = [
    ['version 2 of the SDK', '2026-07-28', connect],
    ['version 1 of the SDK', '2025-11-25', connectFormer],
  ]
  for (const [what, revision, connectTo] of clients)
    it(`registers, pays, creates, reads, acknowledges and deletes by ${what}`, async () => {
      const client = await connectTo(url, { 'X-API-Key': await register(url) })
      assert.equal(client.revision, revision)
      // From here on the client holds every result against the schema of its tool.
      await client.tools()
      const created = await pay(client, 'create_monitor', {
        name: 'Shop',
        url: `http://127.0.0.1:${target.port}/`,
        interval_seconds: 60,
        idempotency_key: 'first',
      })
      const { id } = monitorSchema.parse(created.structuredContent).data
      await assertDown(client, id)
      await acknowledge(client, id)
      const gone = await client.call('delete_monitor', { id })
      assert.equal(gone.isError, undefined)
      const missing = await client.call('get_monitor', { id })
      assert.equal(missing.isError, true)
      assert.equal(missing.structuredContent?.['error'], 'not_found')
      await client.close()
    })

  it('is held back by its person, who is asked before a monitor is deleted', async () => {
    const headers = { 'X-API-Key': await register(url) }
    const questions: string[] = []
    let action: 'accept' | 'decline' = 'decline'
    const client = await connectPerson(url, headers, (question) => {
      questions.push(question)
      return action
    })
    const given = { name: 'Kept', url: `http://127.0.0.1:${target.port}/` }
    const { id } = monitorSchema.parse((await pay(client, 'create_monitor', given)).structuredContent).data
    assert.equal((await client.call('delete_monitor', { id })).isError, true)
    assert.equal((await client.call('get_monitor', { id })).isError, undefined)
    action = 'accept'
    assert.equal((await client.call('delete_monitor', { id })).isError, undefined)
    assert.equal((await client.call('get_monitor', { id })).isError, true)
    assert.deepEqual(questions, Array(2).fill('Delete a monitor and its results: "Kept". It cannot be undone.'))
    await client.close()
  })

  it('pays without an account, and goes on with the key that this brings', async () => {
    const stranger = await connect(url)
    assert.deepEqual(
      (await stranger.tools()).map(({ name }) => name),
      ['create_monitor', 'quote_monitor'],
    )
    const given = { name: 'Alone', url: `http://127.0.0.1:${target.port}/`, interval_seconds: 300 }
    const quote = await stranger.call('quote_monitor', given)
    assert.partialDeepStrictEqual(quote.structuredContent?.['data'], {
      billing: 'paid',
      billing_period: 'monthly',
      locations: ['local'],
      price_cents: 1,
      credit_cents: 0,
      amount_due_cents: 1,
      payment_methods: [{ method: 'card', amount_cents: 50, stays_as_credit_cents: 49, sandbox: true }],
    })
    const created = await pay(stranger, 'create_monitor', given)
    const owner = await connect(url, { Authorization: `Bearer ${String(created.structuredContent?.['api_key'])}` })
    const listed = await owner.call('list_monitors')
    assert.match(listed.content[0]?.text ?? '', /"name":"Alone"/)
    await Promise.all([stranger.close(), owner.close()])
  })
})

/** Registers an anonymous agent: a workspace of its own, without slots and without credit. */
async function register(url: string): Promise<string> {
  const registered = await fetch(`${url}/agent/identity`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'anonymous' }),
  })
  const { identity_assertion: assertion } = registeredSchema.parse(await registered.json())
  const answered = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
  })
  return tokenSchema.parse(await answered.json()).access_token
}

/** Calls, answers the challenge of the refusal, and calls again; once more for the same answer. */
async function pay(client: McpClient, name: string, given: Record<string, unknown>): Promise<McpResult> {
  const refusal: unknown = await client.call(name, given).then(
    () => assert.fail('nothing was asked for'),
    (error: unknown) => error,
  )
  const { challenges, problem } = paymentRequiredSchema.parse(refusal).data
  assert.equal(problem['amount_due'], '0.01')
  const credential = credentialFor(challenges)
  const paid = await client.call(name, given, { [credentialMember]: credential })
  assert.equal(paid.isError, undefined, paid.content[0]?.text)
  const receipt = z.looseObject({ challengeId: z.string() }).parse(paid.meta?.['org.paymentauth/receipt'])
  assert.deepEqual(
    [receipt['status'], receipt['method'], receipt.challengeId],
    ['success', 'card', credential.challenge.id],
  )
  const again = await client.call(name, given, { [credentialMember]: credential })
  assert.deepEqual(
    monitorSchema.parse(again.structuredContent).data.id,
    monitorSchema.parse(paid.structuredContent).data.id,
  )
  return again.structuredContent?.['api_key'] === undefined ? paid : again
}

async function assertDown(client: McpClient, id: string): Promise<void> {
  await until(
    'a failed check',
    async () =>
      monitorSchema.parse((await client.call('get_monitor', { id })).structuredContent).data.current_status === 'down',
    waitMs,
  )
  const results = await client.call('list_results', { id, limit: 5 })
  const [newest] = resultsSchema.parse(results.structuredContent).data
  assert.equal(newest?.status, 'down')
  assert.match(newest.error ?? '', /503/)
  assert.match(await client.read('perigee://down'), /"down":1,.*"name":"Shop".*503/)
  assert.match(await client.read(`perigee://monitors/${id}`), /"current_status":"down"/)
  assert.match(JSON.stringify(await client.prompt('what_is_down')), /perigee:\/\/down.*503/)
}

async function acknowledge(client: McpClient, monitorId: string): Promise<void> {
  const { data } = incidentsSchema.parse((await client.call('list_incidents')).structuredContent)
  const [incident] = data
  assert.deepEqual([incident?.monitor_id, incident?.status], [monitorId, 'open'])
  const { structuredContent } = await client.call('acknowledge_incident', { id: incident?.id })
  assert.equal(
    z.object({ data: z.object({ status: z.string() }) }).parse(structuredContent).data.status,
    'acknowledged',
  )
}

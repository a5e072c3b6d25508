import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { addCredit } from '#store/money/credit.ts'
import { addContact } from '../../test/support/alerts.ts'
import { type TestApi, testApi } from '../../test/support/api.ts'
import { credentialFor, credentialMember, paymentRequiredSchema, rpc } from '../../test/support/mcp-call.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { ledgerOf, market, spendAll } from '../../test/support/paying.ts'

const root = 'io.modelcontextprotocol'
const revision = '2026-07-28'
const asked = z.object({
  resultType: z.literal('input_required'),
  requestState: z.string(),
  inputRequests: z.object({
    confirm: z.object({
      method: z.literal('elicitation/create'),
      params: z.looseObject({ message: z.string(), requestedSchema: z.looseObject({ type: z.literal('object') }) }),
    }),
  }),
})
const done = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })), isError: z.boolean().optional() })
const accepted = { action: 'accept', content: {} }

type Call = {
  name: string
  given: Record<string, unknown>
  /** What the client says that it can do; the default can put a question. */
  capabilities?: Record<string, unknown>
  /** What it sends back of an earlier answer. */
  back?: Record<string, unknown>
  meta?: Record<string, unknown>
  token?: string | null
  toolset?: string
}

/** A call of a client of 2026. */
async function callOf(api: TestApi, { name, given, capabilities = { elicitation: {} }, ...more }: Call) {
  const { back = {}, meta = {}, token = api.token, toolset } = more
  const said = { [`${root}/protocolVersion`]: revision, [`${root}/clientCapabilities`]: capabilities }
  const headers = { 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': name }
  const params = { name, arguments: given, ...back, _meta: { ...said, ...meta } }
  return rpc(api, ['tools/call', params], { token, headers, ...(toolset === undefined ? {} : { toolset }) })
}

async function questionOf(api: TestApi, call: Call): Promise<z.infer<typeof asked>> {
  const { result, error } = await callOf(api, call)
  assert.equal(error, undefined)
  return asked.parse(result)
}

async function resultOf(api: TestApi, call: Call): Promise<z.infer<typeof done>> {
  const { result, error } = await callOf(api, call)
  assert.equal(error, undefined)
  return done.parse(result)
}

describe('deleting', async () => {
  const api = await testApi()
  const statusOf = async (id: string): Promise<number> => (await api.get(`/monitors/${id}`)).status

  for (const toolset of [undefined, 'monitors'])
    it(`asks first, names what it deletes, and does it once that is agreed to: ${toolset ?? 'all tools'}`, async () => {
      const { id } = await createMonitor(api, { name: 'Shop' })
      const call = { name: 'delete_monitor', given: { id }, ...(toolset === undefined ? {} : { toolset }) }
      const { requestState, inputRequests } = await questionOf(api, call)
      assert.equal(
        inputRequests.confirm.params.message,
        'Delete a monitor and its results: "Shop". It cannot be undone.',
      )
      assert.equal(await statusOf(id), 200)
      const agreed = { requestState, inputResponses: { confirm: accepted } }
      assert.equal((await resultOf(api, { ...call, back: agreed })).isError, undefined)
      assert.equal(await statusOf(id), 404)
    })

  for (const action of ['decline', 'cancel'])
    it(`leaves everything as it is where the person answers: ${action}`, async () => {
      const { id } = await createMonitor(api)
      const call = { name: 'delete_monitor', given: { id } }
      const { requestState } = await questionOf(api, call)
      const { isError, content } = await resultOf(api, {
        ...call,
        back: { requestState, inputResponses: { confirm: { action } } },
      })
      assert.equal(isError, true)
      assert.match(content[0]?.text ?? '', /did not agree\. Nothing was done/)
      assert.equal(await statusOf(id), 200)
    })

  it('asks again where another call was agreed to, or none', async () => {
    const [one, other] = [await createMonitor(api, { name: 'One' }), await createMonitor(api, { name: 'Other' })]
    const { requestState } = await questionOf(api, { name: 'delete_monitor', given: { id: one.id } })
    const call = { name: 'delete_monitor', given: { id: other.id } }
    const confirm = accepted
    for (const back of [
      { requestState, inputResponses: { confirm } },
      { requestState: 'x', inputResponses: { confirm } },
      { inputResponses: { confirm } },
      { requestState, inputResponses: { confirm: { roots: [] } } },
      { requestState, inputResponses: {} },
    ])
      assert.match((await questionOf(api, { ...call, back })).inputRequests.confirm.params.message, /"Other"/)
    assert.deepEqual([await statusOf(one.id), await statusOf(other.id)], [200, 200])
  })

  it('asks again where what was agreed to has another name by now', async () => {
    const { id } = await createMonitor(api, { name: 'Before' })
    const call = { name: 'delete_monitor', given: { id } }
    const { requestState } = await questionOf(api, call)
    await api.request('PATCH', `/monitors/${id}`, { body: { name: 'After' } })
    const back = { requestState, inputResponses: { confirm: accepted } }
    assert.match((await questionOf(api, { ...call, back })).inputRequests.confirm.params.message, /"After"/)
  })

  it('names what only a list shows, and else the arguments', async () => {
    const contact = await addContact(api.database, { workspaceId: api.workspaceId, kind: 'email' })
    const { data } = z
      .object({ data: z.array(z.object({ id: z.uuid(), name: z.string() })) })
      .parse((await api.get('/alert-channels')).body)
    const { name } = data.find(({ id }) => id === contact) ?? assert.fail()
    const question = async (call: Call) => (await questionOf(api, call)).inputRequests.confirm.params.message
    assert.equal(
      await question({ name: 'delete_alert_channel', given: { id: contact } }),
      `Delete a contact: ${JSON.stringify(name)}. It cannot be undone.`,
    )
    const { id } = await createMonitor(api)
    const given = { id, file: 'package-lock.json' }
    assert.equal(
      await question({ name: 'remove_software_import', given }),
      'Remove everything that a file imported: "Shop", file "package-lock.json". It cannot be undone.',
    )
  })

  const unasked: [what: string, capabilities: Record<string, unknown>][] = [
    ['that cannot put a question', {}],
    ['that can put other questions only', { sampling: {}, roots: {} }],
    ['that can only open addresses', { elicitation: { url: {} } }],
  ]
  for (const [what, capabilities] of unasked)
    it(`asks no client ${what}`, async () => {
      const { id } = await createMonitor(api)
      assert.equal((await resultOf(api, { name: 'delete_monitor', given: { id }, capabilities })).isError, undefined)
      assert.equal(await statusOf(id), 404)
    })

  it('asks a client that names forms', async () => {
    const { id } = await createMonitor(api)
    await questionOf(api, {
      name: 'delete_monitor',
      given: { id },
      capabilities: { elicitation: { form: {}, url: {} } },
    })
  })

  it('asks no client of earlier revisions, which could not be answered without a session', async () => {
    const { id } = await createMonitor(api)
    const { result } = await rpc(api, ['tools/call', { name: 'delete_monitor', arguments: { id } }])
    assert.equal(done.parse(result).isError, undefined)
    assert.equal(await statusOf(id), 404)
  })

  it('asks for nothing that will be refused', async () => {
    const { id } = await createMonitor(api)
    for (const [given, token] of [
      [{ id: 'Shop' }, api.token],
      [{ id: crypto.randomUUID() }, api.token],
      [{ id, colour: 'red' }, api.token],
      [{}, api.token],
      [{ id }, api.readToken],
    ] as const)
      assert.equal((await resultOf(api, { name: 'delete_monitor', given, token })).isError, true)
    assert.equal(await statusOf(id), 200)
  })

  it('asks for no other tool', async () => {
    const { id } = await createMonitor(api)
    for (const name of ['pause_monitor', 'get_monitor', 'update_monitor'])
      assert.equal((await resultOf(api, { name, given: { id } })).isError, undefined)
  })
})

describe('spending credit', async () => {
  const api = await market()
  const { database, workspaceId } = api
  const give = (amountCents: number): Promise<number> =>
    database.transaction((tx) =>
      addCredit(tx, { workspaceId, amountCents, reason: 'payment', description: 'Test', at: new Date() }),
    )
  await give(4)
  const given = { name: 'Shop', url: 'https://shop.example/', locations: ['amsterdam', 'boston'] }
  const create = { name: 'create_monitor', given }
  const credit = async (): Promise<number> => (await ledgerOf(api, workspaceId)).creditCents

  it('asks first, with the price, and spends once that is agreed to', async () => {
    const { requestState, inputRequests } = await questionOf(api, create)
    assert.match(
      inputRequests.confirm.params.message,
      /: \$0\.02 of the credit of \$0\.04 pay for amsterdam, boston for 30 days\. Go on\?$/,
    )
    assert.equal(await credit(), 4)
    const agreed = { requestState, inputResponses: { confirm: accepted } }
    const { isError } = await resultOf(api, { ...create, back: agreed })
    assert.deepEqual([isError, await credit()], [undefined, 2])
  })

  it('asks again where the credit is another by now', async () => {
    const { requestState } = await questionOf(api, create)
    await api.post('/monitors', { name: 'Between', url: 'https://between.example/', locations: ['amsterdam'] })
    const back = { requestState, inputResponses: { confirm: accepted } }
    const { error } = await callOf(api, { ...create, back })
    // What is left does not cover it any more.
    assert.equal(paymentRequiredSchema.parse(error).code, -32_042)
    assert.equal(await credit(), 1)
  })

  it('is asked for no further where the client brings a payment', async () => {
    const { error } = await callOf(api, create)
    const { challenges } = paymentRequiredSchema.parse(error).data
    const paid = await resultOf(api, { ...create, meta: { [credentialMember]: credentialFor(challenges) } })
    assert.equal(paid.isError, undefined)
  })

  it('is asked for no further where credit would by now cover what the client pays', async () => {
    const late = { name: 'create_monitor', given: { ...given, name: 'Late', billing_period: 'lifetime' } }
    await spendAll(api, workspaceId)
    const { error } = await callOf(api, late)
    const { challenges } = paymentRequiredSchema.parse(error).data
    await give(100)
    const paid = await resultOf(api, { ...late, meta: { [credentialMember]: credentialFor(challenges) } })
    assert.equal(paid.isError, undefined)
  })

  it('asks for a renewal and for a change that costs something, and for none that does not', async () => {
    const { data } = z
      .object({ data: z.array(z.object({ id: z.uuid() })) })
      .parse((await api.get('/monitors?name=Between')).body)
    const id = data[0]?.id ?? assert.fail()
    await questionOf(api, { name: 'renew_monitor', given: { id } })
    const locations = ['amsterdam', 'boston', 'chennai']
    await questionOf(api, { name: 'update_monitor', given: { id, locations } })
    const renamed = await resultOf(api, { name: 'update_monitor', given: { id, name: 'Renamed' } })
    assert.equal(renamed.isError, undefined)
  })

  it('asks no stranger, whose payment is a question of its own', async () => {
    const { error } = await callOf(api, { ...create, token: null })
    assert.equal(paymentRequiredSchema.parse(error).code, -32_042)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Challenge, Credential } from 'mppx'
import { z } from 'zod'
import { rpc } from '../../test/support/mcp-call.ts'
import { firstKeyOf, ledgerOf, market, problemOf, send } from '../../test/support/paying.ts'

const requiredSchema = z.object({
  httpStatus: z.literal(402),
  challenges: z.array(Challenge.Schema).min(1),
  problem: z.looseObject({ type: z.string(), error: z.literal('payment_required'), amount_due: z.string() }),
})
const member = 'org.paymentauth/credential'
const given = { name: 'Shop', url: 'https://example.com/', locations: ['amsterdam', 'boston'] }

describe('a payment by a tool', async () => {
  const api = await market()
  const { workspaceId } = api
  const call = (params: Record<string, unknown>, meta?: Record<string, unknown>) =>
    rpc(
      api,
      ['tools/call', { name: 'create_monitor', arguments: given, ...params }],
      meta === undefined ? {} : { meta },
    )

  async function ask(more: Record<string, unknown> = {}) {
    const { error } = await call(more)
    assert.equal(error?.code, -32_042)
    return requiredSchema.parse(error.data)
  }

  it('is asked for in the words of HTTP, with the same challenges', async () => {
    const { challenges, problem } = await ask()
    assert.equal(problem.amount_due, '0.02')
    const http = await send(api, { path: '/monitors', body: given })
    assert.equal(`https://paymentauth.org/problems/${problemOf(http)}`, problem.type)
    const [own] = Challenge.deserializeList(http.headers.get('www-authenticate') ?? '')
    assert.deepEqual(challenges[0]?.request, own?.request)
  })

  it('is taken from the message itself too, and brings a receipt', async () => {
    const { challenges } = await ask()
    const { result } = await call({}, { [member]: answer(challenges[0]) })
    const receipt = z.looseObject({ 'org.paymentauth/receipt': z.looseObject({}) }).parse(result?.['_meta'])
    assert.equal(receipt['org.paymentauth/receipt']['challengeId'], challenges[0]?.id)
    assert.deepEqual((await ledgerOf(api, workspaceId)).attempts, { succeeded: 1 })
  })

  it('that is refused is asked for again, with the reason', async () => {
    const stranger = { name: 'create_monitor', arguments: { ...given, name: 'Declined' } }
    const asked = await rpc(api, ['tools/call', stranger], { token: null })
    const { challenges } = requiredSchema.parse(asked.error?.data)
    const paid = { ...stranger, _meta: { [member]: answer(challenges[0], 'spt_test_declined') } }
    const { error } = await rpc(api, ['tools/call', paid], { token: null })
    assert.equal(error?.code, -32_042)
    const again = requiredSchema.parse(error.data)
    assert.match(again.problem.type, /verification-failed$/)
    assert.notEqual(again.challenges[0]?.id, challenges[0]?.id)
  })

  async function sendAs(name: string, credential?: unknown): Promise<Challenge.Challenge[]> {
    const meta = credential === undefined ? {} : { _meta: { [member]: credential } }
    const params = { name: 'create_monitor', arguments: { ...given, name }, ...meta }
    const { error } = await rpc(api, ['tools/call', params], { token: null })
    assert.equal(error?.code, -32_042, JSON.stringify(credential))
    return requiredSchema.parse(error.data).challenges
  }

  async function payments(): Promise<unknown> {
    return (await api.database.pool.query('select count(*) from payments')).rows
  }

  it('for another request, or of no shape at all, pays nothing', async () => {
    const before = await payments()
    const [challenge] = await sendAs('One')
    for (const credential of [answer(challenge), 'nonsense', 7, null, {}]) await sendAs('Another', credential)
    assert.deepEqual(await payments(), before)
  })

  it('can be begun here and finished over HTTP', async () => {
    const body = { ...given, name: 'Both ways' }
    const asked = await rpc(api, ['tools/call', { name: 'create_monitor', arguments: body }], { token: null })
    const { challenges } = requiredSchema.parse(asked.error?.data)
    const credential = Credential.serialize(answer(challenges[0])).replace('Payment ', '')
    const paid = await send(api, { path: '/monitors', body, token: null }, credential)
    assert.equal(paid.status, 201, paid.text)
    assert.match(firstKeyOf(paid).apiKey, /^pgk_/)
  })
})

function answer(challenge: Challenge.Challenge | undefined, spt = 'spt_test_ok'): Credential.Credential {
  assert.ok(challenge !== undefined)
  return Credential.deserialize(Credential.serialize(Credential.from({ challenge, payload: { spt } })))
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { credentialFor, credentialMember, paymentRequiredSchema, rpc } from '../../test/support/mcp-call.ts'
import { type Challenge, challengesIn, credentialText } from '../../test/support/payment-client.ts'
import { credentialIn, paymentRequired, receiptMember, withoutMeta } from './payment.ts'
import { firstKeyOf, ledgerOf, market, problemOf, send } from '../../test/support/paying.ts'

const given = { name: 'Shop', url: 'https://example.com/', locations: ['amsterdam', 'boston'] }

describe('what asks for a payment', () => {
  const how = 'The challenges are in data.challenges: '
  const messages: [body: unknown, terms: string | undefined, start: string][] = [
    [{ message: 'Pay first.' }, '$1 is due.', `Pay first. $1 is due. ${how}`],
    [{ message: 'Pay first.' }, undefined, `Pay first. ${how}`],
    [{ message: 7 }, '$1 is due.', `Payment required. $1 is due. ${how}`],
    ['Pay first.', undefined, `Payment required. ${how}`],
  ]
  for (const [body, terms, start] of messages)
    it(`says: ${start}`, () => {
      const asked = paymentRequired({ body, challenges: [], ...(terms === undefined ? {} : { terms }) })
      assert.ok(asked.message.startsWith(start), asked.message)
      const data = { httpStatus: 402, challenges: [], problem: body }
      assert.deepEqual(Object.entries(asked), [
        ['code', -32_042],
        ['data', data],
      ])
    })
})

function carrying(credential: string) {
  return { _meta: { [credentialMember]: credential } }
}

describe('what pays', () => {
  const cases: [what: string, message: unknown, found: unknown][] = [
    ['in the parameters', { params: carrying('a') }, 'a'],
    ['in the message', { params: {}, ...carrying('b') }, 'b'],
    ['in the parameters before the message', { params: carrying('a'), ...carrying('b') }, 'a'],
    ['where there are no parameters', carrying('b'), 'b'],
    ['nowhere', { params: { _meta: 7 }, _meta: null }, undefined],
    ['in what is no message', 'a', undefined],
  ]
  for (const [what, message, found] of cases) it(`is found ${what}`, () => assert.equal(credentialIn(message), found))

  it('is taken off the message itself, of one as of several', () => {
    assert.deepEqual(withoutMeta({ id: 1, params: carrying('a'), ...carrying('b') }), { id: 1, params: carrying('a') })
    assert.deepEqual(withoutMeta([{ id: 1, ...carrying('b') }, 7]), [{ id: 1 }, 7])
    assert.equal(withoutMeta(7), 7)
  })

  it('brings a receipt, where there is one', () => {
    const receipt = { status: 'success', method: 'card', reference: 'r', timestamp: 't', challengeId: 'c' } as const
    assert.deepEqual(receiptMember(receipt), { _meta: { 'org.paymentauth/receipt': receipt } })
    assert.deepEqual(receiptMember(undefined), {})
  })
})

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
    return paymentRequiredSchema.parse(error).data
  }

  it('is asked for in the words of HTTP, with the same challenges', async () => {
    const { challenges, problem } = await ask()
    assert.equal(problem.amount_due, '0.02')
    const http = await send(api, { path: '/monitors', body: given })
    assert.equal(`https://paymentauth.org/problems/${problemOf(http)}`, problem.type)
    const [own] = challengesIn(http.headers.get('www-authenticate'))
    assert.deepEqual(challenges[0]?.request, own?.request)
  })

  it('is asked for with the price and the way to pay in the message, which clients show models alone', async () => {
    const { error } = await call({})
    const { message = '' } = error ?? {}
    for (const words of [
      /\$0\.02 are due for: .*2 locations/,
      /Card charges \$0\.50, of which \$0\.48 stay as credit\./,
      /call the tool again with the same arguments .* _meta\["org\.paymentauth\/credential"\]/,
    ])
      assert.match(message, words)
    assert.doesNotMatch(message, /WWW-Authenticate|Authorization/)
  })

  it('is taken from the message itself too, and brings a receipt', async () => {
    const { challenges } = await ask()
    const { result } = await call({}, { [credentialMember]: credentialFor(challenges) })
    const receipt = z.looseObject({ 'org.paymentauth/receipt': z.looseObject({}) }).parse(result?.['_meta'])
    assert.equal(receipt['org.paymentauth/receipt']['challengeId'], challenges[0]?.id)
    assert.deepEqual((await ledgerOf(api, workspaceId)).attempts, { succeeded: 1 })
  })

  it('that is refused is asked for again, with the reason', async () => {
    const stranger = { name: 'create_monitor', arguments: { ...given, name: 'Declined' } }
    const asked = await rpc(api, ['tools/call', stranger], { token: null })
    const { challenges } = paymentRequiredSchema.parse(asked.error).data
    const paid = { ...stranger, _meta: { [credentialMember]: credentialFor(challenges, 'spt_test_declined') } }
    const { error } = await rpc(api, ['tools/call', paid], { token: null })
    const again = paymentRequiredSchema.parse(error).data
    assert.match(again.problem.type, /verification-failed$/)
    assert.match(error?.message ?? '', /^(?!Answer).+ \$0\.02 are due/)
    assert.notEqual(again.challenges[0]?.id, challenges[0]?.id)
  })

  async function sendAs(name: string, credential?: unknown): Promise<Challenge[]> {
    const meta = credential === undefined ? {} : { _meta: { [credentialMember]: credential } }
    const params = { name: 'create_monitor', arguments: { ...given, name }, ...meta }
    const { error } = await rpc(api, ['tools/call', params], { token: null })
    return paymentRequiredSchema.parse(error).data.challenges
  }

  async function payments(): Promise<unknown> {
    return (await api.database.pool.query('select count(*) from payments')).rows
  }

  it('for another request, or of no shape at all, pays nothing', async () => {
    const before = await payments()
    const challenges = await sendAs('One')
    for (const credential of [credentialFor(challenges), 'nonsense', 7, null, {}]) await sendAs('Another', credential)
    assert.deepEqual(await payments(), before)
  })

  it('can be begun here and finished over HTTP', async () => {
    const body = { ...given, name: 'Both ways' }
    const asked = await rpc(api, ['tools/call', { name: 'create_monitor', arguments: body }], { token: null })
    const { challenges } = paymentRequiredSchema.parse(asked.error).data
    const credential = credentialText(credentialFor(challenges))
    const paid = await send(api, { path: '/monitors', body, token: null }, credential)
    assert.equal(paid.status, 201, paid.text)
    assert.match(firstKeyOf(paid).apiKey, /^pgk_/)
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { paymentSchema } from '#core/money/payment.ts'
import { receiptMarkdown } from '#core/money/receipt-markdown.ts'
import { receiptSchema } from '#core/money/receipt.ts'
import { testApi } from '../../../test/support/api.ts'
import { refusalOf } from '../../../test/support/monitors.ts'
import { addPayment } from '../../../test/support/payments.ts'

const listed = z.object({ data: z.array(paymentSchema) })

describe('payments and credit', async () => {
  const api = await testApi()
  const { database, workspaceId } = api
  const first = await addPayment(database, {
    workspaceId,
    at: new Date('2026-11-21T12:00:00Z'),
    description: 'Credit of <b>$0.50</b>',
  })
  const second = await addPayment(database, { workspaceId, at: new Date('2026-11-21T12:00:01Z'), amountCents: 100 })
  const other = await api.addWorkspace()

  it('are listed newest first, to readers too', async () => {
    const payments = listed.parse((await api.get('/payments', { token: api.readToken })).body).data
    assert.deepEqual(payments, [second, first])
    const credit = await api.get('/account/credit', { token: api.readToken })
    assert.match(credit.text, /^\{"data":\[\{[^}]*"balance_cents":150,[^}]*\},\{[^}]*"balance_cents":50,[^}]*\}\]\}$/)
  })

  it('are shown one by one, with their receipts', async () => {
    assert.deepEqual((await api.get(`/payments/${first.id.toUpperCase()}`)).body, { data: first })
    const answer = await api.get(`/payments/${first.id}/receipt`)
    const receipt = receiptSchema.parse(answer.body)
    assert.equal(receipt.payment.id, first.id)
    assert.equal(answer.text, JSON.stringify(receipt), 'in the order of the schema')
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('vary'), 'Accept, Accept-Encoding')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  const accepts = [
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html, */*', 'application/json'],
    ['application/json, text/markdown', 'application/json'],
    ['text/markdown;q=0.5, application/json', 'application/json'],
    ['text/markdown;q=0', 'application/json'],
    ['nonsense;;;=,', 'application/json'],
    ['text/markdown', 'text/markdown'],
    ['Text/Markdown; charset=utf-8', 'text/markdown'],
    ['text/markdown, application/json', 'text/markdown'],
    ['text/markdown, */*', 'text/markdown'],
    ['application/json;q=0.5, text/markdown', 'text/markdown'],
  ] as const
  for (const [accept, type] of accepts)
    it(`have receipts in ${type} for Accept: ${accept ?? '(none)'}`, async () => {
      const headers = accept === undefined ? {} : { Accept: accept }
      const answer = await api.get(`/payments/${first.id}/receipt`, { headers })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`)
      if (type === 'application/json') return
      const json = await api.get(`/payments/${first.id}/receipt`)
      assert.equal(answer.text, receiptMarkdown(receiptSchema.parse(json.body)))
      assert.match(answer.text, /Credit of \\<b\\>\$0\.50\\<\/b\\>/)
    })

  it('refuse in JSON whatever is accepted', async () => {
    const headers = { Accept: 'text/markdown' }
    const answer = await api.get(`/payments/${randomUUID()}/receipt`, { headers })
    assert.deepEqual(refusalOf(answer), [404, 'not_found'])
    assert.equal((await api.get(`/payments/${first.id}/receipt`, { headers, token: null })).status, 401)
  })

  it('are nobody else’s: of other workspaces, unknown and malformed ids are all not found', async () => {
    for (const path of [`/payments/${first.id}`, `/payments/${first.id}/receipt`])
      assert.deepEqual(refusalOf(await api.get(path, { token: other.token })), [404, 'not_found'])
    for (const id of [randomUUID(), 'x', `${first.id}x`])
      for (const path of [`/payments/${id}`, `/payments/${id}/receipt`])
        assert.deepEqual(refusalOf(await api.get(path)), [404, 'not_found'])
    assert.equal((await api.get('/payments', { token: other.token })).text, '{"data":[]}')
    assert.equal((await api.get('/account/credit', { token: other.token })).text, '{"data":[]}')
  })
})

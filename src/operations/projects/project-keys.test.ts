import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { addCredit } from '#store/money/credit.ts'
import { testApi } from '../../../test/support/api.ts'

const exported = z.object({ data: z.object({ monitors: z.array(z.object({ project: z.unknown() })) }) })
const listed = z.object({ data: z.array(z.object({ id: z.string() })) })
const refused = z.object({ fields: z.record(z.string(), z.array(z.string())) })
const account = z.object({ data: z.object({ credit_cents: z.int() }) })

const under = (key: string, more: Record<string, string> = {}) => ({ headers: { 'perigee-project': key, ...more } })
const upTo = (cents: string) => ({ headers: { 'perigee-max-price': cents } })

describe('the header Perigee-Project', async () => {
  const api = await testApi({ maxConnections: 5 })
  const monitor = { name: 'Site', url: 'https://example.com/' }
  const owned = async () => {
    const { body } = await api.get('/export')
    return exported.parse(body).data.monitors.map(({ project }) => project)
  }

  it('has the key stand for what is made', async () => {
    const made = await api.post('/monitors', monitor, under('shop/site'))
    assert.equal(made.status, 201)
    assert.deepEqual(await owned(), [{ id: 'shop', key: 'site', pruned_at: null }])
  })

  it('makes nothing where the key stands for something else', async () => {
    const again = await api.post('/monitors', monitor, under('shop/site'))
    assert.deepEqual(
      [again.status, refused.parse(again.body).fields['Perigee-Project']],
      [422, ['The key site of the project stands for something else.']],
    )
    assert.equal((await owned()).length, 1)
  })

  it('lets one of several requests at once make something', async () => {
    const contact = { name: 'Hook', kind: 'webhook', destination: 'https://example.com/hook' }
    const made = await Promise.all(
      Array.from({ length: 5 }, () => api.post('/alert-channels', contact, under('shop/hook'))),
    )
    assert.deepEqual(
      made.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 422, 422, 422, 422],
    )
    const { body } = await api.get('/alert-channels')
    assert.partialDeepStrictEqual(body, { data: [{ name: 'Hook' }] })
  })

  it('is no hindrance where what it stood for is gone', async () => {
    const [site] = listed.parse((await api.get('/monitors')).body).data
    await api.request('DELETE', `/monitors/${site?.id}`)
    const made = await api.post('/monitors', monitor, under('shop/site'))
    assert.equal(made.status, 201)
    assert.deepEqual(await owned(), [{ id: 'shop', key: 'site', pruned_at: null }])
  })

  it('goes with a repeat of the request', async () => {
    const key = under('shop/twice', { 'idempotency-key': 'once' })
    assert.equal((await api.post('/monitors', monitor, key)).status, 201)
    assert.equal((await api.post('/monitors', monitor, key)).status, 200)
    assert.deepEqual((await owned()).length, 2)
    const other = under('shop/thrice', { 'idempotency-key': 'once' })
    assert.equal((await api.post('/monitors', monitor, other)).status, 422)
  })

  it('must be a project and a key', async () => {
    for (const wrong of ['shop', 'shop/', 'shop/a/b', '/site', 'Shop/site', 'shop/monitors site']) {
      const { status, body } = await api.post('/monitors', monitor, under(wrong))
      assert.deepEqual([wrong, status, Object.keys(refused.parse(body).fields)], [wrong, 422, ['Perigee-Project']])
    }
  })
})

describe('the header Perigee-Max-Price', async () => {
  const api = await testApi({ maxConnections: 5, plan: 'pay_as_you_go' })
  await api.database.transaction((tx) =>
    addCredit(tx, {
      workspaceId: api.workspaceId,
      amountCents: 100,
      reason: 'payment',
      description: 'Given',
      at: new Date(),
    }),
  )
  const monitor = { name: 'Site', url: 'https://example.com/', interval_seconds: 300 }
  const credit = async () => account.parse((await api.get('/account')).body).data.credit_cents

  it('lets a request take no more', async () => {
    const dear = await api.post('/monitors', monitor, upTo('0'))
    assert.deepEqual(
      [dear.status, refused.parse(dear.body).fields['Perigee-Max-Price']],
      [422, ['Must be at least 1, the price in cents.']],
    )
    assert.equal(await credit(), 100)
    assert.equal((await api.post('/monitors', monitor, upTo('1'))).status, 201)
    assert.equal(await credit(), 99)
  })

  it('must be a number of cents', async () => {
    for (const wrong of ['-1', '1.5', 'one', ''])
      assert.equal((await api.post('/monitors', monitor, upTo(wrong))).status, 422)
  })
})

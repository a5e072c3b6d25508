import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../test/support/api.ts'

describe('account', async () => {
  const api = await testApi({ plan: 'free' })

  it('shows the plan, its slots, the credit and every price', async () => {
    const { status, body } = await api.get('/account')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      data: {
        plan: 'free',
        plan_monitors: { limit: 10, used: 0, free: 10 },
        paid_monitors: 0,
        credit_cents: 0,
        pricing: {
          currency: 'usd',
          price_per_location_cents: 1,
          lifetime_price_per_location_cents: 10,
          renewal_days: 30,
          grace_days: 7,
          minimum_top_up_cents: 50,
          payments_enabled: false,
          vat_included: true,
        },
        billing_details: { billing_name: null, billing_address: null, billing_country: null, billing_vat_id: null },
      },
    })
  })

  it('replaces the billing details and clears what is left out', async () => {
    const details = {
      billing_name: 'Example OOD',
      billing_address: '1 Vitosha Blvd\nSofia',
      billing_country: 'BG',
      billing_vat_id: 'BG123456789',
    }
    const put = await api.request('PUT', '/account/billing', { body: details })
    assert.deepEqual([put.status, put.body], [200, { data: details }])
    await api.request('PUT', '/account/billing', { body: { billing_name: 'Only a name' } })
    const shown = await api.get('/account')
    assert.match(
      shown.text,
      /"billing_name":"Only a name","billing_address":null,"billing_country":null,"billing_vat_id":null/,
    )
  })

  const refused = [
    ['a country in small letters', { billing_country: 'bg' }, ['billing_country']],
    ['a country that does not exist', { billing_country: 'XX' }, ['billing_country']],
    ['a number for a name', { billing_name: 7 }, ['billing_name']],
    ['a name that is too long', { billing_name: 'x'.repeat(201) }, ['billing_name']],
    ['an address that is too long', { billing_address: 'x'.repeat(1001) }, ['billing_address']],
    ['a VAT id that is too long', { billing_vat_id: 'x'.repeat(33) }, ['billing_vat_id']],
    ['a field that is not known', { billing_city: 'Sofia' }, ['billing_city']],
    ['several at once', { billing_name: 7, billing_country: 'EU' }, ['billing_name', 'billing_country']],
  ] as const
  for (const [what, body, fields] of refused)
    it(`refuses ${what}`, async () => {
      const answer = await api.request('PUT', '/account/billing', { body })
      assert.equal(answer.status, 422)
      assert.deepEqual(fieldNames(answer.body), fields)
    })

  it('shows one workspace nothing of another', async () => {
    const other = await api.addWorkspace('pro')
    await api.request('PUT', '/account/billing', { body: { billing_name: 'Mine' } })
    const { text } = await api.get('/account', { token: other.token })
    assert.match(text, /"plan":"pro"/)
    assert.doesNotMatch(text, /Mine/)
  })
})

describe('locations', async () => {
  const api = await testApi({ online: ['boston'] })

  it('lists code, name and presence in a stable order', async () => {
    const { body } = await api.get('/locations', { token: api.readToken })
    assert.deepEqual(body, {
      data: [
        { code: 'amsterdam', name: 'Amsterdam', online: false },
        { code: 'boston', name: 'Boston', online: true },
        { code: 'chennai', name: 'Chennai', online: false },
      ],
    })
  })
})

function fieldNames(body: unknown): string[] {
  assert.ok(typeof body === 'object' && body !== null && 'fields' in body)
  return Object.keys(body.fields ?? {})
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { testApi } from '../../../test/support/api.ts'
import { noNet } from '../../../test/support/net.ts'
import { addPayment, testSeller } from '../../../test/support/payments.ts'
import { createVatIds } from '#payments/vat-id.ts'

describe('account', async () => {
  const api = await testApi({ plan: 'free', services: { payments: null } })

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
      billing_vat_id: 'BG175074752',
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
    ['a VAT id whose check digit is wrong', { billing_vat_id: 'BG123456789' }, ['billing_vat_id']],
    ['a VAT id from outside the EU', { billing_vat_id: 'GB980780684' }, ['billing_vat_id']],
    ['a VAT id without its prefix', { billing_vat_id: '811569869' }, ['billing_vat_id']],
    ['a VAT id that is empty', { billing_vat_id: '' }, ['billing_vat_id']],
    ['a VAT id of another country', { billing_country: 'FR', billing_vat_id: 'DE811569869' }, ['billing_vat_id']],
    ['a VAT id outside the EU', { billing_country: 'US', billing_vat_id: 'DE811569869' }, ['billing_vat_id']],
    ['a field that is not known', { billing_city: 'Sofia' }, ['billing_city']],
    ['several at once', { billing_name: 7, billing_country: 'EU' }, ['billing_name', 'billing_country']],
  ] as const
  for (const [what, body, fields] of refused)
    it(`refuses ${what}`, async () => {
      const answer = await api.request('PUT', '/account/billing', { body })
      assert.equal(answer.status, 422)
      assert.deepEqual(fieldNames(answer.body), fields)
    })

  const written = [
    ['with spaces, dots and small letters', 'DE', 'de 811.569.869', 'DE811569869'],
    ['of Greece, which is EL', 'GR', 'EL 094259216', 'EL094259216'],
    ['of Greece, written with GR', 'GR', 'GR094259216', 'EL094259216'],
    ['of Monaco, which is French', 'MC', 'FR40303265045', 'FR40303265045'],
    ['without a country', null, 'DE811569869', 'DE811569869'],
  ] as const
  for (const [what, billing_country, billing_vat_id, kept] of written)
    it(`keeps a VAT id ${what} in its canonical form`, async () => {
      const put = await api.request('PUT', '/account/billing', { body: { billing_country, billing_vat_id } })
      assert.deepEqual(put.body, {
        data: { billing_name: null, billing_address: null, billing_country, billing_vat_id: kept },
      })
    })

  it('shows the credit that is left', async () => {
    const { workspaceId, token } = await api.addWorkspace()
    await addPayment(api.database, { workspaceId, amountCents: 123 })
    assert.match((await api.get('/account', { token })).text, /"credit_cents":123,/)
  })

  it('shows one workspace nothing of another', async () => {
    const other = await api.addWorkspace('pro')
    await api.request('PUT', '/account/billing', { body: { billing_name: 'Mine' } })
    const { text } = await api.get('/account', { token: other.token })
    assert.match(text, /"plan":"pro"/)
    assert.doesNotMatch(text, /Mine/)
  })
})

describe('billing details where VAT ids are confirmed', async () => {
  const answers = new Map<string, boolean | null>()
  const { read } = createVatIds(noNet, null)
  const asked: string[] = []
  const confirm = async (vatId: string): Promise<boolean | null> => {
    asked.push(vatId)
    return answers.get(vatId) ?? null
  }
  const api = await testApi({ services: { vatIds: { read, confirm } } })
  const seller = { ...testSeller, needsConfirmedVatIds: true }

  const outcomes = [
    ['registered', true, 'reverse_charge'],
    ['not registered', false, 'domestic'],
    ['not known at the moment', null, 'domestic'],
  ] as const
  for (const [what, answer, treatment] of outcomes)
    it(`take a VAT id that is ${what}, and payments are ${treatment}`, async () => {
      const { workspaceId, token } = await api.addWorkspace()
      answers.set('DE811569869', answer)
      const body = { billing_country: 'DE', billing_vat_id: 'DE 811569869' }
      assert.equal((await api.request('PUT', '/account/billing', { body, token })).status, 200)
      assert.equal((await addPayment(api.database, { workspaceId, seller })).vat_treatment, treatment)
    })

  it('ask nobody of no VAT id, and of none that is refused', async () => {
    asked.length = 0
    await api.request('PUT', '/account/billing', { body: { billing_country: 'DE' } })
    await api.request('PUT', '/account/billing', { body: { billing_country: 'FR', billing_vat_id: 'DE811569869' } })
    await api.request('PUT', '/account/billing', { body: { billing_vat_id: 'DE811569860' } })
    assert.deepEqual(asked, [])
  })
})

describe('locations', async () => {
  const api = await testApi({ online: ['boston'] })

  it('lists code, name and presence in a stable order', async () => {
    const { body } = await api.get('/locations', { token: api.readToken })
    assert.deepEqual(body, {
      data: [
        { code: 'amsterdam', name: 'Amsterdam', online: false, lost_network_since: null, witness: null },
        { code: 'boston', name: 'Boston', online: true, lost_network_since: null, witness: 1 },
        { code: 'chennai', name: 'Chennai', online: false, lost_network_since: null, witness: null },
      ],
    })
  })

  it('says by numbers which of them stand on one machine, and names no machine', async () => {
    const machines = new Map([
      ['amsterdam', 'boot-1'],
      ['boston', 'boot-2'],
      ['chennai', 'boot-1'],
    ])
    const { get } = await testApi({ services: { witnessOf: (code) => machines.get(code) ?? null } })
    const { body } = await get('/locations')
    const { data } = z.object({ data: z.array(z.object({ code: z.string(), witness: z.int() })) }).parse(body)
    assert.deepEqual(
      data.map(({ code, witness }) => [code, witness]),
      [
        ['amsterdam', 1],
        ['boston', 2],
        ['chennai', 1],
      ],
    )
  })
})

function fieldNames(body: unknown): string[] {
  assert.ok(typeof body === 'object' && body !== null && 'fields' in body)
  return Object.keys(body.fields ?? {})
}

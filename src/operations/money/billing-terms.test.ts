import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planTermsSchema, vatPreviewSchema } from '#core/money/billing-terms.ts'
import { z } from 'zod'
import { refusalOf } from '../../../test/support/monitors.ts'
import { sandbox } from '../../../test/support/paying.ts'
import { addPayment } from '../../../test/support/payments.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'

const oneTerms = z.object({ data: planTermsSchema })
const onePreview = z.object({ data: vatPreviewSchema })

describe('the terms of a plan', async () => {
  const people = await peopleApi()
  const { browser, workspaceId } = await people.newcomer('terms@example.com')
  const read = async () =>
    oneTerms.parse((await browser.api('GET', '/account/plan', { workspace: workspaceId })).body).data

  const cases = [
    ['free', { minimum_interval_seconds: 300, vulnerability_alerts: false, contact_kinds: null, problem_days: 30 }],
    ['pro', { minimum_interval_seconds: 10, usual_interval_seconds: 300 }],
    ['pro', { minimum_interval_seconds: 10, vulnerability_alerts: true, contact_kinds: null, problem_days: 90 }],
    ['pay_as_you_go', { private_repositories: false, contact_kinds: ['email', 'webhook'] }],
  ] as const
  for (const [plan, terms] of cases)
    it(`of ${plan} are those of the configuration`, async () => {
      await people.api.database.pool.query('update workspaces set plan = $2 where id = $1', [workspaceId, plan])
      assert.partialDeepStrictEqual(await read(), {
        ...terms,
        maximum_paid_monitors: 1000,
        maximum_top_up_cents: 100_000,
      })
    })
})

describe('a preview of VAT', async () => {
  const people = await peopleApi({ payments: sandbox })
  const { database } = people.api
  const { browser, workspaceId } = await people.newcomer('vat@example.com')
  const ask = (query = '') => browser.api('GET', `/account/vat${query}`, { workspace: workspaceId })
  const preview = async (cents: number) => onePreview.parse((await ask(`?amount_cents=${cents}`)).body).data
  const customer = (country: string | null, vatId: string | null) =>
    browser.api('PUT', '/account/billing', {
      workspace: workspaceId,
      body: { billing_country: country, billing_vat_id: vatId },
    })

  const cases = [
    [null, null, 'domestic', '20.00', 'none'],
    ['DE', null, 'domestic', '20.00', 'none'],
    ['DE', 'DE811569869', 'reverse_charge', '0.00', 'valid'],
    ['US', null, 'outside_scope', '0.00', 'none'],
  ] as const
  for (const [country, vatId, treatment, rate, state] of cases)
    it(`of ${country} with the VAT id ${vatId} is what a payment gets`, async () => {
      await customer(country, vatId)
      for (const amountCents of [50, 333, 100_000]) {
        const said = await preview(amountCents)
        assert.deepEqual([said.vat_treatment, said.vat_rate, said.vat_id_state], [treatment, rate, state])
        const paid = await addPayment(database, { workspaceId, amountCents })
        assert.deepEqual(
          [said.net_cents, said.vat_cents, said.vat_rate, said.vat_treatment],
          [paid.net_cents, paid.vat_cents, paid.vat_rate, paid.vat_treatment],
        )
      }
    })

  for (const amount of ['49', '100001', '5.00', 'much', ''])
    it(`refuses ${JSON.stringify(amount)} cents, as a top-up does`, async () => {
      assert.deepEqual(refusalOf(await ask(`?amount_cents=${amount}`)), [422, 'validation_failed', 'amount_cents'])
    })

  it('is of ten dollars where no amount is named', async () => {
    assert.equal(onePreview.parse((await ask()).body).data.amount_cents, 1000)
  })

  it('is not there where payments are off', async () => {
    const off = await peopleApi()
    const owner = await off.newcomer('off@example.com')
    const answer = await owner.browser.api('GET', '/account/vat', { workspace: owner.workspaceId })
    assert.deepEqual([answer.status, codeOf(answer)], [503, 'payments_disabled'])
  })
})

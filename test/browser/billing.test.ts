// The owner's pages about money in the console, with payments in the sandbox, where no money moves.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { payWithoutAccount } from './support/anonymous-payer.ts'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { askFor, owned, owner, ownerEmail, problemOf, rowsOf } from './support/money.ts'

const receiptSchema = z.looseObject({ receipt_number: z.string(), gross_cents: z.int(), vat_cents: z.int() })

describe('money in the console', async () => {
  const service = await startConsole({ ...owned, PERIGEE_PAYMENTS: 'sandbox' })
  const { visitor, inspect, complaints } = service

  it('takes billing details, refuses those that cannot be, and says what VAT they make', async () => {
    const page = await owner(service, '/settings/billing')
    await see(page, 'Billing details')
    await page.getByText("VAT of 20 %, that of the seller's country, is part of the price.").waitFor()
    await page.getByText('$1.67 of $10.00 is VAT.').waitFor()
    await inspect(page, 'billing details')
    await fill(page, { 'Name or company': 'Muster GmbH', 'VAT id': 'DE811569868' })
    await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Germany' })
    await press(page, 'Save')
    await problemOf(page, 'VAT id', /Must be a VAT id of the EU/)
    await inspect(page, 'billing details, refused')
    await fill(page, { 'VAT id': 'de 811.569.869' })
    await page.getByLabel('Country', { exact: true }).selectOption({ label: 'France' })
    await press(page, 'Save')
    await problemOf(page, 'VAT id', /Does not belong to the billing_country FR/)
    await fill(page, { Address: 'Hauptstr. 1\n10115 Berlin' })
    await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Germany' })
    await press(page, 'Save')
    await page.getByText('The billing details are saved.').waitFor()
    await page.getByText('Reverse charge: no VAT is charged').waitFor()
    assert.equal(await page.getByLabel('VAT id', { exact: true }).inputValue(), 'DE811569869')
    await page.reload()
    assert.equal(await page.getByLabel('Name or company').inputValue(), 'Muster GmbH')
    assert.equal(await page.getByLabel('Address').inputValue(), 'Hauptstr. 1\n10115 Berlin')
    await fill(page, { 'VAT id': '' })
    await press(page, 'Save')
    await page.getByText('VAT of 20 %').waitFor()
  })

  it('sells credit in the sandbox, at a price that is shown before, and keeps a receipt', async () => {
    const page = await owner(service, '/settings/credit')
    await see(page, 'Credit')
    await page.getByText('None yet.').waitFor()
    await inspect(page, 'credit, none')
    for (const [amount, problem] of [
      ['much', /Must be an amount in dollars/],
      ['0.49', /Must be from \$0\.50 to \$1,000\.00\./],
    ] as const) {
      await fill(page, { 'Amount in dollars': amount })
      await press(page, 'Show the price')
      await problemOf(page, 'Amount in dollars', problem)
    }
    await inspect(page, 'top up, refused')
    await press(page, '$25.00')
    assert.equal(await page.getByLabel('Amount in dollars').inputValue(), '25.00')
    await fill(page, { 'Amount in dollars': '12.50' })
    await press(page, 'Show the price')
    await page.getByRole('heading', { name: 'Pay $12.50' }).waitFor()
    await page.getByText('Sandbox: no money moves.').waitFor()
    await page.getByText('$2.08', { exact: true }).waitFor()
    await inspect(page, 'top up, price')
    await press(page, 'Pay $12.50')
    await page.getByRole('heading', { name: '$12.50 is paid' }).waitFor()
    await page.getByText('Credit is $12.50 now.').waitFor()
    await rowsOf(page, 'Transactions').filter({ hasText: '+$12.50' }).getByText('$12.50', { exact: true }).waitFor()
    await inspect(page, 'top up, paid')
    await page.getByRole('link', { name: 'To the payments' }).click()
    await see(page, 'Payments')
    await inspect(page, 'payments')
    await page.getByRole('link', { name: /^Receipt of \$12\.50/ }).click()
    await see(page, 'Receipt TEST-0000000001')
    const paper = page.getByRole('article', { name: 'Receipt' })
    for (const text of ['Test payment: nothing was charged', 'Perigee Test OOD', 'Muster GmbH', 'Germany', '$10.42'])
      await paper.getByText(text).waitFor()
    await inspect(page, 'receipt')
    await page.emulateMedia({ media: 'print' })
    for (const hidden of [page.getByRole('navigation', { name: 'Pages' }), page.getByRole('button', { name: 'Print' })])
      assert.equal(await hidden.isVisible(), false)
    assert.ok(await paper.isVisible())
    const printed = (await page.pdf({ format: 'A4' })).toString('latin1')
    assert.equal(printed.match(/\/Type \/Page\b(?!s)/g)?.length, 1, 'one page')
    await page.emulateMedia({ media: 'screen' })

    const json = receiptSchema.parse(JSON.parse(await saved(page, 'Save as JSON', 'receipt-TEST-0000000001.json')))
    assert.deepEqual([json.receipt_number, json.gross_cents, json.vat_cents], ['TEST-0000000001', 1250, 208])
    assert.match(await saved(page, 'Save as Markdown', 'receipt-TEST-0000000001.md'), /^# Receipt TEST-0000000001\n/)
    await page.goto('/settings/payments/00000000-0000-4000-8000-000000000000')
    await page.getByText(/^There is no such payment in /).waitFor()
    await inspect(page, 'receipt, unknown')
  })

  it('charges nothing for a card that is declined, and takes another one at once', async () => {
    const page = await owner(service, '/settings/credit')
    await askFor(page, '5')
    await page.getByLabel('Card').selectOption({ label: 'A card that is declined' })
    await press(page, 'Pay $5.00')
    await page.getByText('Not paid: The card was declined.').waitFor()
    await inspect(page, 'top up, declined')
    assert.equal(await rowsOf(page, 'Transactions').count(), 1)
    await page.getByLabel('Card').selectOption({ label: 'A card that pays' })
    await press(page, 'Pay $5.00')
    await page.getByText('Credit is $17.50 now.').waitFor()
  })

  it('asks again by itself where a processor stays silent, and charges once', async () => {
    const page = await owner(service, '/settings/credit')
    await askFor(page, '5')
    await page.getByLabel('Card').selectOption({ label: 'A card whose processor does not answer at first' })
    await press(page, 'Pay $5.00')
    await page.getByText(/The processor has not confirmed the charge yet/).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Another amount' }).count(), 0)
    await page.getByText('Credit is $22.50 now.').waitFor()
    assert.equal(await rowsOf(page, 'Transactions').count(), 3)
  })

  it('says that it is being settled when nobody answers, and ends it with the same payment', async () => {
    const page = await owner(service, '/settings/credit')
    await askFor(page, '10')
    await page.getByLabel('Card').selectOption({ label: 'A card whose processor does not answer at first' })
    await press(page, 'Pay $10.00')
    await page.getByText(/The processor has not confirmed the charge yet/).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('heading', { name: '$10.00 is being settled' }).waitFor()
    await inspect(page, 'top up, being settled')
    await page.context().setOffline(false)
    await press(page, 'Check again')
    await page.getByText('Credit is $32.50 now.').waitFor()
    assert.equal(await rowsOf(page, 'Transactions').count(), 4)
  })

  it('lists long ledgers part by part, each row with the balance after it', async () => {
    await service.change(
      `insert into credit_transactions
        (id, workspace_id, position, previous_balance_cents, amount_cents, balance_cents, reason, description, inserted_at)
      select gen_random_uuid(), id, 4 + n, credit_cents - n + 1, -1, credit_cents - n, 'monitor', 'Number ' || n, now()
      from workspaces, generate_series(1, 60) as n
      where credit_cents = 3250
      order by n`,
    )
    const page = await owner(service, '/settings/credit')
    const rows = rowsOf(page, 'Transactions')
    await rows.filter({ hasText: 'Number 60' }).getByText('$31.90').waitFor()
    assert.equal(await rows.count(), 50)
    await press(page, 'Show older ones')
    await rows.filter({ hasText: '+$12.50' }).waitFor()
    assert.equal(await rows.count(), 64)
    await inspect(page, 'credit')
  })

  it('takes over what was paid for without an account, by its key and by nothing else', async () => {
    const key = await payWithoutAccount(service, { name: 'Bought shop', kind: 'tcp', url: '127.0.0.1:1' })
    const page = await owner(service, '/settings/workspace')
    await page.getByRole('link', { name: 'Take over …' }).click()
    await see(page, 'Take over')
    await fill(page, { 'API key': 'pgk_wrong' })
    await press(page, 'Check the key')
    await problemOf(page, 'API key', /Must be an active API key of this service/)
    await inspect(page, 'take over, refused')
    await fill(page, { 'API key': ` ${key} ` })
    await press(page, 'Check the key')
    await page.getByRole('heading', { name: /^Move .* into / }).waitFor()
    await page.getByText(/^1 monitor, .*1 API token, credit of \$0\.49$/).waitFor()
    await inspect(page, 'take over, contents')
    await press(page, 'Take it over')
    await page.getByRole('heading', { name: /is part of .* now$/ }).waitFor()
    await inspect(page, 'take over, done')
    await press(page, 'Take over another one')
    await fill(page, { 'API key': key })
    await press(page, 'Check the key')
    await problemOf(page, 'API key', /This key belongs to this workspace already/)
    await page.getByRole('link', { name: 'Monitors', exact: true }).click()
    await page.getByText('Bought shop').first().waitFor()
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('link', { name: 'Credit', exact: true }).click()
    await rowsOf(page, 'Transactions')
      .filter({ hasText: 'Credit of the claimed workspace' })
      .getByText('+$0.49')
      .waitFor()
    await page.getByText('$32.39', { exact: true }).first().waitFor()
  })

  it('refuses the keys of workspaces that are closed, or that people have', async () => {
    const closed = await payWithoutAccount(service, { name: 'Closed shop', url: 'http://127.0.0.1:1/' })
    await service.change(`update workspaces set closed_at = now(), closed_reason = 'revoked'
      where id = (select workspace_id from monitors where name = 'Closed shop')`)
    const peopled = await payWithoutAccount(service, { name: 'Peopled shop', url: 'http://127.0.0.1:1/' })
    await service.change(memberOf(ownerEmail, `(select workspace_id from monitors where name = 'Peopled shop')`))
    const page = await owner(service, '/settings/take-over')
    await fill(page, { 'API key': closed })
    await press(page, 'Check the key')
    await problemOf(page, 'API key', /The workspace of this key is closed/)
    await fill(page, { 'API key': peopled })
    await press(page, 'Check the key')
    await page.getByRole('alert').getByText('The workspace of this key already has members').waitFor()
    await service.change(`delete from members
      where workspace_id = (select workspace_id from monitors where name = 'Peopled shop')`)
  })

  it('shows the plan, what renews when, and what to do about what is overdue or paused', async () => {
    const page = await owner(service, '/settings/plan')
    await see(page, 'Plan and usage')
    await page.getByText('0 of 10 slots used').waitFor()
    await page.getByText('1 monitor paid by the month: $0.01 every 30 days, from credit.').waitFor()
    await inspect(page, 'plan')
    await press(page, 'Renew Bought shop')
    await inspect(page, 'renew')
    await press(page, 'Renew')
    await page.getByText('Bought shop is renewed.').waitFor()
    await page.getByText('$32.38 is left.').waitFor()

    await service.change(`update monitors set paid_until = now() - interval '1 day', billing_state = 'overdue'
      where name = 'Bought shop'`)
    await page.reload()
    await page.getByText(/^Overdue: 1 monitor\. Renewal follows within the hour/).waitFor()
    await inspect(page, 'plan, overdue')
    await service.change(`update monitors
      set paid_until = now() - interval '8 days', status = 'paused', pause_reason = 'non_payment'
      where name = 'Bought shop'`)
    await page.reload()
    await page.getByText(/^No longer checked, because the paid time has ended: 1 monitor\./).waitFor()
    await inspect(page, 'plan, paused')
    await press(page, 'Renew Bought shop')
    await press(page, 'Renew')
    await page.getByText('Bought shop is renewed.').waitFor()
    await page.getByText(/^No longer checked/).waitFor({ state: 'detached' })

    await service.change(
      `insert into credit_transactions
        (id, workspace_id, position, previous_balance_cents, amount_cents, balance_cents, reason, inserted_at)
      select gen_random_uuid(), workspace_id, position + 1, balance_cents, -balance_cents, 0, 'monitor', now()
      from credit_transactions
      where workspace_id = (select workspace_id from monitors where name = 'Bought shop')
      order by position desc
      limit 1`,
    )
    await page.reload()
    await page.getByText('Credit does not cover what renews in the next 30 days: $0.01 is missing.').waitFor()
    await press(page, 'Renew Bought shop')
    await press(page, 'Renew')
    await page.getByRole('dialog').getByText('Credit does not cover this. Top it up first.').waitFor()
  })

  it('is none of the business of viewers', async () => {
    const { page } = await visitor()
    await signUp(page, service, { email: 'viewer@example.com', name: 'Vera' })
    const theirs = `(select m.workspace_id from members m
      join people."user" p on p.id = m.person_id where p.email = '${ownerEmail}')`
    await service.change(memberOf('viewer@example.com', theirs))
    await page.reload()
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitemradio', { checked: false }).click()
    await page.goto('/settings')
    await see(page, 'General')
    const navigation = page.getByRole('navigation', { name: 'Settings' })
    await navigation.getByRole('link', { name: 'Members' }).waitFor()
    assert.equal(await navigation.getByRole('link', { name: 'API tokens' }).count(), 0)
    for (const name of ['Plan and usage', 'Credit', 'Payments', 'Billing details'])
      assert.equal(await navigation.getByRole('link', { name }).count(), 0, name)
    assert.equal(await navigation.getByText('Billing', { exact: true }).count(), 0)
    for (const path of ['plan', 'credit', 'payments', 'payments/x', 'billing', 'take-over']) {
      await page.goto(`/settings/${path}`)
      await page.getByText(/^Only owners of .* see this page\.$/).waitFor()
    }
    await page.goto('/settings/workspace')
    await see(page, 'General')
    assert.equal(await page.getByRole('link', { name: 'Take over …' }).count(), 0)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leaves no secret in the database nor in a log', () =>
    assertSecretsKept(service, ['password', 'cookie', 'token', 'API token']))
})

async function saved(page: Page, button: string, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)])
  assert.equal(download.suggestedFilename(), name)
  return readFileSync(await download.path(), 'utf8')
}

function memberOf(email: string, workspace: string): string {
  return `insert into members (workspace_id, person_id, role, joined_at)
    select ${workspace}, id, 'viewer', now() from people."user" where email = '${email}'`
}

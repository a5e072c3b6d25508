// An installation that takes no payments says no word of money: on no page of its console, and in no mail.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { headerOf, textOf } from '../flow/mails.ts'
import { startMailServer } from '../support/mail-server.ts'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { everyPage, openPage } from './support/every-page.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'

/** Words that people read as being about money. */
const moneyWords =
  /\$\s?\d|\b(?:dollars?|usd|euros?|prices?|pricing|costs?|pay|pays|paid|payments?|paying|credits?|billing|billed|bills?|invoices?|receipts?|vat|top up|topped up|buy|bought|purchases?|refunds?|cards?|free slots?|slots? are free)\b/i

describe('a console that takes no payments', async () => {
  const mail = await startMailServer()
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_SMTP_URL: mail.url,
    PERIGEE_PLANS: JSON.stringify({ pro: { slots: 2 } }),
  })
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)

  it('has no word of money on any page that its links lead to', async () => {
    await call('POST', '/monitors', { name: 'Shop', kind: 'http', url: service.origin })
    await call('POST', '/status-pages', { slug: 'acme', title: 'Acme' })
    await call('POST', '/alert-channels', { kind: 'email', name: 'Ops', destination: 'ops@example.com' })
    const from = ['/monitors', '/welcome', '/monitors/new?kind=http', '/monitors/new?kind=heartbeat']
    const seen = await everyPage(page, from, async (path) => {
      // What an endpoint asks of its own buyers is no money of the service.
      if (path !== '/monitors/new?kind=paid_endpoint') assertNoMoney(await page.locator('body').innerText(), path)
    })
    for (const path of ['/settings/plan', '/settings/members', '/status-pages', '/contacts', '/incidents', '/reports'])
      assert.ok(seen.has(path), `no link leads to ${path}`)
    for (const path of seen) assert.doesNotMatch(path, /credit|payments|billing|take-over/)
    await openPage(page, '/settings/plan')
    await inspect(page, 'plan, no payments')
  })

  it('has none in its palette either', async () => {
    for (const text of ['credit', 'billing', 'payments', 'plan']) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(text)
      await page.getByRole('status').filter({ hasText: /found/ }).waitFor()
      assertNoMoney(await page.getByRole('listbox').innerText(), `palette: ${text}`)
      await page.keyboard.press('Escape')
    }
  })

  it('says that the plan is full in words that help', async () => {
    await call('POST', '/monitors', { name: 'Second', kind: 'http', url: service.origin })
    await openPage(page, '/monitors/new?kind=http')
    await page.getByText('All 2 slots of the plan are used. Delete a monitor to make room.').waitFor()
    await fill(page, { Name: 'Third', Address: service.origin })
    await press(page, 'Create the monitor')
    await page.getByRole('alert').first().waitFor()
    assertNoMoney(await page.locator('body').innerText(), 'a full plan')
    await inspect(page, 'a full plan, no payments')
  })

  it('writes of none in its mails', async () => {
    await openPage(page, '/settings/members')
    await press(page, 'Invite someone')
    await fill(page, { Email: 'guest@example.com' })
    await page.getByRole('dialog').getByRole('button', { name: 'Send the invitation' }).click()
    for (const to of ['guest@example.com', 'ops@example.com'])
      await until(`a mail to ${to}`, async () => mail.received.some((each) => each.to.includes(to)), 60_000)
    for (const each of mail.received) {
      assertNoMoney(headerOf(each, 'Subject'), 'a subject')
      assertNoMoney(textOf(each), headerOf(each, 'Subject'))
    }
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

function assertNoMoney(text: string, where: string): void {
  const line = text.split('\n').find((each) => moneyWords.test(each))
  assert.equal(line, undefined, where)
}

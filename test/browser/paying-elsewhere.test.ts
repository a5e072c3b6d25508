// Credit where the console cannot pay by itself: by the commands that it shows, or not at all.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { chainEnvironment, noChain, startChain } from '../support/chain.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { stripeEnvironment } from '../support/payments.ts'
import { startStripe } from '../support/stripe-server.ts'
import { fill, press, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { askFor, owned, owner, rowsOf } from './support/money.ts'

describe('credit that is paid for elsewhere', async () => {
  const stripe = await startStripe()
  const chain = noChain === false ? await startChain() : null
  const service = await startConsole({
    ...owned,
    ...stripeEnvironment(stripe),
    ...(chain === null ? {} : chainEnvironment(chain)),
    PERIGEE_PAYMENTS: 'live',
  })
  const { inspect, complaints } = service
  const keyFile = join(dirname(service.dataFolder), 'perigee.key')

  it('is bought by card with the very command that the page shows, and seen there', async () => {
    const page = await owner(service, '/settings/tokens')
    await press(page, 'Create a token')
    await fill(page, { Name: 'Payer' })
    await page.getByLabel('It may').selectOption('write')
    await press(page, 'Create')
    writeFileSync(keyFile, (await page.getByLabel('Token', { exact: true }).textContent()) ?? '')
    await page.goto('/settings/credit')
    await askFor(page, '7.50')
    await page.getByText(`wallet grants to ${stripe.profile}, good for $7.50`).waitFor()
    await page
      .getByLabel('By an agent')
      .getByText(/POST \/api\/v1\/credits with \{"amount_cents": 750\}/)
      .waitFor()
    await inspect(page, 'top up, elsewhere')
    await run(page, 'By card', { 'perigee.key': keyFile, 'spt_…': stripe.grant({ maxAmount: 750 }) })
    await rowsOf(page, 'Transactions').getByText('+$7.50').waitFor()
    assert.equal(stripe.chargedCents(), 750)
  })

  it('is bought by stablecoin in the same way, whose receipt names the transaction', { skip: noChain }, async () => {
    const payerFile = join(dirname(service.dataFolder), 'payer.key')
    writeFileSync(payerFile, chain?.payerKey ?? assert.fail())
    const page = await owner(service, '/settings/credit')
    await askFor(page, '0.75')
    await run(page, 'By stablecoin', { 'perigee.key': keyFile, 'payer.key': payerFile })
    await rowsOf(page, 'Transactions').filter({ hasText: '+$0.75' }).getByRole('link', { name: 'Payment' }).click()
    await page.getByText(/^Stablecoin, 0x[0-9a-f]{64}/).waitFor()
    await inspect(page, 'receipt of a stablecoin')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leaves no secret in the database nor in a log', () =>
    assertSecretsKept(service, ['password', 'cookie', 'API token']))
})

describe('a console where payments are off', async () => {
  const { PERIGEE_OWNER_EMAIL, PERIGEE_OWNER_PASSWORD } = owned
  const service = await startConsole({ PERIGEE_OWNER_EMAIL, PERIGEE_OWNER_PASSWORD })

  it('says so, and asks nobody for money', async () => {
    const page = await owner(service, '/settings/credit')
    await page.getByText('Payments are switched off here').waitFor()
    await service.inspect(page, 'credit, payments off')
    await page.goto('/settings/billing')
    await page.getByRole('heading', { name: 'Customer' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'VAT' }).count(), 0)
    assert.deepEqual(service.complaints, [])
  })
})

/** Runs a command as it stands on the page, with the files and tokens of the payer. */
async function run(page: Page, way: string, files: Readonly<Record<string, string>>): Promise<void> {
  const command = (await page.getByLabel(way, { exact: true }).textContent()) ?? ''
  const [program, ...args] = command.split(' ').map((word) => files[word] ?? word)
  assert.equal(program, 'perigee')
  const payer = spawnPerigee({ args })
  assert.equal(await payer.ended(), 0, payer.stderr())
  await press(page, 'Check the payment')
}

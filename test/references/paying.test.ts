// A service that takes money, as the real program: Stripe and the chain are stand-ins on loopback, the payers are the
// public library with its own methods, our command and our example.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Receipt } from 'mppx'
import { Mppx, stripe as stripeWallet } from 'mppx/client'
import { evm } from 'mppx/evm/client'
import { z } from 'zod'
import { paidEndpoint } from '#kinds/paid/paid-endpoint.ts'
import { checkOnce } from '../support/check.ts'
import { chainEnvironment, noChain, startChain, type TestChain } from '../support/chain.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { sellerEnvironment, stripeEnvironment } from '../support/payments.ts'
import { startStripe, type StripeServer } from '../support/stripe-server.ts'

const codes = Array.from({ length: 10 }, (_, index) => `l${index}`)
const ownerToken = `pgk_${'a1'.repeat(20)}`
const monitor = { name: 'Shop', url: 'http://127.0.0.1:9/' }

describe('a service with the names that public wallets know', { skip: noChain }, async () => {
  const { url, stripe, chain } = await startLive({
    PERIGEE_CARD_WIRE_NAME: 'stripe',
    PERIGEE_CHAIN_WIRE_NAME: 'evm',
  })
  const { card, coins } = walletsOf(stripe, chain)

  it('is paid by card for a monitor without an account, and for more of its locations', async () => {
    const had = stripe.chargedCents()
    const body = { ...monitor, billing_period: 'lifetime', locations: codes.slice(0, 5) }
    const created = await card(`${url}/monitors`, post(body, { 'idempotency-key': randomUUID() }))
    assert.equal(created.status, 201)
    assert.equal(stripe.chargedCents() - had, 50)
    assert.equal(receiptOf(created).method, 'stripe')
    const { data, api_key: key = '' } = createdSchema.parse(await created.json())
    const more = { method: 'PATCH', headers: headersOf(key), body: JSON.stringify({ ...monitor, locations: codes }) }
    const changed = await card(`${url}/monitors/${data.id}`, more)
    assert.equal(changed.status, 200)
    assert.equal(monitorSchema.parse(await changed.json()).data.paid_locations, 10)
    assert.equal(stripe.chargedCents() - had, 100)
    assert.equal(await creditOf(url, key), 0)
  })

  it('is paid by card for credit and for a renewal that credit does not cover', async () => {
    const had = stripe.chargedCents()
    const topped = await card(`${url}/credits`, post({ amount_cents: 50 }, headersOf(ownerToken)))
    assert.equal(topped.status, 200)
    assert.equal(await creditOf(url, ownerToken), 50)
    const created = await fetch(`${url}/monitors`, post({ ...monitor, locations: codes }, headersOf(ownerToken)))
    const { data } = createdSchema.parse(await created.json())
    for (const left of [30, 20, 10, 0]) {
      const renewed = await fetch(`${url}/monitors/${data.id}/renew`, post({}, headersOf(ownerToken)))
      assert.equal(renewed.status, 200)
      assert.equal(await creditOf(url, ownerToken), left)
    }
    const renewed = await card(`${url}/monitors/${data.id}/renew`, post({}, headersOf(ownerToken)))
    assert.equal(renewed.status, 200)
    assert.equal(await creditOf(url, ownerToken), 40)
    assert.equal(stripe.chargedCents() - had, 100)
  })

  it('is paid to the cent by a chain for a monitor without an account, more locations, a renewal and credit', async () => {
    const had = await chain.balanceOf(chain.options.recipient)
    const body = { ...monitor, locations: ['l0'] }
    const created = await coins(`${url}/monitors`, post(body, { 'idempotency-key': randomUUID() }))
    assert.equal(created.status, 201)
    assert.match(receiptOf(created).reference, /^0x[0-9a-f]{64}$/)
    const { data, api_key: key = '' } = createdSchema.parse(await created.json())
    const more = {
      method: 'PATCH',
      headers: headersOf(key),
      body: JSON.stringify({ ...monitor, locations: ['l0', 'l1'] }),
    }
    assert.equal((await coins(`${url}/monitors/${data.id}`, more)).status, 200)
    assert.equal((await coins(`${url}/monitors/${data.id}/renew`, post({}, headersOf(key)))).status, 200)
    assert.equal(await creditOf(url, key), 0)
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 40_000n)
    assert.equal((await coins(`${url}/credits`, post({ amount_cents: 75 }, headersOf(key)))).status, 200)
    assert.equal(await creditOf(url, key), 75)
    assert.equal((await chain.balanceOf(chain.options.recipient)) - had, 790_000n)
    const { data: payments } = paymentsSchema.parse(
      await (await fetch(`${url}/payments`, { headers: headersOf(key) })).json(),
    )
    assert.deepEqual(
      payments.map(({ method, amount_cents: cents, livemode }) => [method, cents, livemode]),
      [
        ['chain', 75, false],
        ['chain', 2, false],
        ['chain', 1, false],
        ['chain', 1, false],
      ],
    )
  })

  it('is not paid by a card that is declined, which the wallet is told', async () => {
    const had = stripe.chargedCents()
    const { card: declined } = walletsOf(stripe, chain, 'pm_card_visa_chargeDeclined')
    const answer = await declined(`${url}/credits`, post({ amount_cents: 50 }, headersOf(ownerToken)))
    assert.equal(answer.status, 402)
    assert.match(await answer.text(), /Your card was declined/)
    assert.equal(stripe.chargedCents(), had)
  })
})

describe('a service that is watched for what it asks', { skip: noChain }, async () => {
  const { url, chain } = await startLive({})
  const { chainId, recipient, token } = chain.options

  it('offers what is pinned, and is not paid', async () => {
    const had = await chain.balanceOf(recipient)
    const pinned = { network: `eip155:${chainId}`, asset: token.address, payee: recipient, highest_price: '10000' }
    const asking = {
      url: `${url}/monitors`,
      method: 'POST',
      requestHeaders: { 'content-type': 'application/json' },
      requestBody: JSON.stringify(monitor),
    }
    for (const protocol of ['x402', 'mpp']) {
      const options = { ...pinned, protocol }
      const { status, error, details } = await checkOnce(paidEndpoint, { ...asking, options })
      assert.deepEqual([status, error, details], ['up', null, { protocol, price: '10000' }])
    }
    const dearer = { ...asking, requestBody: JSON.stringify({ ...monitor, locations: ['l0', 'l1'] }) }
    assert.equal((await checkOnce(paidEndpoint, { ...dearer, options: pinned })).status, 'degraded')
    assert.equal(await chain.balanceOf(recipient), had)
  })
})

describe('perigee pay', { skip: noChain }, async () => {
  const { url, root, stripe, chain, path } = await startLive({})
  const { token, recipient } = chain.options
  const keyFile = join(path, 'payer.key')
  writeFileSync(keyFile, `${chain.payerKey}\n`)
  const coins = ['--key', keyFile, '--token', `31337:${token.address}:6`]

  it('says what is asked for, and pays nothing', async () => {
    const { code, stdout } = await perigee('pay', root, monitor.url)
    assert.equal(code, 1)
    assert.match(stdout, /\$0\.01/)
    assert.match(stdout, /\$0\.50 by card: a shared payment token for profile_test_perigee/)
    assert.match(stdout, new RegExp(`10000 units of Test Dollar to ${recipient}: the token 31337:${token.address}:6`))
    assert.equal(stripe.requests.length, 0)
  })

  it('pays by card within its budget, and its key opens the workspace', async () => {
    const spt = stripe.grant({ maxAmount: 50 })
    const { code, stdout, stderr } = await perigee('pay', root, monitor.url, '--card', spt, '--budget', '0.50')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /Paid \$0\.50 by card \(pi_/)
    assert.equal(await creditOf(url, stdout.trim()), 49)
  })

  it('buys credit for a workspace by its key, by card and by a chain', async () => {
    const had = await creditOf(url, ownerToken)
    const apiKeyFile = join(path, 'perigee.key')
    writeFileSync(apiKeyFile, `${ownerToken}\n`)
    const credit = ['pay', root, '--credit', '1.50', '--api-key', apiKeyFile, '--budget', '1.50']
    const byCard = await perigee(...credit, '--card', stripe.grant({ maxAmount: 150 }))
    assert.equal(byCard.code, 0, byCard.stderr)
    assert.match(byCard.stderr, /Paid \$1\.50 by card \(pi_/)
    assert.equal(byCard.stdout, `Your credit is now $${((had + 150) / 100).toFixed(2)}.\n`)
    const byChain = await perigee(...credit, ...coins, '--json')
    assert.equal(byChain.code, 0, byChain.stderr)
    assert.partialDeepStrictEqual(JSON.parse(byChain.stdout), {
      credit_cents: had + 300,
      paid: { amount_cents: 150, method: 'chain' },
    })
    assert.equal(await creditOf(url, ownerToken), had + 300)
  })

  it('pays by a chain, to the cent', async () => {
    const had = await chain.balanceOf(recipient)
    const more = ['--budget', '0.02', '--set', 'locations=["l0","l1"]', '--set', 'name=Two places', '--json']
    const { code, stdout, stderr } = await perigee('pay', root, monitor.url, ...coins, ...more)
    assert.equal(code, 0, stderr)
    const told = toldSchema.parse(JSON.parse(stdout))
    assert.deepEqual([told.monitor.name, told.paid.amount_cents, told.paid.method], ['Two places', 2, 'chain'])
    assert.equal((await chain.balanceOf(recipient)) - had, 20_000n)
    assert.equal(await creditOf(url, told.api_key), 0)
  })

  it('asks again with the same payment when the answer is lost, and pays once', async () => {
    const had = stripe.chargedCents()
    stripe.meet('drop-after-charge', 'drop-before-charge', 'drop-before-charge')
    const { code, stdout, stderr } = await perigee('pay', root, monitor.url, '--card', stripe.grant(), '--budget', '1')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /Trying again with the same payment/)
    assert.equal(stripe.chargedCents() - had, 50)
    assert.equal(await creditOf(url, stdout.trim()), 49)
  })

  const refusals: [what: string, args: string[], code: number, problem: RegExp][] = [
    ['more than the budget', ['--card', 'spt_x', '--budget', '0.49'], 1, /price is \$0\.50, but the budget is \$0\.49/],
    ['without a budget', ['--card', 'spt_x'], 2, /--budget/],
    ['a token that nobody granted', ['--card', 'spt_x', '--budget', '1'], 1, /No such shared payment token/],
    ['a monitor that cannot be', ['--set', 'kind=toaster'], 1, /kind/],
    ['by a key without a token', ['--key', keyFile, '--budget', '1'], 2, /--key and --token only work together/],
    ['credit for nobody', ['--credit', '5'], 2, /--credit does not take a target/],
    ['for a monitor with a key of its own', ['--api-key', keyFile], 2, /--api-key only works with --credit/],
    [
      'by a token that the service does not take',
      ['--key', keyFile, '--token', `1:${token.address}:6`, '--budget', '1'],
      1,
      /does not take this way of paying/,
    ],
    [
      'by a token of other decimals than the service says, beyond the budget',
      ['--key', keyFile, '--token', `31337:${token.address}:4`, '--budget', '0.50'],
      1,
      /price is \$1\.00/,
    ],
  ]
  for (const [what, args, expected, problem] of refusals)
    it(`pays nothing: ${what}`, async () => {
      const had = [stripe.chargedCents(), await chain.balanceOf(recipient)]
      const { code, stderr } = await perigee('pay', root, monitor.url, ...args)
      assert.equal(code, expected)
      assert.match(stderr, problem)
      assert.deepEqual([stripe.chargedCents(), await chain.balanceOf(recipient)], had)
    })

  const noOrders: [what: string, args: string[], problem: RegExp][] = [
    ['neither a target nor credit', [], /Name a target, or --credit/],
    ['credit of no workspace', ['--credit', '5'], /Give --api-key, a key of the workspace/],
    ['credit by what is no API key', ['--credit', '5', '--api-key', keyFile], /no API key/],
    ['credit with members of a monitor', ['--credit', '5', '--set', 'kind=ssl'], /--set only works for a monitor/],
  ]
  for (const [what, args, problem] of noOrders)
    it(`asks for nothing: ${what}`, async () => {
      const { code, stderr } = await perigee('pay', root, ...args)
      assert.equal(code, 2)
      assert.match(stderr, problem)
    })

  it('is what the example does, for cards', async () => {
    const had = stripe.chargedCents()
    const example = { file: process.execPath, args: [fileURLToPath(new URL('../../examples/pay.ts', import.meta.url))] }
    const poor = spawnPerigee({ command: example, args: [root, monitor.url, '0.49', stripe.grant()] })
    assert.equal(await poor.ended(), 1)
    assert.match(poor.stderr(), /It costs 50 cents, and the budget is \$0\.49/)
    const careless = spawnPerigee({ command: example, args: [root, monitor.url, '50c', stripe.grant()] })
    assert.equal(await careless.ended(), 1)
    assert.match(careless.stderr(), /The budget is dollars/)
    assert.equal(stripe.chargedCents(), had)
    const payer = spawnPerigee({ command: example, args: [root, monitor.url, '0.50', stripe.grant()] })
    assert.equal(await payer.ended(), 0, payer.stderr())
    const [, apiKey = ''] = /"api_key": "(pgk_\w+)"/.exec(payer.stdout()) ?? []
    assert.equal(await creditOf(url, apiKey), 49)
    assert.equal(stripe.chargedCents() - had, 50)
  })

  it('refuses to send a payment in the clear', async () => {
    const { code, stderr } = await perigee('pay', 'http://up.example.com', monitor.url)
    assert.equal(code, 2)
    assert.match(stderr, /is not an https:\/\/ address/)
  })
})

const createdSchema = z.object({ data: z.object({ id: z.uuid() }), api_key: z.string().optional() })
const monitorSchema = z.object({ data: z.object({ paid_locations: z.int() }) })
const accountSchema = z.object({ data: z.object({ credit_cents: z.int() }) })
const paymentsSchema = z.object({
  data: z.array(z.object({ method: z.string(), amount_cents: z.int(), livemode: z.boolean() })),
})
const toldSchema = z.object({
  monitor: z.object({ name: z.string() }),
  api_key: z.string(),
  paid: z.object({ amount_cents: z.int(), method: z.string() }),
})

async function startLive(names: Readonly<Record<string, string>>) {
  const [stripe, chain] = await Promise.all([startStripe(), startChain()])
  const folder = serviceFolder()
  const service = folder.start({
    ...sellerEnvironment,
    ...names,
    PERIGEE_PAYMENTS: 'live',
    ...stripeEnvironment(stripe),
    ...chainEnvironment(chain),
    PERIGEE_OWNER_TOKEN: ownerToken,
    PERIGEE_OWNER_PLAN: 'pay_as_you_go',
    PERIGEE_LOCATIONS: codes.map((code) => `${code}=${code}`).join(','),
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
  })
  const [, root = ''] = await service.printed(/Perigee is at (http:\/\/[^\s]+)/)
  return { root, url: `${root}/api/v1`, stripe, chain, path: folder.path }
}

/** The public library with the methods that it brings along, one each. */
function walletsOf(stripe: StripeServer, chain: TestChain, paymentMethod = 'pm_card_visa') {
  const { token, chainId } = chain.options
  const bySharedToken = stripeWallet.charge({
    paymentMethod,
    createToken: ({ amount, expiresAt }) =>
      Promise.resolve(
        stripe.grant({ paymentMethod, maxAmount: Number(amount), expiresAt: new Date(expiresAt * 1000) }),
      ),
  })
  const byAuthorization = evm.charge({
    account: chain.payer,
    authorization: { name: token.name, version: token.version },
    networks: [chainId],
    currencies: [token.address],
    decimals: token.decimals,
    maxAmount: '1',
  })
  return {
    card: Mppx.create({ methods: [bySharedToken], polyfill: false }).fetch,
    coins: Mppx.create({ methods: [byAuthorization], polyfill: false }).fetch,
  }
}

function headersOf(token: string): Record<string, string> {
  return { 'content-type': 'application/json', 'x-api-key': token }
}

function post(body: unknown, headers: Record<string, string>): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

async function creditOf(url: string, token: string): Promise<number> {
  const account = await fetch(`${url}/account`, { headers: headersOf(token) })
  return accountSchema.parse(await account.json()).data.credit_cents
}

function receiptOf(answer: Response): Receipt.Receipt {
  assert.equal(answer.headers.get('cache-control'), 'private, no-store')
  return Receipt.fromResponse(answer)
}

async function perigee(...args: string[]): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const running = spawnPerigee({ args })
  const code = await running.ended()
  return { code, stdout: running.stdout(), stderr: running.stderr() }
}

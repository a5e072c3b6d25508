// Cards by two names, as the real program: mppx knows them as `stripe` alone, our command by what they ask for.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Receipt } from 'mppx'
import { Mppx, stripe as stripeWallet } from 'mppx/client'
import { z } from 'zod'
import { sellerEnvironment, stripeEnvironment } from '../support/payments.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { startStripe } from '../support/stripe-server.ts'

const monitor = { name: 'Shop', url: 'http://127.0.0.1:9/' }

describe('a service whose cards have a second name', async () => {
  const stripe = await startStripe()
  const service = serviceFolder().start({
    ...sellerEnvironment,
    ...stripeEnvironment(stripe),
    PERIGEE_PAYMENTS: 'live',
    PERIGEE_CARD_SECOND_WIRE_NAME: 'stripe',
    PERIGEE_LOCATIONS: 'l0=l0',
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
  })
  const [, root = ''] = await service.printed(/Perigee is at (http:\/\/[^\s]+)/)

  it('is paid by the public client, and records a card', async () => {
    const bySharedToken = stripeWallet.charge({
      paymentMethod: 'pm_card_visa',
      createToken: ({ amount, expiresAt }) =>
        Promise.resolve(stripe.grant({ maxAmount: Number(amount), expiresAt: new Date(expiresAt * 1000) })),
    })
    const wallet = Mppx.create({ methods: [bySharedToken], polyfill: false })
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify(monitor) }
    const created = await wallet.fetch(`${root}/api/v1/monitors`, sent)
    assert.equal(created.status, 201)
    assert.equal(Receipt.fromResponse(created).method, 'stripe')
    assert.equal(stripe.chargedCents(), 50)
    const { api_key: key } = z.object({ api_key: z.string() }).parse(await created.json())
    const payments = await fetch(`${root}/api/v1/payments`, { headers: { 'x-api-key': key } })
    assert.partialDeepStrictEqual(await payments.json(), { data: [{ method: 'card', amount_cents: 50 }] })
  })

  it('is paid by perigee pay, which tells of cards once', async () => {
    const asking = spawnPerigee({ args: ['pay', root, monitor.url] })
    assert.equal(await asking.ended(), 1)
    assert.equal(asking.stdout().match(/by card/g)?.length, 1, asking.stdout())
    const had = stripe.chargedCents()
    const paying = spawnPerigee({ args: ['pay', root, monitor.url, '--card', stripe.grant(), '--budget', '0.50'] })
    assert.equal(await paying.ended(), 0, paying.stderr())
    assert.equal(stripe.chargedCents() - had, 50)
  })
})

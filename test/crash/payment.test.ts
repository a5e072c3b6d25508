// A payer whose service is killed while the money moves: whatever was moved before, a repeat is paid once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { Challenge, Credential } from 'mppx'
import { z } from 'zod'
import { closedPort } from '../support/raw-server.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { startStripe } from '../support/stripe-server.ts'
import { until } from '../support/until.ts'

const body = JSON.stringify({ name: 'Shop', url: 'http://127.0.0.1:9/' })
const waitMs = 90_000

describe('a service that is killed after the card was charged', () => {
  it('gives the monitor, a key and the rest as credit to the payer who repeats the request, charging once', async () => {
    const stripe = await startStripe()
    const folder = serviceFolder()
    const url = `http://127.0.0.1:${await closedPort()}`
    const environment = {
      PERIGEE_PORT: new URL(url).port,
      PERIGEE_PAYMENTS: 'live',
      PERIGEE_SELLER_NAME: 'Acme OOD',
      PERIGEE_SELLER_ADDRESS: '2 Main Street, 1000 Sofia',
      PERIGEE_SELLER_COUNTRY: 'BG',
      PERIGEE_SELLER_VAT_ID: 'BG175074752',
      PERIGEE_STRIPE_SECRET_KEY: stripe.secretKey,
      PERIGEE_STRIPE_PROFILE: stripe.profile,
      PERIGEE_STRIPE_URL: stripe.url,
      PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
    }
    const first = folder.start(environment)
    await first.printed(/Perigee is at/)
    const key = randomUUID()
    const asked = await create(url, key)
    const [challenge] = Challenge.deserializeList(asked.headers.get('www-authenticate') ?? '')
    assert.ok(challenge !== undefined)
    const authorization = Credential.serialize(Credential.from({ challenge, payload: { spt: stripe.grant() } }))
    stripe.meet('hold-after-charge')
    const lost = create(url, key, authorization).catch(() => 'lost')
    await until('the charge', () => Promise.resolve(stripe.held() === 1), waitMs)
    first.child.kill('SIGKILL')
    await first.ended()
    assert.equal(await lost, 'lost')
    stripe.release()

    const second = folder.start(environment)
    await second.printed(/Perigee is at/)
    let answer = await create(url, key, authorization)
    await until(
      'the repeat is answered',
      async () => {
        if (answer.status === 503) answer = await create(url, key, authorization)
        return answer.status !== 503
      },
      waitMs,
    )
    assert.ok([200, 201].includes(answer.status), `${answer.status} ${await answer.clone().text()}`)
    const { api_key: token } = createdSchema.parse(await answer.json())
    const account = accountSchema.parse(await (await fetch(`${url}/api/v1/account`, withToken(token))).json())
    assert.equal(account.data.credit_cents, 49)
    assert.equal(stripe.chargedCents(), 50)
    assert.equal(stripe.intents().length, 1)

    const { data: monitors } = listSchema.parse(await (await fetch(`${url}/api/v1/monitors`, withToken(token))).json())
    assert.equal(monitors.length, 1)
  })
})

const createdSchema = z.object({ api_key: z.string() })
const accountSchema = z.object({ data: z.object({ credit_cents: z.int() }) })
const listSchema = z.object({ data: z.array(z.unknown()) })

function withToken(token: string): RequestInit {
  return { headers: { 'x-api-key': token } }
}

function create(url: string, key: string, authorization?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const paid = authorization === undefined ? headers : { ...headers, authorization }
  return fetch(`${url}/api/v1/monitors`, { method: 'POST', headers: paid, body })
}

import { z } from 'zod'
import type StripeClient from 'stripe'
import type { Attempt, Settlement } from './method.ts'

export type StripeOptions = {
  secretKey: string
  /** Scheme, host and port. */
  url: string
}

export type Stripe = {
  /** Charges. Stripe answers a repeat with the same attempt within 24 hours as it did the first time. */
  charge: (attempt: Attempt, sharedPaymentToken: string) => Promise<Settlement>
  /** The outcome of an attempt; null when Stripe knows no payment of it. */
  find: (attemptId: string) => Promise<Settlement | null>
}

/**
 * The version of Stripe's API with shared payment tokens is a preview, and not the one that the library has by default.
 */
const apiVersion = '2026-07-29.preview'
const chargeMs = 8_000
const askMs = 4_000

const intentSchema = z.object({ id: z.string().min(1), status: z.string(), livemode: z.boolean() })
const foundSchema = z.object({ data: z.array(intentSchema) })
type Intent = z.infer<typeof intentSchema>

/** The library is loaded with the first payment. */
export function createStripe(options: StripeOptions): Stripe {
  let connected: Promise<StripeClient> | null = null
  function connect(): Promise<StripeClient> {
    connected ??= load(options)
    return connected
  }
  return {
    charge: async (attempt, token) => {
      try {
        const client = await connect()
        return await conclude(client, await charge(client, attempt, token))
      } catch (error) {
        return settlementOf(error)
      }
    },
    find: async (attemptId) => {
      try {
        return await find(await connect(), attemptId)
      } catch (error) {
        return unclear(error)
      }
    },
  }
}

async function load({ secretKey, url }: StripeOptions): Promise<StripeClient> {
  const { default: Client } = await import('stripe')
  const { protocol, hostname, port } = new URL(url)
  return new Client(secretKey, {
    host: hostname,
    ...(port === '' ? {} : { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    telemetry: false,
  })
}

/** The parameter for the token is missing from the types of the library. */
async function charge(client: StripeClient, attempt: Attempt, token: string): Promise<Intent> {
  const intent = await client.rawRequest(
    'POST',
    '/v1/payment_intents',
    {
      amount: attempt.amountCents,
      currency: 'usd',
      confirm: true,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      payment_method_data: { shared_payment_granted_token: token },
      description: attempt.description,
      metadata: { perigee_attempt: attempt.id, external_id: attempt.externalId },
    },
    { idempotencyKey: attempt.id, apiVersion, timeout: chargeMs, maxNetworkRetries: 1 },
  )
  return intentSchema.parse(intent)
}

async function find(client: StripeClient, attemptId: string): Promise<Settlement | null> {
  const query = new URLSearchParams({ query: `metadata['perigee_attempt']:'${attemptId}'`, limit: '10' })
  const { data } = foundSchema.parse(await get(client, `/v1/payment_intents/search?${query.toString()}`))
  const [intent] = data.toSorted((one, other) => rank(one) - rank(other))
  return intent === undefined ? null : conclude(client, intent)
}

function rank({ status }: Intent): number {
  return status === 'succeeded' ? 0 : 1
}

async function conclude(client: StripeClient, intent: Intent): Promise<Settlement> {
  try {
    const current = await currentOf(client, intent)
    if (current.status === 'succeeded') return { type: 'settled', reference: current.id, livemode: current.livemode }
    if (current.status === 'canceled') return { type: 'declined', reason: whyNot(intent.status) }
    return { type: 'unknown', reason: `${current.id} is ${current.status}` }
  } catch (error) {
    return unclear(error)
  }
}

/** Cancels a payment that waits for its buyer; otherwise it could be made after its attempt has failed. */
async function currentOf(client: StripeClient, intent: Intent): Promise<Intent> {
  switch (intent.status) {
    case 'succeeded':
    case 'canceled':
      return intent
    case 'processing':
      return intentSchema.parse(await get(client, `/v1/payment_intents/${intent.id}`))
    default:
      return cancel(client, intent)
  }
}

/** A payment that was made or cancelled meanwhile cannot be cancelled, and its state now counts. */
async function cancel(client: StripeClient, { id }: Intent): Promise<Intent> {
  try {
    const options = { apiVersion, timeout: askMs, maxNetworkRetries: 0 }
    return intentSchema.parse(await client.rawRequest('POST', `/v1/payment_intents/${id}/cancel`, {}, options))
  } catch (error) {
    if (refusalSchema.safeParse(error).data?.statusCode !== 400) throw error
    return intentSchema.parse(await get(client, `/v1/payment_intents/${id}`))
  }
}

function get(client: StripeClient, path: string): Promise<unknown> {
  return client.rawRequest('GET', path, undefined, { apiVersion, timeout: askMs, maxNetworkRetries: 0 })
}

function whyNot(status: string): string {
  return status === 'requires_action'
    ? 'The bank wants the buyer to confirm the payment (3-D Secure), which cannot be done here. Pay with another card.'
    : 'The payment was not completed.'
}

const refusalSchema = z.object({
  statusCode: z.int().optional(),
  rawType: z.string().optional(),
  message: z.string(),
  requestId: z.string().optional(),
})

/**
 * 402 is a declined card; 400 and 404 are a token that is used, expired, revoked or too small. Stripe answers these the
 * same when asked again. Any other failure may have happened after the charge.
 */
function settlementOf(error: unknown): Settlement {
  const { statusCode, rawType, message = '' } = refusalSchema.safeParse(error).data ?? {}
  const isDefinite = statusCode !== undefined && [400, 402, 404].includes(statusCode) && rawType !== 'idempotency_error'
  if (isDefinite) return { type: 'declined', reason: withoutToken(message) }
  return unclear(error)
}

function unclear(error: unknown): Settlement {
  const { statusCode, requestId } = refusalSchema.safeParse(error).data ?? {}
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const reason = `Stripe, status ${statusCode ?? 'none'}, request ${requestId ?? 'none'}: ${text}`
  return { type: 'unknown', reason: withoutToken(reason) }
}

function withoutToken(text: string): string {
  return text.replaceAll(/spt_\w+/g, 'spt_…')
}

import { z } from 'zod'
import { isDeeper, maxJsonDepth } from '#core/language/json-depth.ts'
import { decodeJson } from '#core/language/base64-json.ts'
import { authorizationSchema } from './chain-authorization.ts'
import type { Challenge, ChargeRequest, Credential } from './method.ts'
import { challengeLifeMs, challengeOf, type Sent } from './mpp.ts'

// x402 v2 over HTTP, with the scheme `exact` and EIP-3009:
// https://github.com/coinbase/x402/blob/main/specs/x402-specification-v2.md
// https://github.com/coinbase/x402/blob/main/specs/transports-v2/http.md
// https://github.com/coinbase/x402/blob/main/specs/schemes/exact/scheme_exact_evm.md
// Its clients send the offer that they accept back as it came, `extra` included, so an offer carries a challenge that
// binds it to one request.

const version = 2
const scheme = 'exact'

/** What a challenge in an offer of x402 names as its method. No configured name has a digit, so none is the same. */
export const x402Name = 'x402'

/** The members of a request that an offer of x402 can say; the challenge of the offer is bound to them. */
const requestSchema = z.object({
  amount: z.string(),
  currency: z.string(),
  recipient: z.string(),
  externalId: z.string(),
  methodDetails: z.object({
    chainId: z.number(),
    domain: z.object({ name: z.string(), version: z.string() }),
  }),
})

/** The request of a method in an offer of x402; null where x402 cannot pay by the method. */
export function x402RequestOf(request: ChargeRequest): ChargeRequest | null {
  const known = requestSchema.safeParse(request)
  return known.success ? known.data : null
}

/** How x402 names what a quote may be paid by. */
export type X402Kind = { scheme: 'exact'; network: string }

/** Null where x402 cannot pay by the method. */
export function x402KindOf(request: ChargeRequest): X402Kind | null {
  const known = requestSchema.safeParse(request)
  return known.success ? { scheme, network: networkOf(known.data.methodDetails.chainId) } : null
}

export type OfferTexts = {
  /** The address that was asked for. */
  resource: string
  description: string
  /** Why payment is required. */
  error: string
}

/** The value of `PAYMENT-REQUIRED`: base64 JSON with one offer, of a challenge that was made from `x402RequestOf`. */
export function formatOffer(challenge: Challenge, { resource, description, error }: OfferTexts): string {
  const { amount, currency, recipient, externalId, methodDetails } = requestSchema.parse(challenge.request)
  const { id, expires, opaque } = challenge
  const offer = {
    scheme,
    network: networkOf(methodDetails.chainId),
    amount,
    asset: currency,
    payTo: recipient,
    maxTimeoutSeconds: challengeLifeMs / 1000,
    extra: { ...methodDetails.domain, assetTransferMethod: 'eip3009', challenge: { id, expires, opaque, externalId } },
  }
  return encode({
    x402Version: version,
    error,
    resource: { url: resource, description, mimeType: 'application/json' },
    accepts: [offer],
    extensions: {},
  })
}

/** Reads the value of `PAYMENT-SIGNATURE`. `realm` is that of our challenges, which no offer names. Throws nothing. */
export function readSignature(text: string, realm: string): Sent {
  const json = text.length > maxSignatureLength ? undefined : decodeJson(text)
  const parsed = isDeeper(json, maxJsonDepth) ? null : paymentSchema.safeParse(json)
  if (parsed?.success !== true) return { type: 'malformed' }
  return { type: 'one', credential: credentialOf(parsed.data, realm) }
}

/** The payer of a credential, where its payload names one. */
export function payerOf({ payload }: Credential): string | null {
  const parsed = z.object({ authorization: authorizationSchema.pick({ from: true }) }).safeParse(payload)
  return parsed.success ? parsed.data.authorization.from : null
}

export type SettlementEnd =
  /** `reference` is that of the payment: a transaction, or a place in one. */
  { type: 'paid'; reference: string } | { type: 'refused'; reason: string; message: string }

/** The value of `PAYMENT-RESPONSE`: base64 JSON with what became of a payment. */
export function formatSettlement(credential: Credential, end: SettlementEnd): string {
  const kind = x402KindOf(credential.challenge.request)
  const payer = payerOf(credential)
  const known = { network: kind?.network ?? '', ...(payer === null ? {} : { payer }) }
  if (end.type === 'refused')
    return encode({ success: false, errorReason: end.reason, errorMessage: end.message, transaction: '', ...known })
  const [transaction = ''] = end.reference.split(':')
  return encode({ success: true, transaction, ...known })
}

const maxSignatureLength = 16 * 1024
const short = z.string().min(1).max(1000)

const paymentSchema = z.object({
  x402Version: z.literal(version),
  accepted: z.object({
    scheme: z.literal(scheme),
    network: z.string().regex(/^eip155:[1-9]\d{0,14}$/),
    amount: short,
    asset: short,
    payTo: short,
    extra: z.object({
      name: short,
      version: short,
      challenge: z.object({ id: short, expires: z.iso.datetime(), opaque: short.optional(), externalId: short }),
    }),
  }),
  payload: z.record(z.string(), z.unknown()),
})

/** The payload of the scheme `exact` with EIP-3009, as `Authorization: Payment` would carry it. */
export const x402PayloadSchema = z
  .object({
    signature: authorizationSchema.shape.signature,
    authorization: authorizationSchema.omit({ type: true, signature: true }),
  })
  .transform(({ signature, authorization }) => ({ type: 'authorization' as const, ...authorization, signature }))

function credentialOf({ accepted, payload }: z.infer<typeof paymentSchema>, realm: string): Credential {
  const { network, amount, asset, payTo, extra } = accepted
  const { id, expires, opaque, externalId } = extra.challenge
  const domain = { name: extra.name, version: extra.version }
  const chainId = Number(network.replace('eip155:', ''))
  const request = { amount, currency: asset, recipient: payTo, externalId, methodDetails: { chainId, domain } }
  const told = { id, realm, method: x402Name, request, expires, ...(opaque === undefined ? {} : { opaque }) }
  return { challenge: challengeOf(told), payload }
}

/** A chain as CAIP-2 names it. */
function networkOf(chainId: number): string {
  return `eip155:${chainId}`
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

import { z } from 'zod'
import {
  atomsOf,
  type Authorization,
  authorizationSchema,
  centsOf,
  type Hex,
  isSigned,
  nonceOf,
  proofOf,
} from './chain-authorization.ts'
import type { Chain, ChainClientOptions } from './chain-client.ts'
import { createRelay } from './chain-relay.ts'
import type { ChargeRequest, Credential, Order, PaymentMethod, Verified } from './method.ts'
import { x402Name, x402PayloadSchema } from './x402.ts'

export type ChainOptions = ChainClientOptions & {
  wireName: string
  /** Whether the chain is a test network, whose tokens are no money. */
  isTestnet: boolean
  /** The account that is paid. */
  recipient: Hex
  /** A smaller transfer costs more than it brings. The amount due is raised to this one; the rest stays as credit. */
  minimumCents: number
  /** A transfer counts after so many blocks, its own included. */
  confirmations: number
}

const mostCents = 99_999_999
/** An authorization that ends sooner may not be mined in time. */
const leastSeconds = 15
/** An attempt stays open as long as its authorization lasts. */
const mostSeconds = 3600

/**
 * A stablecoin, paid by an authorization that we submit and whose gas we pay (draft-evm-charge-00), so that no payer
 * has paid before the request was validated.
 */
export function createChainMethod(options: ChainOptions, now: () => Date): PaymentMethod {
  const relay = createRelay(options, () => connect(options), now)
  return {
    name: 'chain',
    wireName: options.wireName,
    offer: (order) => offer(options, order),
    verify: (credential, order) => verify(options, credential, { order, now: now() }),
    settle: relay,
  }
}

async function connect(options: ChainOptions): Promise<Chain> {
  const { connectChain } = await import('./chain-client.ts')
  return connectChain(options)
}

function offer(options: ChainOptions, order: Order): { amountCents: number; request: ChargeRequest } | null {
  const { chainId, minimumCents, recipient, token } = options
  const amountCents = Math.max(minimumCents, order.amountCents)
  if (amountCents > mostCents) return null
  const { name, version, decimals } = token
  // The draft has no domain; payers that do not know the token need it to sign.
  const methodDetails = { chainId, credentialTypes: ['authorization'], decimals, domain: { name, version } }
  const amount = atomsOf(amountCents, token).toString()
  const { externalId } = order
  return { amountCents, request: { amount, currency: token.address, recipient, externalId, methodDetails } }
}

async function verify(
  options: ChainOptions,
  credential: Credential,
  { order, now }: { order: Order; now: Date },
): Promise<Verified> {
  const request = requestSchema.safeParse(credential.challenge.request)
  if (!request.success || request.data.externalId !== order.externalId)
    return refused('The challenge was made for another request.')
  if (!isOurs(request.data, options)) return refused('The challenge names a token or recipient that is no longer ours.')
  const isX402 = credential.challenge.method === x402Name
  const parsed = (isX402 ? x402PayloadSchema : authorizationSchema).safeParse(credential.payload)
  if (!parsed.success)
    return { ok: false, problem: 'invalid-payload', message: 'The payload must be an authorization of ERC-3009.' }
  const authorization = parsed.data
  const problem =
    timeProblem(authorization, now) ??
    (await fitProblem(authorization, credential, request.data)) ??
    ((await isSigned(authorization, options.token, options.chainId)) ? null : 'The signature is not of the payer.')
  if (problem !== null) return refused(problem)
  return {
    ok: true,
    amountCents: centsOf(BigInt(authorization.value), options.token),
    proofHash: proofOf(authorization, options.token, options.chainId),
    payload: isX402 ? { ...authorization, isNonceChosen: true } : authorization,
  }
}

const requestSchema = z.object({
  amount: z.string(),
  currency: z.string(),
  recipient: z.string(),
  externalId: z.string(),
  methodDetails: z.object({ chainId: z.number() }),
})
type Request = z.infer<typeof requestSchema>

function isOurs({ currency, recipient, methodDetails }: Request, options: ChainOptions): boolean {
  const isSameToken = isSame(currency, options.token.address) && methodDetails.chainId === options.chainId
  return isSameToken && isSame(recipient, options.recipient)
}

function timeProblem({ validAfter, validBefore }: Authorization, now: Date): string | null {
  const seconds = BigInt(Math.floor(now.getTime() / 1000))
  if (BigInt(validAfter) > seconds) return 'The authorization is not valid yet.'
  if (BigInt(validBefore) < seconds + BigInt(leastSeconds)) return 'The authorization ends too soon.'
  if (BigInt(validBefore) > seconds + BigInt(mostSeconds)) return 'The authorization must end within an hour.'
  return null
}

async function fitProblem(
  { from, to, value, nonce }: Authorization,
  { challenge, source }: Credential,
  request: Request,
): Promise<string | null> {
  if (!isSame(to, request.recipient)) return 'The authorization is for another recipient.'
  if (value !== request.amount) return 'The authorization is for another amount.'
  if (challenge.method !== x402Name && !isSame(nonce, await nonceOf(challenge)))
    return 'The nonce of the authorization is not that of the challenge.'
  const payer = `did:pkh:eip155:${request.methodDetails.chainId}:${from}`
  if (source !== undefined && !isSame(source, payer)) return 'The source is not who signed the authorization.'
  return null
}

function refused(message: string): Verified {
  return { ok: false, problem: 'verification-failed', message }
}

/** Letters of addresses may be either case (EIP-55). */
function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

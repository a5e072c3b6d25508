// What the installation buys: an offer that agrees with everything pinned, and nothing else.
import type { PaidOptions } from './paid-options.ts'
import { readX402Sales, type X402Sale } from './x402-offers.ts'

export type { X402Sale } from './x402-offers.ts'

/** The token's domain (EIP-712), as the operator knows it. */
export type TokenDomain = { name: string; version: string }

/**
 * The cheapest offer of the header that agrees with the pins, and with the token as the operator knows it: for another
 * domain a signature could count elsewhere. Null where there is none.
 */
export function chooseSale(header: string, options: PaidOptions, domain: TokenDomain): X402Sale | null {
  const read = readX402Sales(header)
  if (read.type !== 'sales') return null
  const right = read.sales.filter((sale) => {
    const { network, asset, payee, price } = sale.offer
    return (
      network === options.network &&
      asset === options.asset.toLowerCase() &&
      payee === options.payee.toLowerCase() &&
      price > 0n &&
      price <= BigInt(options.highest_price) &&
      sale.domain.name === domain.name &&
      sale.domain.version === domain.version
    )
  })
  return right.toSorted((one, other) => (one.offer.price < other.offer.price ? -1 : 1))[0] ?? null
}

/** The members that the scheme `exact` with EIP-3009 sends beside the signature. */
export type SignedTransfer = {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  nonce: string
  signature: string
}

/** The value of `PAYMENT-SIGNATURE` (x402 v2): the offer as it came, and the authorization. */
export function formatPayment({ accepted, resource }: X402Sale, { signature, ...signed }: SignedTransfer): string {
  const { from, to, value, validAfter, validBefore, nonce } = signed
  const authorization = { from, to, value, validAfter, validBefore, nonce }
  const payment = { x402Version: 2, resource, accepted, payload: { signature, authorization } }
  return Buffer.from(JSON.stringify(payment)).toString('base64')
}

// Headers by which an endpoint offers a sale, as servers of x402 and MPP write them.

/** Options of a monitor of kind `paid_endpoint` with which the offers below agree. */
export const pinnedSale = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payee: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  highest_price: '10000',
} as const

type Members = Readonly<Record<string, unknown>>

export const x402Entry: Members = {
  scheme: 'exact',
  network: pinnedSale.network,
  amount: pinnedSale.highest_price,
  asset: pinnedSale.asset,
  payTo: pinnedSale.payee,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
}

/** The value of `PAYMENT-REQUIRED`; each wish is an offer that differs from the pinned one. */
export function offeringX402(...wishes: readonly Members[]): string {
  const accepts = (wishes.length === 0 ? [{}] : wishes).map((wish) => Object.assign({}, x402Entry, wish))
  const required = { x402Version: 2, error: 'Payment required', resource: { url: 'https://api.example.com/' }, accepts }
  return Buffer.from(JSON.stringify(required)).toString('base64')
}

/** A challenge of `WWW-Authenticate`, whose request differs from the pinned sale by `wish`. */
export function offeringMpp(wish: Members = {}, method = 'chain'): string {
  const request = {
    amount: pinnedSale.highest_price,
    currency: pinnedSale.asset,
    recipient: pinnedSale.payee,
    methodDetails: { chainId: 8453, credentialTypes: ['authorization'], decimals: 6 },
    ...wish,
  }
  const text = Buffer.from(JSON.stringify(request)).toString('base64url')
  return `Payment id="a", realm="api", method="${method}", intent="charge", request="${text}", expires="2026-11-28T12:00:00Z"`
}

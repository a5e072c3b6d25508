/** The ways to offer a sale that are read: x402 v2 in `PAYMENT-REQUIRED`, MPP in `WWW-Authenticate: Payment`. */
export const saleProtocols = ['x402', 'mpp'] as const
export type SaleProtocol = (typeof saleProtocols)[number]

/** What a buyer would sign: a transfer of a token (ERC-3009). */
export type SaleOffer = {
  protocol: SaleProtocol
  /** CAIP-2, such as `eip155:8453`. */
  network: string
  /** Addresses of the token and of who is paid, in lower case. */
  asset: string
  payee: string
  /** In the smallest unit of the token. */
  price: bigint
}

/** What one protocol's header offers. `malformed` has the header's fault as the end of a sentence. */
export type OffersRead =
  | { type: 'none' }
  | { type: 'malformed'; fault: string }
  | { type: 'offers'; offers: SaleOffer[] }

/** So many offers of a header are read; the rest of it is ignored. */
export const maxOffers = 5

/** Up to the largest amount that a token can count, which has 256 bits. */
export const amountPattern = /^(?:0|[1-9]\d{0,77})$/
export const addressPattern = /^0x[0-9a-fA-F]{40}$/
/** CAIP-2, of chains of EVM. */
export const networkPattern = /^eip155:[1-9]\d{0,15}$/

import { z } from 'zod'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import {
  addressPattern,
  amountPattern,
  maxOffers,
  networkPattern,
  type OffersRead,
  type SaleOffer,
} from './sale-offer.ts'

const requiredSchema = z.object({
  x402Version: z.literal(2),
  accepts: z.array(z.unknown()).min(1),
  resource: z.unknown().optional(),
})
const entrySchema = z.object({
  scheme: z.string(),
  network: z.string(),
  extra: z.looseObject({ assetTransferMethod: z.string().optional() }).nullish(),
})
const exactSchema = z.object({
  network: z.string().regex(networkPattern),
  asset: z.string().regex(addressPattern),
  payTo: z.string().regex(addressPattern),
  amount: z.string().regex(amountPattern),
  maxTimeoutSeconds: z.number().positive(),
  // A buyer signs for the token's name and version (EIP-712), which the seller has to say.
  extra: z.object({ name: z.string().min(1), version: z.string().min(1) }),
})

/** An offer with all that its buyer signs and sends back. */
export type X402Sale = {
  offer: SaleOffer
  /** The offer as it came, and what it is for, which the buyer has to send back. */
  accepted: unknown
  resource: unknown
  /** The token's domain (EIP-712), as the seller says it. */
  domain: { name: string; version: string }
  /** How long the seller wants an authorization to hold at most. */
  seconds: number
}

type SalesRead = Exclude<OffersRead, { type: 'offers' }> | { type: 'sales'; sales: X402Sale[] }

/**
 * The offers of `PAYMENT-REQUIRED` (x402 v2, transport HTTP) that are paid by an authorization: scheme `exact` on a
 * chain of EVM. Offers by other means are left out. Throws nothing.
 */
export function readX402Offers(header: string | undefined): OffersRead {
  const read = readX402Sales(header)
  return read.type === 'sales' ? { type: 'offers', offers: read.sales.map(({ offer }) => offer) } : read
}

export function readX402Sales(header: string | undefined): SalesRead {
  if (header === undefined) return { type: 'none' }
  const required = requiredSchema.safeParse(decode(header))
  if (!required.success)
    return { type: 'malformed', fault: 'it is no JSON of version 2 in base64 with a list of offers' }
  const { accepts, resource } = required.data
  const read = accepts.slice(0, maxOffers).map((entry) => readEntry(entry, resource))
  const broken = read.indexOf(null)
  if (broken !== -1)
    return { type: 'malformed', fault: `offer ${broken + 1} lacks a member, or has one of a wrong form` }
  return { type: 'sales', sales: read.flatMap((sales) => sales ?? []) }
}

/** No offer where it is paid by other means; null where the entry is malformed. */
function readEntry(value: unknown, resource: unknown): X402Sale[] | null {
  const entry = entrySchema.safeParse(value)
  if (!entry.success) return null
  const { scheme, network, extra } = entry.data
  if (scheme !== 'exact' || !network.startsWith('eip155:')) return []
  if ((extra?.assetTransferMethod ?? 'eip3009') !== 'eip3009') return []
  const exact = exactSchema.safeParse(value)
  if (!exact.success) return null
  const { asset, payTo, amount, maxTimeoutSeconds: seconds, extra: domain } = exact.data
  const payee = payTo.toLowerCase()
  const offer = { protocol: 'x402', network, asset: asset.toLowerCase(), payee, price: BigInt(amount) } as const
  return [{ offer, accepted: value, resource, domain, seconds }]
}

function decode(header: string): unknown {
  if (!/^[\w+/-]+={0,2}$/.test(header)) return undefined
  const read = parseBoundedJson(Buffer.from(header, 'base64').toString('utf8'))
  return read.type === 'value' ? read.value : undefined
}

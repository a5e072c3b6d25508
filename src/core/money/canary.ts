// What the installation buys by itself, to see whether a sale takes place.
import { z } from 'zod'

/** A token that the operator lets monitors buy with. `dayLimit` is of its smallest unit and of a UTC day. */
export type CanaryToken = { network: string; asset: string; name: string; version: string; dayLimit: bigint }

export const purchaseStates = [
  'begun',
  'reserved',
  'settled',
  'refused',
  'unknown',
  'interrupted',
  'not_bought',
] as const
export type PurchaseState = (typeof purchaseStates)[number]

export const purchaseSchema = z.strictObject({
  id: z.uuid(),
  state: z
    .enum(purchaseStates)
    .describe(
      '`settled`: the seller named the transaction. `refused`: the seller did not take the payment. `unknown`: it may have been taken. `interrupted`: the process ended before the outcome was known. `not_bought`: nothing was signed.',
    ),
  begun_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  location_code: z.string(),
  price: z.string().nullable().describe("In the token's smallest unit; null where nothing was reserved."),
  network: z.string().nullable(),
  asset: z.string().nullable(),
  payee: z.string().nullable(),
  transaction: z.string().nullable().describe('As the seller named it.'),
  note: z.string().nullable().describe('What happened, where that is not a purchase as it should be.'),
})
export type PurchaseRecord = z.infer<typeof purchaseSchema>

export function tokenFor(
  tokens: readonly CanaryToken[],
  { network, asset }: { network: string; asset: string },
): CanaryToken | null {
  return tokens.find((each) => each.network === network && each.asset === asset.toLowerCase()) ?? null
}

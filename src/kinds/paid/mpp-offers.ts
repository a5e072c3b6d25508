import { z } from 'zod'
import { type Offer, readChallenges } from '#core/money/challenge-header.ts'
import { addressPattern, amountPattern, maxOffers, type OffersRead, type SaleOffer } from './sale-offer.ts'

const authorized = 'authorization'
const onChain = z.object({
  methodDetails: z.object({ chainId: z.unknown(), credentialTypes: z.array(z.unknown()) }),
})
const chainSchema = z.object({
  amount: z.string().regex(amountPattern),
  currency: z.string().regex(addressPattern),
  recipient: z.string().regex(addressPattern),
  methodDetails: z.object({ chainId: z.int().positive() }),
})

/**
 * The offers of `WWW-Authenticate: Payment` that are paid by an authorization on a chain of EVM, whatever the method is
 * called (draft-evm-charge-00). Offers by other means are left out. Throws nothing.
 */
export function readMppOffers(header: string | undefined): OffersRead {
  const challenges = readChallenges(header ?? '', maxOffers)
  if (challenges.length === 0) return { type: 'none' }
  const read = challenges.map((offer) => offer && readChallenge(offer))
  const broken = read.indexOf(null)
  if (broken !== -1)
    return { type: 'malformed', fault: `challenge ${broken + 1} lacks a member, or has one of a wrong form` }
  return { type: 'offers', offers: read.flatMap((offers) => offers ?? []) }
}

/** No offer where it is paid by other means; null where the request is malformed. */
function readChallenge({ request }: Offer): SaleOffer[] | null {
  const means = onChain.safeParse(request)
  if (!means.success || !means.data.methodDetails.credentialTypes.includes(authorized)) return []
  const chain = chainSchema.safeParse(request)
  if (!chain.success) return null
  const { amount, currency, recipient, methodDetails } = chain.data
  return [
    {
      protocol: 'mpp',
      network: `eip155:${methodDetails.chainId}`,
      asset: currency.toLowerCase(),
      payee: recipient.toLowerCase(),
      price: BigInt(amount),
    },
  ]
}

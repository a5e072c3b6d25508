import { z } from 'zod'
import { decodeJson } from '#core/language/base64-json.ts'

/** The one intent that can be paid: money for one request. */
const charge = 'charge'

const challengeSchema = z.object({
  id: z.string(),
  realm: z.string(),
  method: z.string(),
  intent: z.literal(charge),
  /** JSON in base64url. */
  request: z.string(),
  expires: z.iso.datetime({ offset: true }),
  digest: z.string().optional(),
  description: z.string().optional(),
  opaque: z.string().optional(),
})

/** A challenge as it came, since its payer has to send it back unchanged, and the request in it. */
export type Offer = { challenge: z.infer<typeof challengeSchema>; request: Readonly<Record<string, unknown>> }

/** A parameter, quoted or not; or a name alone, which begins the next challenge (RFC 9110 11.6.1). */
const pieces = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+)))?/gs

/** The complete challenges of the scheme Payment in `WWW-Authenticate`; other schemes are left out. Throws nothing. */
export function readOffers(header: string): Offer[] {
  return readChallenges(header, Infinity).filter((offer) => offer !== null)
}

/**
 * The first `most` challenges of the scheme Payment that ask for a charge; null stands for one that lacks a parameter,
 * or whose request is no JSON object. Throws nothing.
 */
export function readChallenges(header: string, most: number): (Offer | null)[] {
  const challenges: Map<string, string>[] = []
  let current: Map<string, string> | null = null
  for (const [, name = '', quoted, plain] of header.matchAll(pieces)) {
    if (quoted === undefined && plain === undefined) {
      current = name.toLowerCase() === 'payment' ? new Map() : null
      if (current !== null) challenges.push(current)
    } else current?.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain ?? '')
  }
  const charges = challenges.filter((members) => (members.get('intent') ?? charge) === charge)
  return charges.slice(0, most).map(offerOf)
}

const requestSchema = z.record(z.string(), z.unknown())

function offerOf(members: Map<string, string>): Offer | null {
  const challenge = challengeSchema.safeParse(Object.fromEntries(members))
  if (!challenge.success) return null
  const request = requestSchema.safeParse(decodeJson(challenge.data.request))
  return request.success ? { challenge: challenge.data, request: request.data } : null
}

// What a location signs beside the installation: that it was shown the head of a day, and no other head of that day.
// C2SP tlog-witness describes the same role for transparency logs. In Perigee a witness is a machine of locations.
import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { addDays } from '#core/language/utc-day.ts'
import {
  type PublicSigningKey,
  type SigningPair,
  isSignedFor,
  publicSigningKey,
  publicSigningKeySchema,
  signFor,
} from './signature.ts'
import { type DayHead, type SignedHead, hashSchema, headHash, signedHeadSchema } from './signed-history.ts'
import { isSignedHead } from './verify-history.ts'

/** Days that one message offers or shows, a month. */
export const maxCountersignedDays = 31

/**
 * What a location remembers of one installation: the keys that may sign its heads, and the last head that the location
 * has countersigned. It has to be on disk before the signature leaves, or a process that dies could sign a second head.
 */
export const countersignMemorySchema = z.strictObject({
  installation: z.string(),
  keys: z.array(publicSigningKeySchema).min(1).max(1000),
  last: z.strictObject({ day: z.iso.date(), hash: hashSchema }).nullable(),
})

export type CountersignMemory = z.infer<typeof countersignMemorySchema>

/** `signature` is 64 bytes in hexadecimal digits, by the key that `kid` names. */
export const countersignatureSchema = z.strictObject({
  key: publicSigningKeySchema,
  location: z.string().min(1).max(100),
  signature: z.string().regex(/^[0-9a-f]{128}$/),
})

export type Countersignature = z.infer<typeof countersignatureSchema>

/** Two heads of one day, by their hashes: the one that the location has signed, and the one that it is shown. */
export const forkSchema = z.object({ day: z.iso.date(), signed: hashSchema, shown: z.string().max(64) })

export type Fork = z.infer<typeof forkSchema>

/** What a location sends: signatures of heads that it was shown, and the day from which on it wants to see heads. */
export const countersignOfferSchema = z.object({
  since: z.iso.date().nullable().describe('Null where it has signed none: the newest head is where it begins.'),
  signatures: z.array(z.object({ day: z.iso.date(), signature: countersignatureSchema })).max(maxCountersignedDays),
  fork: forkSchema.nullable(),
})

export type CountersignOffer = z.infer<typeof countersignOfferSchema>

/** What it is answered: the keys of the installation, the current one first, and heads, oldest first. */
export const countersignReplySchema = z.object({
  keys: z.array(publicSigningKeySchema).min(1).max(1000),
  heads: z.array(signedHeadSchema).max(maxCountersignedDays),
})

export type CountersignReply = z.infer<typeof countersignReplySchema>

/**
 * `sign` has the memory to store first. `fork` has two heads of one day, or one that names another past. `gap` and
 * `past` are no accusation: the first asks for the days from `last` on, the second is of a day that the location has
 * left behind, whose hash it does not remember.
 */
export type CountersignDecision =
  | { outcome: 'sign'; memory: CountersignMemory }
  | ({ outcome: 'fork' } & Fork)
  | { outcome: 'gap' | 'past'; last: string }
  | { outcome: 'other_installation' | 'unknown_key' | 'wrong_signature' }

/** Of a head as the core shows it. */
export function decideCountersign(memory: CountersignMemory, shown: SignedHead): CountersignDecision {
  const { head } = shown
  if (head.installation !== memory.installation) return { outcome: 'other_installation' }
  if (!memory.keys.some(({ kid }) => kid === shown.key_id)) return { outcome: 'unknown_key' }
  if (!isSignedHead(shown, memory.keys)) return { outcome: 'wrong_signature' }
  const hash = headHash(head)
  const next: CountersignDecision = { outcome: 'sign', memory: { ...memory, last: { day: head.day, hash } } }
  const { last } = memory
  if (last === null) return next
  if (head.day < last.day) return { outcome: 'past', last: last.day }
  if (head.day === last.day) return hash === last.hash ? next : forkOf(last.day, { signed: last.hash, shown: hash })
  if (head.day !== addDays(last.day, 1)) return { outcome: 'gap', last: last.day }
  return head.previous === last.hash ? next : forkOf(last.day, { signed: last.hash, shown: head.previous ?? 'none' })
}

/**
 * What a location remembers of an installation that it meets for the first time, by the keys that it is told: the last
 * one, which was the first to sign, names the installation. Null where a key does not have its id.
 */
export function firstMemory(keys: readonly PublicSigningKey[]): CountersignMemory | null {
  const installation = keys.at(-1)?.kid
  if (installation === undefined) return null
  return withKeys({ installation, keys: [], last: null }, keys)
}

/**
 * A key that replaced another one is taken: what counts is that there is one past, whichever key of the installation signs
 * it. Null where a key does not have its id, or the keys are another installation's.
 */
export function withKeys(memory: CountersignMemory, keys: readonly PublicSigningKey[]): CountersignMemory | null {
  if (keys.at(-1)?.kid !== memory.installation) return null
  if (keys.some(({ x, kid }) => publicSigningKey(x).kid !== kid)) return null
  return { ...memory, keys: [...keys] }
}

export function countersignHead(
  head: DayHead,
  { pair, location }: { pair: SigningPair; location: string },
): Countersignature {
  const signature = signFor('history-countersign', pair, countersignedBytes(head, location)).toString('hex')
  return { key: publicSigningKey(pair.x), location, signature }
}

/** False also where the key does not have its id. Whether the key is one to trust is a question of its own. */
export function isCountersigned(head: DayHead, { key, location, signature }: Countersignature): boolean {
  if (publicSigningKey(key.x).kid !== key.kid) return false
  const content = countersignedBytes(head, location)
  return isSignedFor('history-countersign', key, { content, signature: Buffer.from(signature, 'hex') })
}

/** `head` is the hash of all of the head, which has its size, too. */
function countersignedBytes(head: DayHead, location: string): Buffer {
  const { day, installation, previous, root } = head
  return Buffer.from(canonicalJson({ day, head: headHash(head), installation, location, previous, root }))
}

function forkOf(day: string, hashes: { signed: string; shown: string }): CountersignDecision {
  return { outcome: 'fork', day, ...hashes }
}

/** A head that a reader kept, with what locations signed of it. */
export type CountersignedHead = { head: DayHead; countersignatures: readonly Countersignature[] }

/** Days of an export, and which locations signed the very heads that these are of, each once. */
export type CountersignedDay = { day: string; locations: string[] }

/** Of the days of an export by the hashes of their heads. Only these keys count, where any are given. */
export function countersignedDays(
  days: readonly { day: string; root: string }[],
  kept: readonly CountersignedHead[],
  keys?: readonly PublicSigningKey[],
): CountersignedDay[] {
  const isTrusted = ({ key }: Countersignature): boolean => keys?.some(({ x }) => x === key.x) ?? true
  return days.map(({ day, root }) => {
    const found = kept.find(({ head }) => head.day === day && headHash(head) === root)
    const signed = found?.countersignatures.filter((each) => isTrusted(each) && isCountersigned(found.head, each)) ?? []
    return { day, locations: [...new Set(signed.map(({ location }) => location))] }
  })
}

import type { DnsName, SignatureValue } from '#net/dns/signed-record.ts'
import { daysAgo, inDaysOn } from '#kinds/days.ts'
import { algorithmName, isJudged, isSignedBy, openKey } from './algorithms.ts'
import { type Course, spend, Unproven, type Zone } from './course.ts'
import { ancestorOf, isSameName, nameText, wireOf } from './dns-names.ts'
import { type RecordSet, setText } from './record-sets.ts'

/** More than the usual one or two are tried no more. */
const maxSignatures = 8
/** Keys may have the same tag by chance, but hardly more than two. */
const maxKeysOfTag = 3

/**
 * The signature by a zone that holds, which is noted as used. Throws `Unproven` with what is wrong with the one that
 * comes nearest.
 */
export function checkSet(course: Course, set: RecordSet, zone: Zone): SignatureValue {
  const byEnd = set.signatures
    .filter(({ signer }) => isSameName(signer, zone.name))
    .toSorted((one, other) => endOf(other, course.now).getTime() - endOf(one, course.now).getTime())
  let nearest: Flaw | null = null
  for (const signature of byEnd.slice(0, maxSignatures)) {
    const flaw = flawOf(course, { signature, set, zone })
    if (flaw === null) {
      course.used.push({
        text: setText(set),
        ends: endOf(signature, course.now),
        algorithm: signature.algorithm,
      })
      return signature
    }
    if (nearest === null || flaw.rank < nearest.rank) nearest = flaw
  }
  throw new Unproven('bogus', nearest?.problem ?? `${setText(set)} has no signature by the zone ${nameText(zone.name)}`)
}

/** Whether a wildcard made the records: the name that the wildcard stands under, or null. */
export function wildcardOf(set: RecordSet, signature: SignatureValue): DnsName | null {
  return signature.labels < labelsOf(set) ? ancestorOf(set.owner, signature.labels) : null
}

/** Low where more was right. */
type Flaw = { rank: number; problem: string }

type Case = { signature: SignatureValue; set: RecordSet; zone: Zone }

function flawOf(course: Course, { signature, set, zone }: Case): Flaw | null {
  const { algorithm, keyTag } = signature
  const what = `The signature of ${setText(set)}`
  if (signature.labels > labelsOf(set)) return { rank: 5, problem: `${what} is for a longer name` }
  if (!isJudged(algorithm))
    return { rank: 6, problem: `${what} is made with ${algorithmName(algorithm)}, which proves nothing` }
  const keys = zone.keys.filter((key) => key.keyTag === keyTag && key.algorithm === algorithm)
  if (keys.length === 0)
    return {
      rank: 4,
      problem: `${what} is made with key ${keyTag}, which the zone ${nameText(zone.name)} does not have`,
    }
  const timing = timingFlaw(signature, what, course.now)
  if (timing !== null) return timing
  const bytes = signedBytes(set, signature)
  for (const { publicKey } of keys.slice(0, maxKeysOfTag)) {
    spend(course, 'checks')
    const key = openKey(algorithm, publicKey)
    if (key !== null && isSignedBy(key, { algorithm, bytes, signature: signature.signature })) return null
  }
  return { rank: 3, problem: `${what} does not fit: the records, or the key ${keyTag}, are others than were signed` }
}

function timingFlaw(signature: SignatureValue, what: string, now: Date): Flaw | null {
  const end = endOf(signature, now)
  if (end.getTime() < now.getTime()) return { rank: 1, problem: `${what} expired ${daysAgo(end, now)}` }
  const start = timeOf(signature.inception, now)
  return start.getTime() > now.getTime()
    ? { rank: 2, problem: `${what} is not valid yet: it begins ${inDaysOn(start, now)}` }
    : null
}

function endOf({ expiration }: SignatureValue, now: Date): Date {
  return timeOf(expiration, now)
}

/** The one time near `now` that 32 bits of seconds mean (RFC 4034 3.1.5). */
function timeOf(seconds: number, now: Date): Date {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  return new Date((nowSeconds + ((seconds - nowSeconds) | 0)) * 1000)
}

/** RFC 4034 3.1.3: an asterisk in front does not count. */
function labelsOf({ owner }: RecordSet): number {
  return owner[0] === '*' ? owner.length - 1 : owner.length
}

/** RFC 4034 3.1.8.1. */
function signedBytes(set: RecordSet, signature: SignatureValue): Buffer {
  const wildcard = wildcardOf(set, signature)
  const owner = wireOf(wildcard === null ? set.owner : ['*', ...wildcard])
  const parts = [signature.signedHead]
  for (const { type, data } of set.records) {
    const fixed = Buffer.alloc(10)
    fixed.writeUInt16BE(type, 0)
    fixed.writeUInt16BE(1, 2)
    fixed.writeUInt32BE(signature.originalTtlSeconds, 4)
    fixed.writeUInt16BE(data.length, 8)
    parts.push(owner, fixed, data)
  }
  return Buffer.concat(parts)
}

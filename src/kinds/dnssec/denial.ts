import { hash } from 'node:crypto'
import type { DnsName, NextHashValue, NextNameValue } from '#net/dns/signed-record.ts'
import { type Course, type Delegation, spend, Unproven, type Zone } from './course.ts'
import { ancestorOf, compareNames, isBeneath, isSameName, keyOf, nameText, wireOf } from './dns-names.ts'
import { type RecordSet, types, valuesOf } from './record-sets.ts'

/**
 * What records of a zone, whose signatures hold, say about names that are not there: NSEC (RFC 4035 5.4) and NSEC3
 * (RFC 5155 8) in the same words.
 */
export type Denial = {
  zone: DnsName
  /** By their order, in which a name that is not there has a neighbour next to what is above it. */
  isOrdered: boolean
  /** The bitmap of the types that a name has; null where nothing is said of it. */
  typesAt: (name: DnsName) => Buffer | null
  /** Nothing is at a name or beneath it; 'left out' where unsigned zones may be there (RFC 5155 6). */
  lacks: (name: DnsName) => 'yes' | 'left out' | null
}

/** RFC 9276 3.2 leaves the limit to validators; zones should have 0. */
const maxIterations = 100

export function denialOf(course: Course, zone: Zone, sets: readonly RecordSet[]): Denial {
  const named = sets.flatMap(({ owner, ...set }) => valuesOf(set, 'next name').map((value) => ({ owner, value })))
  if (named.length > 0) return denialByName(zone.name, named)
  const hashed = sets.flatMap(({ owner, ...set }) => valuesOf(set, 'next hash').map((value) => ({ owner, value })))
  return denialByHash(course, zone.name, hashed)
}

type Owned<Value> = { owner: DnsName; value: Value }
type OwnedName = Owned<NextNameValue>

function denialByName(zone: DnsName, records: readonly OwnedName[]): Denial {
  const lacking = (name: DnsName): OwnedName | undefined =>
    records.find((record) => isBetween(name, record, zone) && !isCutAbove(name, record))
  return {
    zone,
    isOrdered: true,
    typesAt: (name) => {
      const own = records.find(({ owner }) => isSameName(owner, name))
      if (own !== undefined) return own.value.types
      const around = lacking(name)
      return around !== undefined && isBeneath(around.value.next, name) ? noTypes : null
    },
    lacks: (name) => {
      const around = lacking(name)
      return around === undefined || isBeneath(around.value.next, name) ? null : 'yes'
    },
  }
}

const noTypes = Buffer.alloc(0)

/** The last record of a zone leads back to its beginning. */
function isBetween(name: DnsName, { owner, value: { next } }: OwnedName, zone: DnsName): boolean {
  return compareNames(owner, name) < 0 && (compareNames(name, next) < 0 || isSameName(next, zone))
}

/** RFC 6840 4.1: where another zone or an alias of all names begins, its parent knows nothing of what is beneath. */
function isCutAbove(name: DnsName, { owner, value }: OwnedName): boolean {
  return isBeneath(name, owner) && leadsAway(value.types)
}

function leadsAway(bitmap: Buffer): boolean {
  return isParentSide(bitmap) || hasType(bitmap, types.DNAME)
}

function isParentSide(bitmap: Buffer): boolean {
  return hasType(bitmap, types.NS) && !hasType(bitmap, types.SOA)
}

const hashOfSha1 = 1
const optOut = 1

function denialByHash(course: Course, zone: DnsName, records: readonly Owned<NextHashValue>[]): Denial {
  const first = records[0]?.value
  if (first !== undefined && first.iterations > maxIterations)
    throw new Unproven(
      'unjudged',
      `DNSSEC cannot be judged: the zone ${nameText(zone)} hashes its names in ${first.iterations} rounds, more than ${maxIterations}`,
    )
  const hashed = records
    .filter(({ value }) => value.hashAlgorithm === hashOfSha1 && value.iterations === first?.iterations)
    .filter(({ value, owner }) => first?.salt.equals(value.salt) === true && isSameName(owner.slice(1), zone))
    .map(({ value, owner }) => ({ value, own: owner[0] ?? '', next: base32(value.nextHash) }))
  const known = new Map<string, string>()
  const hashOf = (name: DnsName): string => {
    const key = keyOf(name)
    const digest = known.get(key) ?? hashName(course, name, first)
    known.set(key, digest)
    return digest
  }
  return {
    zone,
    isOrdered: false,
    typesAt: (name) => hashed.find(({ own }) => own === hashOf(name))?.value.types ?? null,
    lacks: (name) => {
      const digest = hashOf(name)
      const around = hashed.find(({ own, next }) => isBetweenHashes(digest, own, next))
      if (around === undefined) return null
      return (around.value.flags & optOut) === 0 ? 'yes' : 'left out'
    },
  }
}

function isBetweenHashes(digest: string, own: string, next: string): boolean {
  return own < next ? own < digest && digest < next : own < digest || digest < next
}

function hashName(course: Course, name: DnsName, parameters: NextHashValue | undefined): string {
  const { iterations = 0, salt = noTypes } = parameters ?? {}
  spend(course, 'hashes', iterations + 1)
  let digest = wireOf(name)
  for (let round = 0; round <= iterations; round++) digest = hash('sha1', Buffer.concat([digest, salt]), 'buffer')
  return base32(digest)
}

const digits = '0123456789abcdefghijklmnopqrstuv'

/** RFC 4648 7 in lower case, which keeps the order of the bytes. */
function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) text += digits[(value >> (bits - 5)) & 31]
  }
  return bits === 0 ? text : text + digits[(value << (5 - bits)) & 31]
}

/** RFC 4034 4.1.2: windows of 256 types, each with its number, its length and its bits. */
export function hasType(bitmap: Buffer, type: number): boolean {
  for (let at = 0; at + 2 <= bitmap.length; at += 2 + (bitmap[at + 1] ?? 0)) {
    if (bitmap[at] !== type >> 8) continue
    const place = (type & 0xff) >> 3
    return place < (bitmap[at + 1] ?? 0) && ((bitmap[at + 2 + place] ?? 0) & (0x80 >> (type & 7))) !== 0
  }
  return false
}

/** What a denial comes to: proved, or proved but for unsigned zones that may be there; null where it is no proof. */
export type Denied = 'yes' | 'left out' | null

/** The name is not there, and no wildcard that would stand for it. */
export function isNameDenied(denial: Denial, name: DnsName): Denied {
  const absence = absenceOf(denial, name)
  if (absence === null) return null
  const wildcard = denial.lacks(['*', ...absence.encloser])
  return wildcard === null ? null : weaker(absence.how, wildcard)
}

/** The name, or a wildcard in its place, is there without records of the type. */
export function isTypeDenied(denial: Denial, name: DnsName, type: number): Denied {
  const own = denial.typesAt(name)
  if (own !== null) return lacksType(own, type) && !isParentSide(own) ? 'yes' : null
  const absence = absenceOf(denial, name)
  if (absence === null) return null
  const wildcard = denial.typesAt(['*', ...absence.encloser])
  if (wildcard !== null) return lacksType(wildcard, type) ? absence.how : null
  return absence.how === 'left out' ? 'left out' : null
}

/** What the parent says of a zone at the name, for which it names no keys; null where that is no proof. */
export function deniedDelegation(denial: Denial, name: DnsName): Delegation | null {
  const own = denial.typesAt(name)
  if (own !== null) {
    if (hasType(own, types.DS) || hasType(own, types.SOA)) return null
    return hasType(own, types.NS) ? { is: 'unsigned', parent: denial.zone, isLeftOut: false } : { is: 'none' }
  }
  const absence = absenceOf(denial, name)
  if (absence === null) return null
  return absence.how === 'left out' ? { is: 'unsigned', parent: denial.zone, isLeftOut: true } : { is: 'none' }
}

function lacksType(bitmap: Buffer, type: number): boolean {
  return !hasType(bitmap, type) && !hasType(bitmap, types.CNAME)
}

function weaker(one: 'yes' | 'left out', other: 'yes' | 'left out'): 'yes' | 'left out' {
  return one === 'left out' ? one : other
}

/** The nearest name above that is there (RFC 5155 8.3), where the name is not. */
function absenceOf(denial: Denial, name: DnsName): { encloser: DnsName; how: 'yes' | 'left out' } | null {
  for (let labels = denial.zone.length; labels < name.length; labels++) {
    const how = denial.lacks(ancestorOf(name, labels + 1))
    if (how === null) continue
    const encloser = ancestorOf(name, labels)
    const bitmap = denial.typesAt(encloser)
    const isSure = bitmap === null ? denial.isOrdered : !leadsAway(bitmap) || isSameName(encloser, denial.zone)
    if (isSure) return { encloser, how }
  }
  return null
}

import { hash } from 'node:crypto'
import type { DigestValue, DnsName, KeyValue, SignatureValue } from '#net/dns/signed-record.ts'
import { algorithmName, isJudged } from './algorithms.ts'
import { type Course, type Delegation, spend, Unproven, type Zone } from './course.ts'
import { deniedDelegation, denialOf } from './denial.ts'
import { ancestorOf, isBeneath, isSameName, isWithin, keyOf, nameText, root, wireOf } from './dns-names.ts'
import { type RecordSet, setsOf, setText, types, valuesOf } from './record-sets.ts'
import { checkSet, wildcardOf } from './signatures.ts'

/** The zone of this name with its keys, proved from the root on. Throws `Unproven`. */
export function zoneOf(course: Course, name: DnsName): Promise<Zone> {
  return once(course.zones, name, () => openZone(course, name))
}

/** What the zone above says about a zone of this name. Throws `Unproven`. */
export function delegationOf(course: Course, name: DnsName): Promise<Delegation> {
  return once(course.delegations, name, () => readDelegation(course, name))
}

/** The signature of the set that holds, and the zone that made it. Throws `Unproven`. */
export async function proveSet(course: Course, set: RecordSet): Promise<{ zone: Zone; signature: SignatureValue }> {
  const signer = signerOf(set, set.owner)
  if (signer === null) return explainMissing(course, set.owner, setText(set))
  const zone = await zoneOf(course, signer)
  return { zone, signature: checkSet(course, set, zone) }
}

/** Says why there is no signature: a zone on the way that is not signed, or that somebody took it away. */
export async function explainMissing(course: Course, name: DnsName, what: string): Promise<never> {
  await zoneOf(course, root)
  for (let labels = 1; labels <= name.length; labels++) {
    const zone = ancestorOf(name, labels)
    const delegation = await delegationOf(course, zone)
    if (delegation.is === 'unsigned') throw new Unproven('unsigned', unsignedText(zone, delegation))
  }
  throw new Unproven('bogus', `${what} has no signature, though its zone is signed`)
}

/** The sets that deny something about the name, with the zone that signs them; null where none of them is signed. */
export async function provenDenial(
  course: Course,
  sets: readonly RecordSet[],
  isSigner: (signer: DnsName) => boolean,
): Promise<ReturnType<typeof denialOf> | null> {
  const denying = sets.filter(({ type }) => type === types.NSEC || type === types.NSEC3)
  const signers = denying.map((set) => signerOf(set, set.owner)).filter((signer) => signer !== null)
  const [signer] = signers.filter(isSigner).toSorted((one, other) => other.length - one.length)
  if (signer === undefined) return null
  const zone = await zoneOf(course, signer)
  const proven = denying
    .filter(({ signatures }) => signatures.some((each) => isSameName(each.signer, signer)))
    .slice(0, maxDenying)
  for (const set of proven) {
    const signature = checkSet(course, set, zone)
    if (wildcardOf(set, signature) !== null) throw new Unproven('bogus', `${setText(set)} was made of a wildcard`)
  }
  return denialOf(course, zone, proven)
}

/** RFC 5155 7.2: a denial has at most three records for a name, and an alias may have led to another one. */
const maxDenying = 8

function once<Found>(known: Map<string, Promise<Found>>, name: DnsName, find: () => Promise<Found>): Promise<Found> {
  const key = keyOf(name)
  const found = known.get(key) ?? find()
  known.set(key, found)
  return found
}

/** Who signs a set; only a zone at the name or above it may. */
function signerOf(set: RecordSet, name: DnsName): DnsName | null {
  return set.signatures.find(({ signer }) => isWithin(name, signer))?.signer ?? null
}

async function openZone(course: Course, name: DnsName): Promise<Zone> {
  const asked = askKeys(course, name)
  // Both questions are under way at once, and the first one may end this before the second one has its answer.
  asked.catch(ignore)
  const digests = name.length === 0 ? course.anchors : await digestsOf(course, name)
  return trustedZone(course, { name, set: await asked, digests })
}

async function askKeys(course: Course, name: DnsName): Promise<RecordSet> {
  spend(course, 'questions')
  const asked = await course.ask(name, 'DNSKEY')
  if (!asked.ok) throw new Unproven('unread', `The keys of the zone ${nameText(name)} cannot be read: ${asked.problem}`)
  const set = setsOf(asked.sections.answers).find(({ owner, type }) => type === types.DNSKEY && isSameName(owner, name))
  if (set === undefined && name.length === 0) throw new Unproven('unjudged', strippedText)
  if (set === undefined)
    throw new Unproven('bogus', `The zone ${nameText(name)} has no keys, though it should be signed`)
  return set
}

async function digestsOf(course: Course, name: DnsName): Promise<DigestValue[]> {
  const delegation = await delegationOf(course, name)
  switch (delegation.is) {
    case 'signed':
      return delegation.digests
    case 'unsigned':
      throw new Unproven('unsigned', islandText(name, delegation))
    case 'none':
      throw new Unproven('bogus', `The zone above ${nameText(name)} knows no zone of that name, and yet it signs`)
  }
}

type Keys = { name: DnsName; set: RecordSet; digests: readonly DigestValue[] }

function trustedZone(course: Course, { name, set, digests }: Keys): Zone {
  if (name.length === 0 && set.signatures.length === 0) throw new Unproven('unjudged', strippedText)
  const keys = valuesOf(set, 'key').filter(isZoneKey)
  const trusted = keys.filter((key) => digests.some((digest) => isDigestOf(course, digest, { name, key, set })))
  if (trusted.length === 0) throw new Unproven('bogus', unfittingText(name, digests))
  checkSet(course, set, { name, keys: trusted })
  return { name, keys }
}

const zoneKey = 0x100
const revoked = 0x80
const protocol = 3

/** RFC 4034 2.1, RFC 5011 7. */
function isZoneKey(key: KeyValue): boolean {
  return (key.flags & zoneKey) !== 0 && (key.flags & revoked) === 0 && key.protocol === protocol
}

const digestHashes: Readonly<Record<number, string>> = { 2: 'sha256', 4: 'sha384' }

function isDigestOf(
  course: Course,
  wanted: DigestValue,
  { name, key, set }: Omit<Keys, 'digests'> & { key: KeyValue },
): boolean {
  if (wanted.keyTag !== key.keyTag || wanted.algorithm !== key.algorithm) return false
  const algorithm = digestHashes[wanted.digestType]
  const record = set.records.find(({ value }) => value === key)
  if (algorithm === undefined || record === undefined) return false
  spend(course, 'hashes')
  return hash(algorithm, Buffer.concat([wireOf(name), record.data]), 'buffer').equals(wanted.digest)
}

async function readDelegation(course: Course, name: DnsName): Promise<Delegation> {
  spend(course, 'questions')
  const asked = await course.ask(name, 'DS')
  if (!asked.ok) throw new Unproven('unread', `DS of ${nameText(name)} cannot be read: ${asked.problem}`)
  const answers = setsOf(asked.sections.answers)
  const own = answers.find(({ owner, type }) => type === types.DS && isSameName(owner, name))
  if (own !== undefined) return signedDelegation(course, own)
  const alias = answers.find(({ owner, type }) => type === types.CNAME && isSameName(owner, name))
  if (alias !== undefined) {
    await proveFromAbove(course, alias)
    return { is: 'none' }
  }
  const denial = await provenDenial(course, setsOf(asked.sections.authorities), (signer) => isBeneath(name, signer))
  const delegation = denial === null ? null : deniedDelegation(denial, name)
  if (delegation === null)
    throw new Unproven('bogus', `Nothing proves that the zone above ${nameText(name)} has no DS record for it`)
  return delegation
}

/** The zone of the same name shall not sign for itself: whether it is one is the question. */
async function proveFromAbove(course: Course, set: RecordSet): Promise<void> {
  const above = { ...set, signatures: set.signatures.filter(({ signer }) => isBeneath(set.owner, signer)) }
  const signer = signerOf(above, set.owner)
  if (signer === null) throw new Unproven('bogus', `${setText(set)} has no signature by the zone above`)
  const signature = checkSet(course, above, await zoneOf(course, signer))
  if (wildcardOf(set, signature) !== null) throw new Unproven('bogus', `${setText(set)} was made of a wildcard`)
}

async function signedDelegation(course: Course, set: RecordSet): Promise<Delegation> {
  await proveFromAbove(course, set)
  const digests = valuesOf(set, 'digest')
  const judged = digests.filter((each) => isJudged(each.algorithm) && digestHashes[each.digestType] !== undefined)
  if (judged.length === 0) throw new Unproven('unjudged', unjudgedText(set.owner, digests))
  return { is: 'signed', digests: judged }
}

const strippedText = 'DNSSEC cannot be judged: the name server gives no signatures, not even those of the root'

function unjudgedText(name: DnsName, digests: readonly DigestValue[]): string {
  const first = digests.find(({ algorithm }) => !isJudged(algorithm))
  const how = first === undefined ? 'a digest that is' : `${algorithmName(first.algorithm)}, which is`
  return `DNSSEC cannot be judged: the zone ${nameText(name)} is signed with ${how} not supported`
}

function unfittingText(name: DnsName, digests: readonly DigestValue[]): string {
  const tags = [...new Set(digests.map(({ keyTag }) => keyTag))].slice(0, 5).join(', ')
  if (name.length === 0) return `No key of the root is one that is trusted (key tag ${tags})`
  return `No key of the zone ${nameText(name)} fits its DS records in the zone above (key tag ${tags})`
}

type Unsigned = Extract<Delegation, { is: 'unsigned' }>

function unsignedText(name: DnsName, { parent, isLeftOut }: Unsigned): string {
  if (isLeftOut) return `The zone ${nameText(name)} is not signed: ${zoneText(parent)} does not name it (opt-out)`
  return `The zone ${nameText(name)} is not signed: ${zoneText(parent)} has no DS record for it`
}

function islandText(name: DnsName, { parent }: Unsigned): string {
  return `The zone ${nameText(name)} is signed, but ${zoneText(parent)} has no DS record for it`
}

function zoneText(name: DnsName): string {
  return name.length === 0 ? 'the root' : `the zone ${nameText(name)}`
}

function ignore(): void {}

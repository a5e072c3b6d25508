import type { DigestValue, DnsName, SignedSections } from '#net/dns/signed-record.ts'
import { explainMissing, proveSet, provenDenial } from './chain.ts'
import { type AskSigned, type Course, type Doubt, type UsedSignature, Unproven } from './course.ts'
import { isNameDenied, isTypeDenied } from './denial.ts'
import { ancestorOf, isBeneath, isSameName, isWithin, nameText } from './dns-names.ts'
import { type RecordSet, setsOf, setText, types, valuesOf } from './record-sets.ts'
import { wildcardOf } from './signatures.ts'

/** What DNSSEC makes of an answer; a problem is a sentence without its final dot. */
export type Security = { is: 'secure'; used: UsedSignature[] } | { is: Doubt; problem: string }

export type Validation = {
  name: DnsName
  type: number
  /** Whether the answer is that the name does not exist. */
  isNameDenied: boolean
  sections: SignedSections
  /** Each as the data of a DS record are written: tag, algorithm, type of digest, digest. */
  anchors: readonly string[]
  ask: AskSigned
  now: Date
}

/** Follows the signatures of an answer, and of what its aliases lead to, to the root's keys. */
export async function validate(validation: Validation): Promise<Security> {
  const { anchors, ask, now } = validation
  const course: Course = {
    ask,
    anchors: anchors.map(parseDigest),
    now,
    zones: new Map(),
    delegations: new Map(),
    used: [],
    spent: { questions: 0, checks: 0, hashes: 0 },
  }
  try {
    await proveAnswer(course, validation)
    return { is: 'secure', used: course.used }
  } catch (error) {
    if (error instanceof Unproven) return { is: error.doubt, problem: error.message }
    throw error
  }
}

/** Throws a RangeError. */
export function parseDigest(text: string): DigestValue {
  const [tag, algorithm, digestType, ...hex] = text.trim().split(/\s+/)
  const numbers = [tag, algorithm, digestType].map(Number)
  const digest = Buffer.from(hex.join(''), 'hex')
  if (numbers.some((number) => !Number.isInteger(number)) || digest.length === 0)
    throw new RangeError(`"${text}" is not the data of a DS record`)
  const [keyTag = 0, algorithmNumber = 0, type = 0] = numbers
  return { is: 'digest', keyTag, algorithm: algorithmNumber, digestType: type, digest }
}

const maxAliases = 16

async function proveAnswer(course: Course, { name, type, sections, ...answer }: Validation): Promise<void> {
  const answers = setsOf(sections.answers)
  const authorities = setsOf(sections.authorities)
  let owner = name
  for (let aliases = 0; aliases <= maxAliases; aliases++) {
    const own = answers.find((set) => set.type === type && isSameName(set.owner, owner))
    if (own !== undefined) return proveAnswered(course, own, authorities)
    const alias = answers.find((set) => set.type === types.CNAME && isSameName(set.owner, owner))
    if (alias === undefined) {
      return proveAbsence(course, { name: owner, type, isNameDenied: answer.isNameDenied, authorities })
    }
    await proveAlias(course, alias, { answers, authorities })
    owner = valuesOf(alias, 'alias')[0]?.target ?? owner
  }
  throw new Unproven('bogus', `The aliases of ${nameText(name)} do not end`)
}

async function proveAnswered(course: Course, set: RecordSet, authorities: readonly RecordSet[]): Promise<void> {
  const { zone, signature } = await proveSet(course, set)
  const encloser = wildcardOf(set, signature)
  if (encloser === null) return
  // RFC 4035 5.3.4: a wildcard only stands for names that are not there.
  const closer = ancestorOf(set.owner, encloser.length + 1)
  const denial = await provenDenial(course, authorities, (signer) => isSameName(signer, zone.name))
  const lacks = denial?.lacks(closer) ?? null
  if (lacks === null)
    throw new Unproven(
      'bogus',
      `${setText(set)} is of a wildcard, and nothing proves that ${nameText(closer)} is not there`,
    )
  if (lacks === 'left out') throw new Unproven('unsigned', leftOutText(set.owner, zone.name))
}

/** A CNAME that a DNAME above made needs no signature of its own (RFC 6672 5.3.1). */
async function proveAlias(
  course: Course,
  alias: RecordSet,
  { answers, authorities }: { answers: readonly RecordSet[]; authorities: readonly RecordSet[] },
): Promise<void> {
  const above = answers.find((set) => set.type === types.DNAME && isBeneath(alias.owner, set.owner))
  const [value] = above === undefined ? [] : valuesOf(above, 'alias')
  if (alias.signatures.length > 0 || above === undefined || value === undefined)
    return proveAnswered(course, alias, authorities)
  await proveSet(course, above)
  const made = [...alias.owner.slice(0, alias.owner.length - above.owner.length), ...value.target]
  if (valuesOf(alias, 'alias').some(({ target }) => !isSameName(target, made)))
    throw new Unproven('bogus', `${setText(alias)} is not what ${setText(above)} says`)
}

type Absent = { name: DnsName; type: number; isNameDenied: boolean; authorities: readonly RecordSet[] }

async function proveAbsence(course: Course, { name, type, authorities, ...absent }: Absent): Promise<void> {
  const what = absent.isNameDenied
    ? `that ${nameText(name)} does not exist`
    : `that there is no ${setText({ owner: name, type })}`
  const denial = await provenDenial(course, authorities, (signer) => isWithin(name, signer))
  if (denial === null) return explainMissing(course, name, `The word ${what}`)
  const denied = absent.isNameDenied ? isNameDenied(denial, name) : isTypeDenied(denial, name, type)
  if (denied === null) throw new Unproven('bogus', `Nothing proves ${what}`)
  if (denied === 'left out') throw new Unproven('unsigned', leftOutText(name, denial.zone))
}

function leftOutText(name: DnsName, zone: DnsName): string {
  return `${nameText(name)} may lie in a zone that is not signed: the zone ${nameText(zone)} does not name those (opt-out)`
}

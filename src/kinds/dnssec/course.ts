import type { DigestValue, DnsName, KeyValue, SignedSections } from '#net/dns/signed-record.ts'

/**
 * What cannot be told as secure: a zone without signatures, what contradicts its signatures, what could not be read, or
 * what this validator cannot judge.
 */
export type Doubt = 'unsigned' | 'bogus' | 'unread' | 'unjudged'

/** Ends the course of a validation, with the reason as a sentence without its final dot. */
export class Unproven extends Error {
  readonly doubt: Doubt
  constructor(doubt: Doubt, problem: string) {
    super(problem)
    this.doubt = doubt
  }
}

/** A question for the chain: the records of a name with their signatures, or why there is no answer. */
export type AskSigned = (
  name: DnsName,
  type: 'DNSKEY' | 'DS',
) => Promise<{ ok: true; sections: SignedSections } | { ok: false; problem: string }>

/** A zone whose keys the chain has proved. */
export type Zone = { name: DnsName; keys: KeyValue[] }

export type Delegation =
  /** The parent names keys of the zone. */
  | { is: 'signed'; digests: DigestValue[] }
  /** There is a zone, or there may be one, for which the parent names no keys. */
  | { is: 'unsigned'; parent: DnsName; isLeftOut: boolean }
  /** No zone begins at the name. */
  | { is: 'none' }

/** A signature that was needed and holds. */
export type UsedSignature = { text: string; ends: Date; algorithm: number }

/** One validation: what it may ask, what it has found, and what it has spent. */
export type Course = {
  ask: AskSigned
  /** The digests of the root's keys. */
  anchors: DigestValue[]
  now: Date
  zones: Map<string, Promise<Zone>>
  delegations: Map<string, Promise<Delegation>>
  used: UsedSignature[]
  spent: { questions: number; checks: number; hashes: number }
}

/** A chain of two aliases through six zones asks some twenty questions and checks some thirty signatures. */
const most = { questions: 30, checks: 48, hashes: 3000 }

/**
 * Counts what is about to be done. Colliding keys, many signatures and many rounds of hashing are ways to keep a
 * validator busy (CVE-2023-50387, CVE-2023-50868).
 */
export function spend(course: Course, what: keyof Course['spent'], count = 1): void {
  course.spent[what] += count
  if (course.spent[what] > most[what]) throw new Unproven('unjudged', tooMuch[what])
}

const tooMuch = {
  questions: `DNSSEC cannot be judged: it would take more than ${most.questions} questions`,
  checks: `DNSSEC cannot be judged: it would take more than ${most.checks} checks of signatures`,
  hashes: `DNSSEC cannot be judged: it would take more than ${most.hashes} rounds of hashing names`,
}

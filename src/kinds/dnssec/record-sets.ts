import type { DnsName, SignatureValue, SignedRecord, SignedValue } from '#net/dns/signed-record.ts'
import { keyOf, nameText } from './dns-names.ts'

/** All records of one name and type, which are signed together, and what signs them. */
export type RecordSet = {
  owner: DnsName
  type: number
  /** Each once, in canonical order (RFC 4034 6.3). */
  records: SignedRecord[]
  signatures: SignatureValue[]
}

export const types = {
  NS: 2,
  CNAME: 5,
  SOA: 6,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
} as const

const typeNames: Readonly<Record<number, string>> = {
  ...Object.fromEntries(Object.entries(types).map(([name, type]) => [type, name])),
  1: 'A',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
}

/** The number of a type that a monitor may ask for. */
export function typeOf(name: string): number {
  const [found] = Object.entries(typeNames).find(([, each]) => each === name) ?? []
  if (found === undefined) throw new TypeError(`${name} is no type of record that is known here`)
  return Number(found)
}

/** `A of example.com`, for texts. */
export function setText({ owner, type }: Pick<RecordSet, 'owner' | 'type'>): string {
  return `${typeNames[type] ?? `TYPE${type}`} of ${nameText(owner)}`
}

export function setsOf(records: readonly SignedRecord[]): RecordSet[] {
  const sets = new Map<string, RecordSet>()
  const setOf = (owner: DnsName, type: number): RecordSet => {
    const key = `${type} ${keyOf(owner)}`
    const set = sets.get(key) ?? { owner, type, records: [], signatures: [] }
    sets.set(key, set)
    return set
  }
  for (const record of records) {
    const { owner, type, value } = record
    if (value.is === 'signature') setOf(owner, value.covered).signatures.push(value)
    else setOf(owner, type).records.push(record)
  }
  return [...sets.values()].filter((set) => set.records.length > 0).map(inOrder)
}

function inOrder(set: RecordSet): RecordSet {
  const sorted = set.records.toSorted((one, other) => one.data.compare(other.data))
  return { ...set, records: sorted.filter(({ data }, index) => index === 0 || !sorted[index - 1]?.data.equals(data)) }
}

export function valuesOf<Is extends SignedValue['is']>(
  set: Pick<RecordSet, 'records'>,
  is: Is,
): Extract<SignedValue, { is: Is }>[] {
  const isWanted = (value: SignedValue): value is Extract<SignedValue, { is: Is }> => value.is === is
  return set.records.map(({ value }) => value).filter(isWanted)
}

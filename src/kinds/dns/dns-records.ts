import type { DnsAnswer, DnsRecord, DnsRecordType } from '#net/dns/dns-record.ts'

type RecordOf<Type extends DnsRecordType> = DnsRecord & { type: Type }

export type Found<Type extends DnsRecordType> = {
  records: RecordOf<Type>[]
  /** Where CNAME records led from the name, one after the other. */
  aliases: string[]
}

const maxAliases = 16

/** The records of a type that an answer holds for a name, at the end of its aliases; what else it holds is ignored. */
export function findRecords<Type extends DnsRecordType>({ answers }: DnsAnswer, name: string, type: Type): Found<Type> {
  const isWanted = (record: DnsRecord): record is RecordOf<Type> => record.type === type
  const aliases: string[] = []
  let owner = name
  while (aliases.length <= maxAliases) {
    const here = answers.filter((record) => isSameName(record.name, owner))
    const records = here.filter(isWanted)
    const alias = here.find((record) => record.type === 'CNAME')
    if (records.length > 0 || alias?.type !== 'CNAME') return { records, aliases }
    owner = alias.target
    aliases.push(owner)
  }
  return { records: [], aliases }
}

/** Why an answer gives no records, in words; null when it does or just has none. */
export function rcodeProblem({ rcode }: Pick<DnsAnswer, 'rcode'>, name: string): string | null {
  switch (rcode) {
    case 'NOERROR':
      return null
    case 'NXDOMAIN':
      return `The name ${name} does not exist (NXDOMAIN)`
    case 'SERVFAIL':
      return `The name server could not resolve ${name} (SERVFAIL)`
    case 'REFUSED':
      return `The name server refused to resolve ${name} (REFUSED)`
    default:
      return `The name server did not answer for ${name} (${rcode})`
  }
}

function isSameName(one: string, other: string): boolean {
  return withoutFinalDot(one).toLowerCase() === withoutFinalDot(other).toLowerCase()
}

export function withoutFinalDot(name: string): string {
  return name.length > 1 && name.endsWith('.') ? name.slice(0, -1) : name
}

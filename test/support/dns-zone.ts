import type { Answer } from 'dns-packet'
import type { DnsReply } from './dns-server.ts'

/** The records' data as in a zone file, by "TYPE name", a TXT as one plain text; or a word that is a reply. */
export type DnsZone = Readonly<Record<string, string | readonly string[]>>

const words = ['nxdomain', 'servfail', 'refused', 'silent'] as const

/** Answers from a zone as a name server does: records, else the alias there, else nothing, else NXDOMAIN. "* name" is any type. */
export function zoneReply(zone: DnsZone): (name: string, type: string) => DnsReply {
  const names = new Set(Object.keys(zone).map((key) => key.slice(key.indexOf(' ') + 1)))
  const recordsAt = (name: string, type: string): Answer[] =>
    [zone[`${type} ${name}`] ?? []].flat().map((text) => toRecord(name, type, text))
  return (name, type) => {
    const held = zone[`${type} ${name}`] ?? zone[`* ${name}`]
    const word = words.find((each) => each === held)
    if (word !== undefined) return word
    const alias = recordsAt(name, 'CNAME')
    const target = zone[`CNAME ${name}`]
    if (typeof target === 'string' && type !== 'CNAME') return { records: [...alias, ...recordsAt(target, type)] }
    const records = recordsAt(name, type)
    return records.length > 0 || names.has(name) ? { records } : 'nxdomain'
  }
}

function toRecord(name: string, type: string, text: string): Answer {
  const base = { name, ttl: 300 }
  const [first = '', second = '', third = '', fourth = ''] = text.split(' ')
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'CNAME':
    case 'NS':
      return { ...base, type, data: text }
    case 'MX':
      return { ...base, type, data: { preference: Number(first), exchange: second } }
    case 'SRV':
      return {
        ...base,
        type,
        data: { priority: Number(first), weight: Number(second), port: Number(third), target: fourth },
      }
    case 'SOA': {
      const [serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0] = text.split(' ').slice(2).map(Number)
      return { ...base, type, data: { mname: first, rname: second, serial, refresh, retry, expire, minimum } }
    }
    case 'TXT':
      return { ...base, type, data: text.match(/[^]{1,255}/g) ?? [''] }
    default:
      throw new Error(`A zone of a test holds no ${type}.`)
  }
}

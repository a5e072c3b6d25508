import { parseDomainName } from '#core/language/domain-name.ts'
import { canonicalIpv6 } from '#core/language/ip-address.ts'
import type { DnsRecord, DnsRecordType } from '#net/dns/dns-record.ts'
import { withoutFinalDot } from './dns-records.ts'

/** A record's data as `dig +short` prints them, without final dots and quotes, TXT strings joined. */
export function showRecord(record: DnsRecord): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.address
    case 'CNAME':
    case 'NS':
      return record.target
    case 'MX':
      return `${record.preference} ${record.exchange}`
    case 'TXT':
      return record.text
    case 'SRV':
      return `${record.priority} ${record.weight} ${record.port} ${record.target}`
    case 'SOA':
      return `${record.mname} ${record.rname} ${record.numbers.join(' ')}`
    case 'other':
      return ''
  }
}

/**
 * Whether one of the texts that `showRecord` made is the expected answer, which is written as `dig +short` prints it;
 * case, final dots and quotes do not count, because people copy the value from there.
 */
export function hasAnswer(type: DnsRecordType, shown: readonly string[], expected: string): boolean {
  const wanted = type === 'TXT' ? comparableText(joinStrings(expected)) : comparableWords(expected)
  return shown.some((text) => (type === 'TXT' ? comparableText(text) : comparableWords(text)) === wanted)
}

function comparableText(text: string): string {
  return text.replaceAll('"', '').trim().toLowerCase()
}

function comparableWords(text: string): string {
  const words = text.replaceAll('"', '').trim().split(/\s+/)
  return words.map(comparableWord).join(' ')
}

function comparableWord(word: string): string {
  if (word.includes(':')) return canonicalIpv6(word) ?? word.toLowerCase()
  return parseDomainName(word) ?? withoutFinalDot(word).toLowerCase()
}

/**
 * `"one" "two"`, as a zone file or dig writes the strings of one record, joined; any other text as it is. Inside
 * quotes `\"` and `\\` stand for the character and `\195` for a byte (RFC 1035 5.1).
 */
export function joinStrings(text: string): string {
  if (!/^\s*"(?:[^"\\]|\\[^])*"(?:\s+"(?:[^"\\]|\\[^])*")*\s*$/.test(text)) return text
  const strings = text.match(/"(?:[^"\\]|\\[^])*"/g) ?? []
  return Buffer.concat(strings.map((each) => unescape(each.slice(1, -1)))).toString('utf8')
}

function unescape(text: string): Buffer {
  const pieces = text.match(/\\(?:[01]\d\d|2[0-4]\d|25[0-5])|\\[^]|[^\\]+/g) ?? []
  return Buffer.concat(
    pieces.map((piece) => {
      if (!piece.startsWith('\\')) return Buffer.from(piece)
      return piece.length === 4 ? Buffer.from([Number(piece.slice(1))]) : Buffer.from(piece.slice(1))
    }),
  )
}

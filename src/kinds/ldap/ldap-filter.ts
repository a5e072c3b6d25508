// Filters of LDAP: their text (RFC 4515), and what is sent of them (RFC 4511 4.5.1.7).
import { ber, berTags } from '#kinds/ber.ts'

/** Says, as a sentence, what is wrong with a filter and where. */
export class FilterError extends Error {}

/** Filters of people are three or four deep. */
const maxDepth = 16

const tags = {
  '&': 0xa0,
  '|': 0xa1,
  '!': 0xa2,
  '=': 0xa3,
  '>=': 0xa5,
  '<=': 0xa6,
  '~=': 0xa8,
  substrings: 0xa4,
  present: 0x87,
  extensible: 0xa9,
} as const

/** A name or a number of an attribute, with its options (RFC 4512 2.5). */
const attribute = '(?:[A-Za-z][A-Za-z0-9-]*|\\d+(?:\\.\\d+)+)(?:;[A-Za-z0-9-]+)*'
export const attributeForm: RegExp = new RegExp(`^${attribute}$`)
const simple = new RegExp(`^(${attribute})(~=|>=|<=|=)(.*)$`, 'is')
const extensible = new RegExp(`^(${attribute})?(:dn)?(?::([a-z][a-z0-9-]*|\\d+(?:\\.\\d+)+))?:=(.*)$`, 'is')

/** The filter as BER; throws `FilterError`. */
export function encodeFilter(text: string): Buffer {
  const { bytes, end } = filterAt(text, 0, 1)
  if (end !== text.length) throw problemAt(end, 'nothing more may follow')
  return bytes
}

type Part = { bytes: Buffer; end: number }

function filterAt(text: string, at: number, depth: number): Part {
  if (text[at] !== '(') throw problemAt(at, 'a "(" is missing')
  if (depth > maxDepth) throw problemAt(at, `filters are more than ${maxDepth} deep`)
  const operator = text[at + 1]
  if (operator === '&' || operator === '|' || operator === '!') return combination(text, at, { operator, depth })
  const length = text.slice(at + 1).search(/[()]/)
  const end = at + 1 + length
  if (length === -1 || text[end] === '(') throw problemAt(length === -1 ? text.length : end, 'a ")" is missing')
  return { bytes: itemOf(text.slice(at + 1, end), at + 1), end: end + 1 }
}

function combination(
  text: string,
  at: number,
  { operator, depth }: { operator: '&' | '|' | '!'; depth: number },
): Part {
  const first = filterAt(text, at + 2, depth + 1)
  const parts = [first.bytes]
  let { end } = first
  while (text[end] === '(') {
    const part = filterAt(text, end, depth + 1)
    parts.push(part.bytes)
    end = part.end
  }
  const last = operator === '!' ? first.end : end
  if (text[last] !== ')') throw problemAt(last, 'a ")" is missing')
  return { bytes: ber(tags[operator], ...parts), end: end + 1 }
}

function itemOf(item: string, at: number): Buffer {
  const [, name = '', operator = '', value = ''] = simple.exec(item) ?? []
  if (operator === '=') return equality(name, value, at)
  if (operator === '>=' || operator === '<=' || operator === '~=')
    return ber(tags[operator], octets(name), octets(literal(value, at)))
  const [found, type, dn, rule, sought = ''] = extensible.exec(item) ?? []
  if (found === undefined || (type === undefined && rule === undefined))
    throw problemAt(at, 'there has to be an attribute, one of = >= <= ~= :=, and a value')
  return ber(
    tags.extensible,
    ...(rule === undefined ? [] : [ber(0x81, rule)]),
    ...(type === undefined ? [] : [ber(0x82, type)]),
    ber(0x83, literal(sought, at)),
    ...(dn === undefined ? [] : [ber(0x84, Buffer.from([0xff]))]),
  )
}

/** Equal, there at all, or alike in parts. */
function equality(name: string, value: string, at: number): Buffer {
  if (value === '*') return ber(tags.present, name)
  const pieces = value.split('*')
  if (pieces.length === 1) return ber(tags['='], octets(name), octets(literal(value, at)))
  if (pieces.slice(1, -1).includes('')) throw problemAt(at, 'there is nothing between two "*"')
  const last = pieces.length - 1
  const parts = pieces.flatMap((piece, index) =>
    piece === '' ? [] : [ber(index === 0 ? 0x80 : index === last ? 0x82 : 0x81, literal(piece, at))],
  )
  return ber(tags.substrings, octets(name), ber(berTags.sequence, ...parts))
}

function octets(content: Uint8Array | string): Buffer {
  return ber(berTags.octets, content)
}

/** The bytes that a text with `\28` for `(` stands for. */
function literal(text: string, at: number): Buffer {
  if (/[*\0]|\\(?![0-9a-f]{2})/i.test(text))
    throw problemAt(at, 'in a value *, (, ), \\ and the zero byte are written \\2a, \\28, \\29, \\5c and \\00')
  const parts = text.split(/\\([0-9a-f]{2})/i)
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 1 ? 'hex' : 'utf8')))
}

function problemAt(index: number, problem: string): FilterError {
  return new FilterError(
    `Must be a filter such as (&(objectClass=person)(uid=ann)): at character ${index + 1}, ${problem}.`,
  )
}

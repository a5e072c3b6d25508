import { canonicalIpv6, isIpv4 } from '#core/language/ip-address.ts'
import { isDomainSpec, isMacroString } from './spf-macro.ts'

export type SpfQualifier = '+' | '-' | '~' | '?'

/** `domain` is a domain-spec, null for the domain of the record itself. */
export type SpfTerm =
  | { name: 'all'; qualifier: SpfQualifier }
  | { name: 'ip' }
  | { name: 'include' | 'exists'; domain: string }
  | { name: 'a' | 'mx' | 'ptr'; domain: string | null }

export type SpfRecord = { ok: true; terms: SpfTerm[]; redirect: string | null } | { ok: false; wrongTerm: string }

/** RFC 7208 4.5: records of other versions, and texts of other kinds, do not count. */
export function isSpf(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text)
}

/** Reads a record that `isSpf`. RFC 7208 12: one wrong term makes all of it worthless. */
export function parseSpf(text: string): SpfRecord {
  const terms: SpfTerm[] = []
  const modifiers = new Map<string, string>()
  for (const word of text.slice('v=spf1'.length).split(' ')) {
    if (word === '') continue
    const modifier = /^([a-z][a-z0-9_.-]*)=([^]*)$/i.exec(word)
    if (modifier === null) {
      const term = parseTerm(word)
      if (term === null) return { ok: false, wrongTerm: word }
      terms.push(term)
    } else if (!takeModifier(modifiers, modifier[1]?.toLowerCase() ?? '', modifier[2] ?? ''))
      return { ok: false, wrongTerm: word }
  }
  return { ok: true, terms, redirect: modifiers.get('redirect') ?? null }
}

/** RFC 7208 6: redirect and exp at most once, unknown ones are ignored. False when it is wrong. */
function takeModifier(modifiers: Map<string, string>, name: string, value: string): boolean {
  if (name !== 'redirect' && name !== 'exp') return isMacroString(value)
  if (modifiers.has(name) || !isDomainSpec(value)) return false
  modifiers.set(name, value)
  return true
}

function parseTerm(word: string): SpfTerm | null {
  const [, sign = '', name = '', rest = ''] = /^([-+~?]?)([a-z0-9]+)([:/][^]*)?$/i.exec(word) ?? []
  switch (name.toLowerCase()) {
    case 'all':
      return rest === '' ? { name: 'all', qualifier: qualifierOf(sign) } : null
    case 'include':
      return named('include', rest)
    case 'exists':
      return named('exists', rest)
    case 'a':
      return hosts('a', rest)
    case 'mx':
      return hosts('mx', rest)
    case 'ptr':
      return rest === '' ? { name: 'ptr', domain: null } : named('ptr', rest)
    case 'ip4':
      return isNetwork(rest, isIpv4, 32) ? { name: 'ip' } : null
    case 'ip6':
      return isNetwork(rest, (address) => canonicalIpv6(address) !== null, 128) ? { name: 'ip' } : null
    default:
      return null
  }
}

function qualifierOf(sign: string): SpfQualifier {
  return sign === '-' || sign === '~' || sign === '?' ? sign : '+'
}

function named<Name extends 'include' | 'exists' | 'ptr'>(
  name: Name,
  rest: string,
): { name: Name; domain: string } | null {
  return rest.startsWith(':') && isDomainSpec(rest.slice(1)) ? { name, domain: rest.slice(1) } : null
}

/** `a` and `mx`: a domain-spec, a prefix length for IPv4 and one for IPv6, each optional. */
function hosts(name: 'a' | 'mx', rest: string): SpfTerm | null {
  const found = /^(?::([^]+?))?(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(rest)
  if (found === null || !isPrefix(found[2], 32) || !isPrefix(found[3], 128)) return null
  const [, domain = null] = found
  return domain === null || isDomainSpec(domain) ? { name, domain } : null
}

function isNetwork(rest: string, isAddress: (text: string) => boolean, maxPrefix: number): boolean {
  const found = /^:([^/]+)(?:\/(\d+))?$/.exec(rest)
  return found !== null && isAddress(found[1] ?? '') && isPrefix(found[2], maxPrefix)
}

function isPrefix(digits: string | undefined, max: number): boolean {
  return digits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(digits) && Number(digits) <= max)
}

// Messages of LDAP version 3 (RFC 4511).
import type { Peer } from '#net/tcp/talk.ts'
import {
  ber,
  type BerElement,
  berInteger,
  berTags,
  readElements,
  readInteger,
  readLengthByte,
  visitElements,
} from '#kinds/ber.ts'

export const notLdap = 'Not an LDAP server: it answers otherwise'

export const operations = {
  bindRequest: 0x60,
  bindResponse: 0x61,
  unbindRequest: 0x42,
  searchRequest: 0x63,
  searchEntry: 0x64,
  searchDone: 0x65,
  searchReference: 0x73,
  extendedRequest: 0x77,
  extendedResponse: 0x78,
  intermediateResponse: 0x79,
} as const

const startTlsName = '1.3.6.1.4.1.1466.20037'

export const scopes = { base: 0, one: 1, sub: 2 } as const

export type Search = {
  base: string
  scope: keyof typeof scopes
  /** As BER. */
  filter: Buffer
  /** At least 1: with 0 there is no limit. */
  sizeLimit: number
  timeLimitSeconds: number
  /** Without one, entries come without attributes. */
  attribute: string | undefined
}

export type LdapMessage = { id: number; operation: BerElement }

export type EntrySight = { hasValue: boolean; hasExpected: boolean }

export type LdapResult = { code: number; diagnostic: string }

export function ldapMessage(id: number, operation: Buffer): Buffer {
  return ber(berTags.sequence, berInteger(id), operation)
}

/** By a name and a password; both empty for an anonymous bind (RFC 4513 5.1.1). */
export function bindRequest(name: string, password: string): Buffer {
  return ber(operations.bindRequest, berInteger(3), ber(berTags.octets, name), ber(0x80, password))
}

export function startTlsRequest(): Buffer {
  return ber(operations.extendedRequest, ber(0x80, startTlsName))
}

export function unbindRequest(): Buffer {
  return ber(operations.unbindRequest)
}

/** Aliases are not followed. The attribute `1.1` stands for none (4.5.1.8). */
export function searchRequest({ base, scope, filter, sizeLimit, timeLimitSeconds, attribute = '1.1' }: Search): Buffer {
  return ber(
    operations.searchRequest,
    ber(berTags.octets, base),
    berInteger(scopes[scope], berTags.enumerated),
    berInteger(0, berTags.enumerated),
    berInteger(sizeLimit),
    berInteger(timeLimitSeconds),
    ber(berTags.boolean, Buffer.from([0])),
    filter,
    ber(berTags.sequence, ber(berTags.octets, attribute)),
  )
}

export async function takeMessage(peer: Peer, awaited: string): Promise<LdapMessage> {
  const [tag, first = 0] = await peer.take(2, awaited)
  const told = tag === berTags.sequence ? readLengthByte(first) : null
  if (told === null) throw peer.fault(notLdap)
  const length =
    'length' in told ? told.length : (await peer.take(told.byteCount, awaited)).readUIntBE(0, told.byteCount)
  const message = readMessage(await peer.take(length, awaited))
  if (message === null) throw peer.fault(notLdap)
  return message
}

/** What a message holds after its head; controls, which were not asked for, are passed over. */
export function readMessage(content: Buffer): LdapMessage | null {
  const [first, operation] = readElements(content) ?? []
  const id = readInteger(first)
  return id === null || operation === undefined ? null : { id, operation }
}

/** The result with which a bind, a search and an extended operation end (4.1.9). */
export function readResult({ content }: BerElement): LdapResult | null {
  const [first, matched, diagnostic] = readElements(content) ?? []
  const code = readInteger(first, berTags.enumerated)
  if (code === null || matched?.tag !== berTags.octets || diagnostic?.tag !== berTags.octets) return null
  return { code, diagnostic: diagnostic.content.toString('utf8') }
}

/**
 * What an entry has of the attribute that was asked for, which comes under any of its names; null where it cannot be
 * read. A group may have many thousands of members, so no value is taken out.
 */
export function readEntry({ content }: BerElement, expected?: Buffer): EntrySight | null {
  const [name, attributes] = readElements(content) ?? []
  if (name?.tag !== berTags.octets || attributes?.tag !== berTags.sequence) return null
  const sight = { hasValue: false, hasExpected: false }
  for (const each of readElements(attributes.content) ?? [null]) {
    const [type, set] = (each === null ? null : readElements(each.content)) ?? []
    if (type?.tag !== berTags.octets || set?.tag !== berTags.set || !lookAtValues(set.content, expected, sight))
      return null
  }
  return sight
}

function lookAtValues(values: Buffer, expected: Buffer | undefined, sight: EntrySight): boolean {
  return visitElements(values, ({ start, end }) => {
    sight.hasValue = true
    if (expected?.length === end - start) sight.hasExpected ||= expected.compare(values, start, end) === 0
  })
}

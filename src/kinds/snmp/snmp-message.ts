// Messages of SNMP: version 2c (RFC 1901), version 3 (RFC 3412), and what both ask and answer (RFC 3416).
import { isUtf8 } from 'node:buffer'
import { ber, type BerElement, berInteger, berTags, readElements, readInteger, readOnly } from '#kinds/ber.ts'
import { readObjectId } from './object-id.ts'

export const pduTags = { getRequest: 0xa0, response: 0xa2, report: 0xa8 } as const

export const versionCodes = { '2c': 1, '3': 3 } as const

/** The first of the variables that were asked for, and what the agent says to the question. */
export type Pdu = { tag: number; requestId: number; errorStatus: number; name: string; value: BerElement }

/** A question for one variable, whose identifier is encoded; null for a question for none. */
export function getRequest(requestId: number, objectId: Buffer | null): Buffer {
  const variables =
    objectId === null ? [] : [ber(berTags.sequence, ber(berTags.objectId, objectId), ber(berTags.nothing))]
  const list = ber(berTags.sequence, ...variables)
  return ber(pduTags.getRequest, berInteger(requestId), berInteger(0), berInteger(0), list)
}

export function communityMessage(community: string, pdu: Buffer): Buffer {
  return ber(berTags.sequence, berInteger(versionCodes['2c']), ber(berTags.octets, community), pdu)
}

/** The PDU of a message of version 2c; null for anything else. */
export function readCommunityMessage(bytes: Buffer): Pdu | null {
  const message = readOnly(bytes)
  if (message?.tag !== berTags.sequence) return null
  const [version, community, pdu] = readElements(message.content) ?? []
  if (readInteger(version) !== versionCodes['2c'] || community?.tag !== berTags.octets) return null
  return readPdu(pdu)
}

export function readPdu(pdu: BerElement | undefined): Pdu | null {
  const [requestId, errorStatus, , list] = (pdu === undefined ? null : readElements(pdu.content)) ?? []
  const id = readInteger(requestId)
  const status = readInteger(errorStatus)
  const variable = list?.tag === berTags.sequence ? readElements(list.content)?.[0] : undefined
  const [name, value] = (variable === undefined ? null : readElements(variable.content)) ?? []
  if (pdu === undefined || id === null || status === null || name === undefined || value === undefined) return null
  const text = name.tag === berTags.objectId ? readObjectId(name.content) : null
  return text === null ? null : { tag: pdu.tag, requestId: id, errorStatus: status, name: text, value }
}

export const valueTags = {
  ipAddress: 0x40,
  counter32: 0x41,
  gauge32: 0x42,
  timeTicks: 0x43,
  counter64: 0x46,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
} as const

const typeNames: ReadonlyMap<number, string> = new Map([
  [berTags.integer, 'Integer32'],
  [berTags.octets, 'OCTET STRING'],
  [berTags.objectId, 'OBJECT IDENTIFIER'],
  [valueTags.ipAddress, 'IpAddress'],
  [valueTags.counter32, 'Counter32'],
  [valueTags.gauge32, 'Gauge32'],
  [valueTags.timeTicks, 'TimeTicks'],
  [0x44, 'Opaque'],
  [valueTags.counter64, 'Counter64'],
])

/** The name of its type (RFC 2578 7.1), and the value as text: octets that are no text as `0x` and hexadecimal digits. */
export type SnmpValue = { type: string; text: string }

/** Null where there is no value, or none of a known type. */
export function readValue({ tag, content }: BerElement): SnmpValue | null {
  const type = typeNames.get(tag)
  const text = type === undefined ? null : textOf(tag, content)
  return type === undefined || text === null ? null : { type, text }
}

function textOf(tag: number, content: Buffer): string | null {
  switch (tag) {
    case berTags.integer:
      return numberText(content, true)
    case valueTags.counter32:
    case valueTags.gauge32:
    case valueTags.timeTicks:
    case valueTags.counter64:
      return numberText(content, false)
    case berTags.objectId:
      return readObjectId(content)
    case valueTags.ipAddress:
      return content.length === 4 ? content.join('.') : null
    default:
      return isUtf8(content) && !content.includes(0) ? content.toString('utf8') : `0x${content.toString('hex')}`
  }
}

/** Some agents leave out the zero byte before a first bit that is no sign. */
function numberText(content: Buffer, isSigned: boolean): string | null {
  if (content.length === 0 || content.length > 9) return null
  const number = BigInt(`0x${content.toString('hex')}`)
  return String(isSigned ? BigInt.asIntN(8 * content.length, number) : number)
}

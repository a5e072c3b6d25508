import { ber, berInteger, berTags } from '#kinds/ber.ts'
import { encodeObjectId, parseObjectId } from '#kinds/snmp/object-id.ts'
import { communityMessage, type Pdu, pduTags, readCommunityMessage } from '#kinds/snmp/snmp-message.ts'
import {
  type AuthProtocol,
  type Engine,
  isAuthentic,
  localizedKey,
  noUser,
  readScopedPdu,
  readUserMessage,
  userMessage,
  type UsmUser,
} from '#kinds/snmp/usm.ts'
import { type UdpServer, udpServer } from './udp-server.ts'

export const agentEngine: Engine = { id: Buffer.from('80001f8804736e6d70', 'hex'), boots: 3, time: 100_000 }

export const agentUser = {
  username: 'ann',
  auth_protocol: 'SHA-256',
  auth_password: 'first secret',
  priv_password: 'second secret',
} as const

/** Makes the message of an answer. */
export type Send = (pdu: Buffer, asked: { messageId: number; user: UsmUser }) => Buffer

type Wish = {
  /** What answers a question: a PDU; null for no answer. */
  answer?: (pdu: Pdu) => Buffer | null
  /** The engine as it is told to those who ask who it is. */
  told?: Engine
  protocol?: AuthProtocol
  /** By default it is sent as the user who asked. */
  send?: Send
}

/** An agent that knows the community `public` and one user, and answers as it is told to. */
export function snmpAgent({
  answer = goodSnmp,
  told = agentEngine,
  protocol = 'SHA-256',
  send,
}: Wish = {}): Promise<UdpServer> {
  const key = (password: string): Buffer => localizedKey(protocol, password, agentEngine.id)
  const { username: name, auth_password: auth, priv_password: priv } = agentUser
  const user: UsmUser = { name, protocol, authKey: key(auth), privKey: key(priv) }
  return udpServer((datagram, reply) => {
    const asked = readCommunityMessage(datagram)
    if (asked !== null) {
      const pdu = answer(asked)
      if (pdu !== null) reply(communityMessage('public', pdu))
      return
    }
    const message = readUserMessage(datagram)
    if (message === null) return
    const { messageId, engine } = message
    if (engine.id.length === 0)
      return reply(userMessage(messageId, snmpReport('1.3.6.1.6.3.15.1.1.4.0'), { user: noUser, engine: told }))
    if (!isAuthentic(message, user))
      return reply(userMessage(messageId, snmpReport('1.3.6.1.6.3.15.1.1.5.0'), { user: noUser, engine: agentEngine }))
    const known = { user, engine: agentEngine }
    if (engine.boots !== agentEngine.boots)
      return reply(userMessage(messageId, snmpReport('1.3.6.1.6.3.15.1.1.2.0'), known))
    const question = readScopedPdu(message, user)
    const pdu = question === null ? null : answer(question)
    if (pdu !== null) reply(send?.(pdu, { messageId, user }) ?? userMessage(messageId, pdu, known))
  })
}

/** A value, or none, under the name that was asked for or another one. */
export function snmpResponse(
  { requestId, name }: Pick<Pdu, 'requestId' | 'name'>,
  value: Buffer,
  { errorStatus = 0, tag = pduTags.response }: { errorStatus?: number; tag?: number } = {},
): Buffer {
  const variable = ber(berTags.sequence, ber(berTags.objectId, encodeObjectId(parseObjectId(name) ?? [])), value)
  const list = ber(berTags.sequence, variable)
  return ber(tag, berInteger(requestId), berInteger(errorStatus), berInteger(0), list)
}

export function snmpReport(name: string): Buffer {
  return snmpResponse({ requestId: 0, name }, berInteger(1, 0x41), { tag: pduTags.report })
}

/** The agent has run for a minute, and each other variable is `ok`. */
export function goodSnmp(pdu: Pdu): Buffer {
  const isUptime = pdu.name === '1.3.6.1.2.1.1.3.0'
  return snmpResponse(pdu, isUptime ? berInteger(6000, 0x43) : ber(berTags.octets, 'ok'))
}

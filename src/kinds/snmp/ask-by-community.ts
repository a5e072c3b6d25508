import { randomInt } from 'node:crypto'
import type { Phases } from '#core/results/result.ts'
import type { UdpOutcome } from '#net/dial/udp.ts'
import type { Net } from '#net/net.ts'
import { communityMessage, getRequest, type Pdu, pduTags, readCommunityMessage } from './snmp-message.ts'
import { type SnmpOptions, usualCommunity } from './snmp-options.ts'

export type Question = {
  host: string
  port: number
  /** Encoded. */
  objectId: Buffer
  options: SnmpOptions
  /** Of the whole check. */
  timeoutMs: number
}

/** The agent's answer, or why there is none. */
export type Asked = { latencyMs: number; phases: Phases; answer: Pdu | string }

/** Version 2c. Everybody on the way reads the community, and the value. */
export async function askByCommunity(question: Question, net: Net, signal: AbortSignal): Promise<Asked> {
  const { host, port, objectId, timeoutMs, options } = question
  const requestId = newId()
  const message = communityMessage(options.community ?? usualCommunity, getRequest(requestId, objectId))
  const read = (received: Uint8Array): Pdu | null => {
    const pdu = readCommunityMessage(bytesOf(received))
    return pdu?.tag === pduTags.response && pdu.requestId === requestId ? pdu : null
  }
  const isReply = (received: Uint8Array): boolean => read(received) !== null
  const outcome = await net.udp({ host, port, payload: () => message, isReply, timeoutMs, staysPrivate: true }, signal)
  const { latencyMs, phases } = outcome
  const pdu = outcome.ok ? read(outcome.reply) : null
  return { latencyMs, phases, answer: pdu ?? unansweredText(outcome, 'the community') }
}

/** So large that an answer with the same number comes from a reader of the question. */
export function newId(): number {
  return randomInt(1, 0x7fffffff)
}

export function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** Why there is no answer. Agents do not answer to those who do not know the `key`. */
export function unansweredText(outcome: UdpOutcome, key: string): string {
  if (outcome.ok) return notSnmp
  const { failure, other } = outcome
  if (failure.code !== 'timed_out' || failure.phase !== 'request') return failure.message
  return other === null ? `${failure.message}: agents are silent to those who do not know ${key}` : notSnmp
}

export const notSnmp = 'Not an SNMP agent: it answers otherwise'

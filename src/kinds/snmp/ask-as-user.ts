import type { Phases } from '#core/results/result.ts'
import type { UdpOutcome } from '#net/dial/udp.ts'
import type { Net } from '#net/net.ts'
import { usualUser } from '#kinds/database/sql-options.ts'
import { type Asked, bytesOf, newId, notSnmp, type Question, unansweredText } from './ask-by-community.ts'
import { getRequest, type Pdu, pduTags } from './snmp-message.ts'
import type { SnmpOptions } from './snmp-options.ts'
import {
  type Engine,
  isAuthentic,
  isEncrypted,
  localizedKey,
  noUser,
  readScopedPdu,
  readUserMessage,
  unknownEngine,
  userMessage,
  type UsmUser,
} from './usm.ts'

type Reply = { engine: Engine; isAuthentic: boolean; pdu: Pdu }
type Exchange = { outcome: UdpOutcome; reply: Reply | null }

/**
 * Version 3: asks who the agent is (RFC 3414 4), and then as a user of it. What the agent tells of its clock is proven
 * by the answer to the question itself, whose number only the agent has seen; where the clock was wrong, it is asked again.
 */
export async function askAsUser(question: Question, net: Net, signal: AbortSignal): Promise<Asked> {
  const ask = askingOver(question, net, signal)
  const found = await ask(question.host, { user: noUser, engine: unknownEngine, objectId: null })
  const { outcome, reply } = found
  if (!outcome.ok || reply === null) return told(found, [], unansweredText(outcome, 'version 3'))
  if (reply.engine.id.length < 5 || reply.engine.id.length > 32) return told(found, [], notSnmp)
  const user = userAt(reply.engine, question.options)
  const asked = { user, objectId: question.objectId }
  // The engine is that of this address, and a name may have several.
  const first = await ask(outcome.address, { ...asked, engine: reply.engine })
  const isLate = first.reply?.isAuthentic === true && reportOf(first.reply.pdu) === reports.notInTimeWindows
  const second =
    isLate && first.reply !== null ? await ask(outcome.address, { ...asked, engine: first.reply.engine }) : null
  const last = second ?? first
  const answer = last.reply?.pdu ?? unansweredText(last.outcome, 'the password for encryption')
  return told(found, second === null ? [first] : [first, second], answer)
}

type Wanted = { user: UsmUser; engine: Engine; objectId: Buffer | null }

function askingOver(
  { port, timeoutMs, options }: Question,
  net: Net,
  signal: AbortSignal,
): (host: string, wanted: Wanted) => Promise<Exchange> {
  const staysPrivate = options.priv_password === undefined
  return async (host, { user, engine, objectId }) => {
    const [messageId, requestId] = [newId(), newId()]
    const message = userMessage(messageId, getRequest(requestId, objectId), { user, engine })
    const read = (received: Uint8Array): Reply | null => readReply(bytesOf(received), { messageId, requestId, user })
    const request = {
      host,
      port,
      payload: () => message,
      isReply: (received: Uint8Array) => read(received) !== null,
      timeoutMs,
      // There are at least two exchanges, and each may lose a datagram.
      resendMs: timeoutMs / 4,
      staysPrivate,
    }
    const outcome = await net.udp(request, signal)
    return { outcome, reply: outcome.ok ? read(outcome.reply) : null }
  }
}

/**
 * Null for what is no reply. An answer has to be as safe as its question; a report may be in clear, since an agent has
 * no key of a user whom it does not know.
 */
function readReply(
  received: Buffer,
  { messageId, requestId, user }: { messageId: number; requestId: number; user: UsmUser },
): Reply | null {
  const message = readUserMessage(received)
  const pdu = message?.messageId === messageId ? readScopedPdu(message, user) : null
  if (message === null || pdu === null) return null
  const isProven = isAuthentic(message, user)
  const isSafe = (user.authKey === null || isProven) && (user.privKey === null || isEncrypted(message))
  const isWanted = pdu.tag === pduTags.response ? isSafe && pdu.requestId === requestId : pdu.tag === pduTags.report
  return isWanted ? { engine: message.engine, isAuthentic: isProven, pdu } : null
}

function userAt({ id }: Engine, options: SnmpOptions): UsmUser {
  const {
    username = usualUser,
    auth_protocol: protocol = 'SHA-256',
    auth_password: auth,
    priv_password: priv,
  } = options
  return {
    name: username,
    protocol,
    authKey: auth === undefined ? null : localizedKey(protocol, auth, id),
    privKey: priv === undefined ? null : localizedKey(protocol, priv, id),
  }
}

/** The time to find the agent is `ttfbMs`, and that of the questions `transferMs`. */
function told(found: Exchange, asked: readonly Exchange[], answer: Asked['answer']): Asked {
  const phases: Phases = { ...found.outcome.phases }
  if (asked.length > 0) phases.transferMs = sum(asked.map(({ outcome }) => outcome.phases.ttfbMs ?? 0))
  return { latencyMs: sum([found, ...asked].map(({ outcome }) => outcome.latencyMs)), phases, answer }
}

function sum(times: readonly number[]): number {
  return times.reduce((total, time) => total + time, 0)
}

/** Counters of RFC 3414 5 by which an agent says why it refuses a message. */
export const reports = {
  unsupportedSecLevels: '1.3.6.1.6.3.15.1.1.1.0',
  notInTimeWindows: '1.3.6.1.6.3.15.1.1.2.0',
  unknownUserNames: '1.3.6.1.6.3.15.1.1.3.0',
  unknownEngineIds: '1.3.6.1.6.3.15.1.1.4.0',
  wrongDigests: '1.3.6.1.6.3.15.1.1.5.0',
  decryptionErrors: '1.3.6.1.6.3.15.1.1.6.0',
} as const

/** The counter that a report tells; null for what is no report. */
export function reportOf({ tag, name }: Pdu): string | null {
  return tag === pduTags.report ? name : null
}

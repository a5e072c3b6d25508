import { isUtf8 } from 'node:buffer'
import type { Told } from '#kinds/told.ts'
import type { Peer } from '#net/tcp/talk.ts'
import {
  clientFrame,
  closingPayload,
  opcodes,
  readClosing,
  readExtendedLength,
  readFrameHead,
} from './websocket-frames.ts'

/** A whole message, or the answer to a ping. */
export type Heard = { type: 'message' | 'pong'; payload: Buffer }

const maxFrames = 1000
/** RFC 6455 7.4.1. */
const closingCodes = { normal: 1000, protocolError: 1002, invalidText: 1007, policy: 1008 } as const

/**
 * Reads frames, joins the pieces of messages, and answers pings. `awaited` is the name in texts of what is read. What the
 * server does wrong, and its goodbye, end the talk.
 */
export function createListener(peer: Peer, told: Told): (awaited: string) => Promise<Heard> {
  let frames = 0
  let begun: { isText: boolean; pieces: Buffer[] } | null = null
  return async (awaited) => {
    for (;;) {
      if (++frames > maxFrames)
        throw refusal(peer, closingCodes.policy, `The server sent ${maxFrames} frames where ${awaited} was expected`)
      const { isFinal, opcode, payload } = await takeFrame(peer, awaited)
      if (opcode === opcodes.close) throw goodbye(peer, told, payload)
      if (opcode === opcodes.pong) return { type: 'pong', payload }
      if (opcode === opcodes.ping) {
        peer.send(clientFrame(opcodes.pong, payload))
        continue
      }
      if ((opcode === opcodes.continuation) === (begun === null))
        throw breach(peer, 'a piece of a message out of its order')
      begun ??= { isText: opcode === opcodes.text, pieces: [] }
      begun.pieces.push(payload)
      if (!isFinal) continue
      const whole = Buffer.concat(begun.pieces)
      if (begun.isText && !isUtf8(whole))
        throw refusal(peer, closingCodes.invalidText, 'The server sent a text that is not UTF-8')
      begun = null
      return { type: 'message', payload: whole }
    }
  }
}

/** The client's part of the closing handshake (RFC 6455 7.1.2). */
export function sayGoodbye(peer: Peer): void {
  peer.send(clientFrame(opcodes.close, closingPayload(closingCodes.normal)))
}

async function takeFrame(peer: Peer, awaited: string): Promise<{ isFinal: boolean; opcode: number; payload: Buffer }> {
  const head = readFrameHead(await peer.take(2, awaited))
  if (typeof head === 'string') throw breach(peer, head)
  const { isFinal, opcode, extendedBytes } = head
  const length = extendedBytes === 0 ? head.length : readExtendedLength(await peer.take(extendedBytes, awaited))
  return { isFinal, opcode, payload: await peer.take(length, awaited) }
}

function breach(peer: Peer, what: string): Error {
  return refusal(peer, closingCodes.protocolError, `The server breaks the protocol of WebSocket: it sent ${what}`)
}

function refusal(peer: Peer, code: number, message: string): Error {
  peer.send(clientFrame(opcodes.close, closingPayload(code)))
  return peer.fault(message)
}

function goodbye(peer: Peer, told: Told, payload: Buffer): Error {
  const { code, reason } = readClosing(payload)
  const why =
    code === null ? 'without a code' : reason === '' ? `with code ${code}` : `with code ${code}: ${told.quoted(reason)}`
  return refusal(peer, closingCodes.normal, `The server closed the WebSocket ${why}`)
}

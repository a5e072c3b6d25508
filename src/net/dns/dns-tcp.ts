import { attend, closeGently, openConnection } from '#net/dial/connection.ts'
import type { DnsReply, DnsSilence, Query } from './dns-query.ts'
import { decodeAnswer } from './dns-message.ts'
import { isOwnTrouble, OwnTrouble } from '#net/dial/own-trouble.ts'

/** RFC 1035 4.2.2: a length in two bytes precedes each message, so no message is longer than 65,535 bytes. */
export function askOverTcp(query: Query, timeoutMs: number, signal: AbortSignal): Promise<DnsReply> {
  const { server, bytes, readBuffer } = query
  return new Promise((resolve, reject) => {
    if (signal.aborted || timeoutMs <= 0) return resolve(silent('timed_out'))
    const connection = openConnection({ address: server.address, port: server.port, readBuffer })
    const timer = setTimeout(onTimeout, timeoutMs)
    const feed = createFrameReader()

    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onTimeout)
      closeGently(connection)
    }
    function settle(reply: DnsReply): void {
      end()
      resolve(reply)
    }
    function onTimeout(): void {
      settle(silent('timed_out'))
    }
    signal.addEventListener('abort', onTimeout)
    attend(connection, {
      onConnect: () => void connection.socket.write(framed(bytes)),
      onEnd: () => settle(silent('garbled')),
      onError: (error) => {
        if (!isOwnTrouble(error.code ?? '')) return settle(silent('unreachable'))
        end()
        reject(new OwnTrouble(error.code ?? 'EUNKNOWN', error))
      },
      onData: (piece) => {
        const message = feed(piece)
        if (message === null) return
        const answer = decodeAnswer(message, query.question, query.id)
        settle(typeof answer === 'string' ? silent('garbled') : { ok: true, message: answer })
      },
    })
  })
}

/** Takes the stream in pieces, each valid only during the call, and returns the first message once it is whole. */
export function createFrameReader(): (piece: Uint8Array) => Buffer | null {
  const received = Buffer.alloc(maxFrameBytes)
  let length = 0
  return (piece) => {
    const fitting = piece.subarray(0, maxFrameBytes - length)
    received.set(fitting, length)
    length += fitting.length
    const end = 2 + received.readUInt16BE(0)
    return length < 2 || length < end ? null : received.subarray(2, end)
  }
}

const maxFrameBytes = 2 + 65_535

function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function silent(silence: DnsSilence): DnsReply {
  return { ok: false, silence }
}

import { createSocket, type Socket } from 'node:dgram'
import type { DnsReply, DnsSilence, Query } from './dns-query.ts'
import { decodeAnswer } from './dns-message.ts'
import { isOwnTrouble, OwnTrouble } from '#net/dial/own-trouble.ts'

/** Some servers ignore the size that a question allows; a datagram longer than this is not decoded. */
const maxBytes = 4096
/** Limit of ignored datagrams that answer nothing that was asked. */
const maxForeign = 100

/**
 * Sends a question, again after each of `waitsMs` but the last, and takes the first answer to it. The socket is
 * connected, so that only the server's datagrams arrive and a closed port is reported. Throws OwnTrouble.
 */
export function askOverUdp(query: Query, waitsMs: readonly number[], signal: AbortSignal): Promise<DnsReply> {
  const { server, bytes } = query
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let sent = 0
    let foreign = 0
    const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4')

    function settle(reply: DnsReply): void {
      end()
      resolve(reply)
    }
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.removeAllListeners()
      socket.on('error', () => {})
      closeQuietly(socket)
    }
    function onAbort(): void {
      settle(silent('timed_out'))
    }
    function sendNext(): void {
      const waitMs = waitsMs[sent]
      if (waitMs === undefined || waitMs <= 0) return settle(silent('timed_out'))
      sent++
      socket.send(bytes)
      timer = setTimeout(sendNext, waitMs)
    }
    function onError(error: NodeJS.ErrnoException): void {
      const silence = silenceOf(error.code ?? '', server.address)
      if (silence !== null) return settle(silent(silence))
      end()
      reject(new OwnTrouble(error.code ?? 'EUNKNOWN', error))
    }
    function onMessage(message: Buffer): void {
      const answer = message.length > maxBytes ? 'garbled' : decodeAnswer(message, query.question, query.id)
      if (answer === 'foreign' && ++foreign < maxForeign) return
      settle(typeof answer === 'string' ? silent('garbled') : { ok: true, message: answer })
    }

    if (signal.aborted) return settle(silent('timed_out'))
    signal.addEventListener('abort', onAbort)
    socket.on('error', onError)
    socket.on('message', onMessage)
    socket.once('connect', sendNext)
    socket.connect(server.port, server.address)
  })
}

/**
 * Null for trouble of this machine itself. A machine without IPv6 lacks an address, which counts as a missing route.
 */
function silenceOf(code: string, address: string): DnsSilence | null {
  if (code === 'ECONNREFUSED') return 'refused'
  const lacksFamily = address.includes(':') && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
  return lacksFamily || !isOwnTrouble(code) ? 'unreachable' : null
}

function silent(silence: DnsSilence): DnsReply {
  return { ok: false, silence }
}

/** A socket that failed to open is closed already. */
function closeQuietly(socket: Socket): void {
  try {
    socket.close()
  } catch {}
}

// The least cost of a check's exchange: the same messages over Node's own sockets, and nothing judged.
import { createSocket } from 'node:dgram'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls'
import { nodeHttp } from './clients.ts'

/** One exchange with the server at a port of 127.0.0.1; rejects when it fails. */
export type Reference = { name: string; exchange: (port: number) => Promise<void> }

export function httpReference(requests = 1, scheme: 'http' | 'https' = 'http'): Reference {
  return {
    name: `${requests === 1 ? '' : `${requests} x `}node:${scheme}`,
    exchange: async (port) => {
      for (let count = 0; count < requests; count++) await nodeHttp(`${scheme}://127.0.0.1:${port}/`)
    },
  }
}

/** One POST over a connection of its own; without a body a GET. */
export function http2Reference(path: string, body: Uint8Array | null, scheme: 'http' | 'https' = 'http'): Reference {
  return {
    name: 'node:http2',
    exchange: (port) =>
      new Promise((resolve, reject) => {
        const session = connectHttp2(`${scheme}://127.0.0.1:${port}`)
        session.once('error', reject)
        const stream = session.request({ ':method': body === null ? 'GET' : 'POST', ':path': path, te: 'trailers' })
        stream.once('error', reject)
        stream.resume().once('end', () => {
          session.destroy()
          resolve()
        })
        if (body === null) stream.end()
        else stream.end(body)
      }),
  }
}

/** Connects, says each text when something has come after the one before, and leaves when there is nothing to say. */
export function tcpReference(texts: readonly (string | Uint8Array)[], isAsked = false): Reference {
  return {
    name: 'bare socket',
    exchange: (port) =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port })
        socket.once('error', reject)
        converse(socket, isAsked ? ['', ...texts].slice(1) : texts, { isAsked, done: resolve })
      }),
  }
}

/** The same within TLS; without texts, a handshake alone. */
export function tlsReference(texts: readonly (string | Uint8Array)[] | null, isAsked = false): Reference {
  let secureContext: SecureContext | undefined
  return {
    name: 'bare TLS socket',
    exchange: (port) =>
      new Promise((resolve, reject) => {
        secureContext ??= createSecureContext({})
        const socket = connectTls({ host: '127.0.0.1', port, secureContext })
        socket.once('error', reject)
        if (texts !== null) return converse(socket, texts, { isAsked, done: resolve })
        socket.once('secureConnect', () => {
          socket.destroy()
          resolve()
        })
      }),
  }
}

type Text = string | Uint8Array

/** Texts in clear, of which the last one begins TLS, and more within it. */
export function starttlsReference(
  clear: readonly Text[],
  [first, ...rest]: readonly [Text, ...Text[]],
  { isAsked = false, isUnanswered = false } = {},
): Reference {
  let secureContext: SecureContext | undefined
  return {
    name: 'bare sockets',
    exchange: (port) =>
      new Promise((resolve, reject) => {
        secureContext ??= createSecureContext({})
        const context = secureContext
        const plain = connect({ host: '127.0.0.1', port })
        plain.once('error', reject)
        const upgrade = (): void => {
          const socket = connectTls({ socket: plain, host: '127.0.0.1', secureContext: context })
          socket.once('error', reject)
          socket.once('secureConnect', () => socket.write(first))
          converse(socket, rest, { isAsked: false, done: resolve })
        }
        converse(plain, clear, { isAsked, isUnanswered, done: upgrade, isKept: true })
      }),
  }
}

/** So many datagrams sent and answered, each over a socket of its own. */
export function udpReference(payload: Uint8Array, exchanges = 1): Reference {
  return {
    name: `${exchanges === 1 ? '' : `${exchanges} x `}bare socket`,
    exchange: async (port) => {
      await Promise.all(Array.from({ length: exchanges }, () => sendOnce(payload, port)))
    },
  }
}

function sendOnce(payload: Uint8Array, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4')
    socket.once('error', reject)
    socket.once('message', () => {
      socket.close()
      resolve()
    })
    socket.connect(port, '127.0.0.1', () => socket.send(payload))
  })
}

/** `isUnanswered`: nothing is waited for after the last text. */
type Ending = { isAsked: boolean; done: () => void; isKept?: boolean; isUnanswered?: boolean }

function converse(
  socket: Socket,
  texts: readonly (string | Uint8Array)[],
  { isAsked, done, isKept, isUnanswered }: Ending,
): void {
  const waiting = [...texts]
  const sayNext = (): void => {
    const text = waiting.shift()
    if (text !== undefined) socket.write(text)
    if (text !== undefined && (waiting.length > 0 || isUnanswered !== true)) return
    socket.removeAllListeners('data')
    if (isKept !== true) socket.destroy()
    done()
  }
  if (isAsked) socket.once('connect', sayNext)
  socket.on('data', sayNext)
}

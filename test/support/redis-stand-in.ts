import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type Certificate, chainPem } from './certificates.ts'
import { type RawServer, rawServer } from './raw-server.ts'

export type RedisStandIn = RawServer & {
  /** The commands that clients sent, each with its words. */
  asked: string[][]
}

type Wish = {
  /** The bytes that answer a command; null for none. */
  answer: (words: readonly string[]) => string | null
  /** TLS from the start, with this certificate. */
  certificate?: Certificate
}

/** A server that reads commands of RESP and answers as it is told to. */
export async function redisStandIn({ answer, certificate }: Wish): Promise<RedisStandIn> {
  const asked: string[][] = []
  const secureContext =
    certificate === undefined ? null : createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })
  const server = await rawServer((plain) => {
    const socket: Socket = secureContext === null ? plain : new TLSSocket(plain, { isServer: true, secureContext })
    socket.on('error', () => {})
    let rest = ''
    socket.on('data', (bytes: Buffer) => {
      rest += bytes.toString('utf8')
      for (let read = readCommand(rest); read !== null; read = readCommand(rest)) {
        rest = read.rest
        asked.push(read.words)
        const answered = answer(read.words)
        if (answered !== null) socket.write(answered)
      }
    })
  })
  return { ...server, asked }
}

/** The first command of a text, in which no word holds an end of line; null while it is not whole. */
function readCommand(text: string): { words: string[]; rest: string } | null {
  const lines = text.split('\r\n')
  const count = Number(/^\*(\d+)$/.exec(lines[0] ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(count) || lines.length < 2 * count + 2) return null
  const words = Array.from({ length: count }, (_, index) => lines[2 * index + 2] ?? '')
  return { words, rest: lines.slice(2 * count + 1).join('\r\n') }
}

/** A text as an answer has it. */
export function redisText(text: string): string {
  return `$${Buffer.byteLength(text)}\r\n${text}\r\n`
}

export const goodInfo = [
  '# Server',
  'redis_version:7.0.15',
  'redis_mode:standalone',
  '# Memory',
  'used_memory:2500000',
  '# Replication',
  'role:master',
  '',
].join('\r\n')

/** A server without a password, in which `state` is `ok` and `jobs` has three entries. */
export function goodRedis(words: readonly string[]): string {
  switch (words.join(' ')) {
    case 'PING':
      return '+PONG\r\n'
    case 'INFO':
      return redisText(goodInfo)
    case 'GET state':
      return redisText('ok')
    case 'LLEN jobs':
      return ':3\r\n'
    case 'SELECT 1':
    case 'AUTH secret':
    case 'AUTH ann secret':
      return '+OK\r\n'
    default:
      return words[0] === 'GET' ? '$-1\r\n' : '-ERR unknown command\r\n'
  }
}

import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

export type Sent = {
  method: string
  /** As it goes onto the wire, even where it is no proper address. */
  path: string
  headers: Readonly<Record<string, string | string[]>>
  body: string | Uint8Array | null
}

export type Answer = {
  status: number
  headers: Headers
  text: string
  ms: number
}

/** The connection ended before an answer: the fault of a request that Node's parser refuses, or of the service. */
export type Broken = { broken: string }

const patienceMs = 60_000
/** Some answers, such as a live stream, have no end. */
const longestBytes = 8_000_000

/** A client that sends what no proper client would. */
export function createSend(url: string): (sent: Sent) => Promise<Answer | Broken> {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return ({ method, path, headers, body }) =>
    new Promise((resolve) => {
      const began = performance.now()
      const options = { agent, hostname, port, method, path, timeout: patienceMs }
      try {
        const asked = request({ ...options, headers: { ...headers } }, (incoming) => {
          const pieces: Buffer[] = []
          let length = 0
          incoming.on('data', (piece: Buffer) => {
            pieces.push(piece)
            length += piece.length
            if (length > longestBytes) incoming.destroy()
          })
          incoming.once('error', (error) => resolve({ broken: error.message }))
          incoming.once('end', () => {
            const text = textOf(Buffer.concat(pieces), incoming.headers['content-encoding'])
            const head = new Headers(
              Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
                values.map((value): [string, string] => [name, value]),
              ),
            )
            resolve({ status: incoming.statusCode ?? 0, headers: head, text, ms: performance.now() - began })
          })
        })
        asked.once('timeout', () => asked.destroy(new Error(`no answer within ${patienceMs} ms`)))
        asked.once('error', (error) => resolve({ broken: error.message }))
        if (body !== null) asked.write(body)
        asked.end()
      } catch (error) {
        resolve({ broken: `not sent: ${String(error)}` })
      }
    })
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
}

function textOf(bytes: Buffer, coding: string | undefined): string {
  const decode = decoders[coding ?? '']
  return (decode === undefined ? bytes : decode(bytes)).toString('utf8')
}

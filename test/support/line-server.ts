import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { type Certificate, chainPem } from './certificates.ts'
import { type RawServer, rawServer } from './raw-server.ts'

export type LineServerWish = {
  /** The bytes said at first; null for none. */
  greeting: string | null
  /** The bytes that answer a line; null for none. */
  answer: (line: string) => string | null
  /** Shown from the start with `isTls`, else after the answer to the line that `upgrades`. */
  certificate?: Certificate
  isTls?: boolean
  upgrades?: RegExp
}

export type LineServer = RawServer & {
  /** Every line that clients sent, prefixed with `tls ` when it came within TLS. */
  heard: string[]
}

/** A server of a protocol of lines that says what it is told to, in clear or within TLS. */
export async function lineServer(wish: LineServerWish): Promise<LineServer> {
  const heard: string[] = []
  const { certificate, greeting } = wish
  const secureContext =
    certificate === undefined ? null : createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })

  function talk(socket: Socket, isTls: boolean): void {
    let rest = ''
    const onData = (bytes: Buffer): void => {
      const lines = (rest + bytes.toString('utf8')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    }
    function onLine(line: string): void {
      heard.push(isTls ? `tls ${line}` : line)
      const answer = wish.answer(line)
      if (answer !== null) socket.write(answer)
      if (isTls || secureContext === null || wish.upgrades?.test(line) !== true) return
      socket.removeListener('data', onData)
      talk(secured(socket), true)
    }
    socket.on('data', onData)
  }
  function secured(socket: Socket): Socket {
    const layer = new TLSSocket(socket, { isServer: true, ...(secureContext === null ? {} : { secureContext }) })
    layer.on('error', () => {})
    return layer
  }
  const server = await rawServer((socket) => {
    const isTls = wish.isTls === true
    const layer = isTls ? secured(socket) : socket
    if (greeting !== null) layer.write(greeting)
    talk(layer, isTls)
  })
  return { ...server, heard }
}

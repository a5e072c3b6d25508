import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { ber, type BerElement, berInteger, berTags, readElements, readInteger, readOnly } from '#kinds/ber.ts'
import { ldapMessage, operations } from '#kinds/ldap/ldap-messages.ts'
import { type Certificate, chainPem } from './certificates.ts'
import { type RawServer, rawServer } from './raw-server.ts'

type Wish = {
  /** The operations that answer one of a client's, each in a message of the same number; none: no answer. */
  answer: (operation: BerElement) => readonly Buffer[]
  certificate?: Certificate
  /** TLS from the start; else by StartTLS. */
  isSecured?: boolean
}

export type LdapStandIn = RawServer & { heard: BerElement[] }

/** A server that reads messages of LDAP and answers as it is told to. */
export async function ldapStandIn({ answer, certificate, isSecured = false }: Wish): Promise<LdapStandIn> {
  const heard: BerElement[] = []
  const secureContext =
    certificate === undefined ? null : createSecureContext({ cert: chainPem(certificate), key: certificate.keyPem })

  function secured(socket: Socket): Socket {
    if (secureContext === null) return socket
    const layer = new TLSSocket(socket, { isServer: true, secureContext })
    layer.on('error', () => {})
    return layer
  }

  function talk(socket: Socket): void {
    let rest: Buffer = Buffer.alloc(0)
    const onData = (bytes: Buffer): void => {
      rest = Buffer.concat([rest, bytes])
      // Requests here are shorter than 64 KiB.
      for (let length = lengthOf(rest); length !== null && rest.length >= length; length = lengthOf(rest)) {
        const [id, operation] = readElements(readOnly(rest.subarray(0, length))?.content ?? rest) ?? []
        rest = rest.subarray(length)
        if (operation === undefined) return void socket.destroy()
        heard.push(operation)
        for (const each of answer(operation)) socket.write(ldapMessage(readInteger(id) ?? 0, each))
        if (operation.tag !== operations.extendedRequest || secureContext === null) continue
        socket.removeListener('data', onData)
        return talk(secured(socket))
      }
    }
    socket.on('data', onData)
  }
  const server = await rawServer((socket) => talk(isSecured ? secured(socket) : socket))
  return { ...server, heard }
}

function lengthOf(bytes: Buffer): number | null {
  const first = bytes[1] ?? 0
  if (bytes.length < 4) return null
  if (first < 0x80) return 2 + first
  return first === 0x81 ? 3 + bytes.readUInt8(2) : 4 + bytes.readUInt16BE(2)
}

export function ldapResult(tag: number, code = 0, diagnostic = ''): Buffer {
  return ber(tag, berInteger(code, berTags.enumerated), ber(berTags.octets), ber(berTags.octets, diagnostic))
}

export function ldapEntry(name: string, attributes: Readonly<Record<string, readonly string[]>> = {}): Buffer {
  const lists = Object.entries(attributes).map(([type, values]) =>
    ber(
      berTags.sequence,
      ber(berTags.octets, type),
      ber(berTags.set, ...values.map((value) => ber(berTags.octets, value))),
    ),
  )
  return ber(operations.searchEntry, ber(berTags.octets, name), ber(berTags.sequence, ...lists))
}

/** A directory that lets anybody in, and finds one person. */
export function goodLdap({ tag }: BerElement): readonly Buffer[] {
  switch (tag) {
    case operations.bindRequest:
      return [ldapResult(operations.bindResponse)]
    case operations.extendedRequest:
      return [ldapResult(operations.extendedResponse)]
    case operations.searchRequest:
      return [
        ldapEntry('uid=ann,dc=example,dc=com', { mail: ['ann@example.org', 'ann@example.com'] }),
        ldapResult(operations.searchDone),
      ]
    default:
      return []
  }
}

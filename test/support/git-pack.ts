import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** The first of a pack's bytes: its version and how many objects it says it has. gitformat-pack. */
export function packHead(objects: number): Buffer {
  const head = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1')
  head.writeUInt32BE(objects, 8)
  return head
}

/** The head of a blob that claims 2 GiB: type 3, and the size in steps of seven bits. */
export const hugeBlobHead = Buffer.from([0xb0, 0x80, 0x80, 0x80, 0x40])

/** A zlib stream of random bytes, which do not get smaller, in stored blocks (RFC 1951 3.2.4), without an end. */
export function storedBlock(length = 32_768): Buffer {
  const size = Buffer.alloc(5)
  size.writeUInt16LE(length, 1)
  size.writeUInt16LE(~length & 0xffff, 3)
  return Buffer.concat([size, randomBytes(length)])
}

export const zlibHead = Buffer.from([0x78, 0x01])

/** Answers a fetch of protocol 2 with these bytes as the pack, then with whatever `more` gives, until it gives null. */
export function answerPack(response: ServerResponse, first: Buffer, more: () => Buffer | null): void {
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
  response.write('000dpackfile\n')
  response.write(inSideband(first))
  const next = (): void => {
    if (response.destroyed) return
    const piece = more()
    if (piece === null) return void response.end('0000')
    if (response.write(inSideband(piece))) setImmediate(next)
    else response.once('drain', next)
  }
  next()
}

/** gitprotocol-pack, "Packfile Data": band 1. */
function inSideband(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from((bytes.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), bytes])
}

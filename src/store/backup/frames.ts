// The outside of a backup's file: a line that names the format, a line of JSON, and frames. Each frame has the length of
// its content (4 bytes, whose highest bit marks the last frame), a tag (16) and the content. The tag vouches for the
// content, its place, whether it is the last, and the line of JSON; so each byte of the file is covered, and no frame can
// be left out, repeated or brought from another file. With a passphrase the tag is that of AES-256-GCM, otherwise it is
// the beginning of a SHA-256.
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { StartError } from '#store/database/start-error.ts'
import { type ByteReader, createByteReader } from './byte-reader.ts'
import {
  type FrameKey,
  checkedKey,
  derivedKey,
  type Frame,
  maxCost,
  openFrame,
  sealFrame,
  usualCost,
} from './frame-key.ts'

const firstLine = 'perigee backup\n'
const maxHeaderBytes = 4096
const frameBytes = 1024 * 1024
const lastMark = 0x8000_0000
const lengthBytes = 4
const tagBytes = 16
const saltBytes = 16

const headerSchema = z.object({
  format: z.int(),
  /** No two backups have the same. */
  id: z.string(),
  encryption: z
    .object({
      salt: z.base64(),
      cost: z.object({
        N: z.int().min(2).max(maxCost.N),
        r: z.int().min(1).max(maxCost.r),
        p: z.int().min(1).max(maxCost.p),
      }),
      /** Tells a wrong passphrase from damage. */
      check: z.base64(),
    })
    .nullable(),
})
type Header = z.infer<typeof headerSchema>

const format = 1

/** Null for a backup that is not encrypted. */
export type Passphrase = string | null

/** The bytes of a file with this content. */
export async function* sealFrames(content: AsyncIterable<Buffer>, passphrase: Passphrase): AsyncGenerator<Buffer> {
  const { header, key } = await newHeader(passphrase)
  const line = `${JSON.stringify(header)}\n`
  yield Buffer.from(`${firstLine}${line}`)
  const vouched = digest(line)
  const reader = createByteReader(content)
  let number = 0
  let piece = await reader.take(frameBytes)
  for (;;) {
    const next = piece.length < frameBytes ? null : await reader.take(frameBytes)
    const isLast = next === null || next.length === 0
    yield sealed({ content: piece, number, isLast, vouched }, key)
    if (isLast) return
    piece = next
    number += 1
  }
}

/** The content of a file. Throws StartError where it is damaged, cut off, no backup, or encrypted otherwise. */
export async function* openFrames(file: AsyncIterable<Buffer>, passphrase: Passphrase): AsyncGenerator<Buffer> {
  const reader = createByteReader(file)
  const line = await readHeaderLine(reader)
  const key = await keyOf(parsedHeader(line), passphrase)
  const vouched = digest(line)
  for (let number = 0; ; number += 1) {
    const head = await reader.take(lengthBytes + tagBytes)
    if (head.length < lengthBytes + tagBytes) throw cutOff()
    const marked = head.readUInt32BE()
    const isLast = marked >= lastMark
    const length = isLast ? marked - lastMark : marked
    if (length > frameBytes) throw damaged()
    const content = await reader.take(length)
    if (content.length < length) throw cutOff()
    const opened = openFrame({ content, number, isLast, vouched }, head.subarray(lengthBytes), key)
    if (opened === null) throw damaged()
    yield opened
    if (isLast) break
  }
  if ((await reader.take(1)).length > 0) throw damaged()
}

/** Whether a file that begins like this is a backup, and needs a passphrase; throws StartError where it is none. */
export async function readEncryption(file: AsyncIterable<Buffer>): Promise<{ isEncrypted: boolean }> {
  const header = parsedHeader(await readHeaderLine(createByteReader(file)))
  return { isEncrypted: header.encryption !== null }
}

export function damaged(): StartError {
  return new StartError('The backup is damaged: its checksums do not match. Use another one.')
}

function cutOff(): StartError {
  return new StartError('The backup is cut off: its end is missing. Use another one.')
}

function sealed(frame: Frame, key: FrameKey | null): Buffer {
  const head = Buffer.alloc(lengthBytes)
  head.writeUInt32BE(frame.content.length + (frame.isLast ? lastMark : 0))
  const { tag, content } = sealFrame(frame, key)
  return Buffer.concat([head, tag, content])
}

async function newHeader(passphrase: Passphrase): Promise<{ header: Header; key: FrameKey | null }> {
  const id = randomBytes(saltBytes).toString('base64')
  if (passphrase === null) return { header: { format, id, encryption: null }, key: null }
  const salt = randomBytes(saltBytes)
  const { key, check } = await derivedKey(passphrase, { salt, cost: usualCost })
  const encryption = { salt: salt.toString('base64'), cost: usualCost, check: check.toString('base64') }
  return { header: { format, id, encryption }, key }
}

async function keyOf({ encryption }: Header, passphrase: Passphrase): Promise<FrameKey | null> {
  if (encryption === null) return null
  if (passphrase === null) throw new StartError('The backup is encrypted. Name its passphrase with --passphrase-file.')
  const { salt, cost, check } = encryption
  const key = await checkedKey(passphrase, {
    salt: Buffer.from(salt, 'base64'),
    cost,
    check: Buffer.from(check, 'base64'),
  })
  if (key === null) throw new StartError('The passphrase is not that of the backup.')
  return key
}

async function readHeaderLine(reader: ByteReader): Promise<string> {
  const begin = await reader.take(firstLine.length)
  if (begin.toString('latin1') !== firstLine) throw new StartError('The file is no backup of Perigee.')
  let line = ''
  while (!line.endsWith('\n')) {
    const next = await reader.take(1)
    if (next.length === 0) throw cutOff()
    line += next.toString('latin1')
    if (line.length > maxHeaderBytes) throw damaged()
  }
  return line
}

function parsedHeader(line: string): Header {
  const parsed = headerSchema.safeParse(asJson(line))
  if (!parsed.success) throw damaged()
  if (parsed.data.format !== format)
    throw new StartError('The backup was made by a newer release of Perigee. Restore it with that release.')
  return parsed.data
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

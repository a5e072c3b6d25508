import { ftruncateSync, writeSync } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl'
import { FeedError, type FeedParts } from './feed.ts'
import { fetchFeed } from './feed-http.ts'

export type DumpEntry = { name: string; /** Null where it cannot be unpacked. */ text: Uint8Array | null }

const timeoutMs = 3_600_000
const maxBytes = 8 * 1024 ** 3
/** Bytes of an unpacked record; the longest have about one MiB. */
const maxEntryBytes = 8 * 1024 * 1024

/**
 * Unpacks one by one the JSON files in a feed's zip archive whose names fit. A zip file has its list of contents at the
 * end, so the archive is kept in the system's folder for temporary files, without a name, so that nothing of it is left
 * however the process ends. Throws FeedError.
 */
export async function* readDump(
  parts: FeedParts,
  { path, fits }: { path: string; fits: RegExp },
): AsyncGenerator<DumpEntry> {
  const file = await openNameless()
  try {
    await download(parts, path, file)
    const archive = await asFeedError(fromFdPromise(file.fd, { autoClose: false }), path)
    yield* readEntries({ archive, file, fits, path }, parts.signal)
  } finally {
    await file.close()
  }
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-feed-'))
  try {
    return await open(join(folder, 'dump.zip'), 'w+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function download(parts: FeedParts, path: string, { fd }: FileHandle): Promise<void> {
  const taker = (): ((piece: Uint8Array) => boolean) => {
    ftruncateSync(fd)
    let at = 0
    return (piece) => {
      for (let written = 0; written < piece.length;) written += writeSync(fd, piece, written, undefined, at + written)
      at += piece.length
      return false
    }
  }
  const answer = await fetchFeed(parts, { path, timeoutMs, maxBytes, taker })
  if (answer === 'missing' || answer === 'unchanged') throw new FeedError(`${parts.root}${path} is not there.`)
}

type Reading = { archive: ZipFile; file: FileHandle; fits: RegExp; path: string }

async function* readEntries({ archive, file, fits, path }: Reading, signal: AbortSignal): AsyncGenerator<DumpEntry> {
  const entries = archive.eachEntry()
  for (;;) {
    signal.throwIfAborted()
    const next = await asFeedError(entries.next(), path)
    if (next.done === true) return
    const { fileName: name } = next.value
    if (fits.test(name)) yield { name, text: await unpack(file, next.value) }
  }
}

const headerBytes = 30
/** The extra fields of a local header may differ from those in the list of contents. */
const mostExtraBytes = 1024
const stored = 0
const deflated = 8

/**
 * Unpacks each file at once: there are hundreds of thousands of small ones, and a stream for each would take
 * ten times as long (APPNOTE 4.3.7).
 */
async function unpack(file: FileHandle, entry: Entry): Promise<Uint8Array | null> {
  const { compressionMethod: method, compressedSize, uncompressedSize } = entry
  if (Math.max(compressedSize, uncompressedSize) > maxEntryBytes || entry.isEncrypted()) return null
  if (method !== stored && method !== deflated) return null
  const most = headerBytes + entry.fileNameLength + mostExtraBytes + compressedSize
  const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, entry.relativeOffsetOfLocalHeader)
  const read = buffer.subarray(0, bytesRead)
  try {
    const from = headerBytes + read.readUInt16LE(26) + read.readUInt16LE(28)
    const packed = read.subarray(from, from + compressedSize)
    const content = method === stored ? packed : inflateRawSync(packed, { maxOutputLength: uncompressedSize + 1 })
    return crc32(content) === entry.crc32 ? content : null
  } catch {
    return null
  }
}

async function asFeedError<T>(work: Promise<T>, path: string): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'for no known reason'
    throw new FeedError(`The archive ${path} cannot be read: ${why}.`, { cause })
  }
}

import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import type { Transform } from 'node:stream'
import type { HttpRequest } from './http-request.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'

/** The outcome of a body that has ended, or of which enough was seen. */
export type BodyOutcome = { ok: true; body: Uint8Array; isTruncated: boolean } | { ok: false; failure: NetFailure }

/** Takes the bytes of one body as they come. `done` is called exactly once, unless `discard` comes first. */
export type BodySink = {
  /** Returns false to ask for a pause; `onReady` is called when more may come. The sink copies bytes that it keeps. */
  write: (piece: Buffer) => boolean
  /** Call it when the body is complete; `isCut` says that a limit of wire bytes ended it. */
  end: (isCut: boolean) => void
  /** Drops the body: its outcome is not wanted any more. */
  discard: () => void
}

/** What of a request decides how much of a body is read. */
export type BodyWish = Pick<HttpRequest, 'maxBodyBytes' | 'maxDecodedBytes' | 'isEnough'>

export type SinkCallbacks = { onReady: () => void; done: (outcome: BodyOutcome) => void }

export function createBodySink(
  request: BodyWish,
  headers: Readonly<Record<string, string>>,
  callbacks: SinkCallbacks,
): BodySink {
  const limit = request.maxDecodedBytes ?? request.maxBodyBytes
  if (limit === 0) return drain(callbacks)
  const collector = createCollector(request, headers, limit)
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (coding === 'identity' || coding === '') return readPlain(collector, callbacks)
  return readDecoded(coding, collector, callbacks)
}

const nothing = new Uint8Array(0)

/** For a body whose content is not wanted; only its end matters. */
function drain({ done }: SinkCallbacks): BodySink {
  return {
    write: () => true,
    end: (isCut) => done({ ok: true, body: nothing, isTruncated: isCut }),
    discard: () => {},
  }
}

type Collector = {
  /** True once enough was seen. */
  take: (piece: Buffer) => boolean
  result: (isCut: boolean) => BodyOutcome
}

/** Keeps the first `maxBodyBytes` and shows the first `limit` bytes to `isEnough`. */
function createCollector(
  { maxBodyBytes, isEnough }: BodyWish,
  headers: Readonly<Record<string, string>>,
  limit: number,
): Collector {
  const kept: Buffer[] = []
  let keptBytes = 0
  let seenBytes = 0
  let isTruncated = false
  return {
    take: (piece) => {
      const seen = piece.subarray(0, limit - seenBytes)
      seenBytes += seen.length
      isTruncated = seen.length < piece.length
      const wanted = seen.subarray(0, maxBodyBytes - keptBytes)
      if (wanted.length > 0) kept.push(Buffer.from(wanted))
      keptBytes += wanted.length
      return isEnough?.(seen, headers) === true || isTruncated
    },
    result: (isCut) => ({
      ok: true,
      body: kept.length === 1 ? (kept[0] ?? nothing) : Buffer.concat(kept),
      isTruncated: isTruncated || isCut,
    }),
  }
}

function readPlain(collector: Collector, { done }: SinkCallbacks): BodySink {
  let isDone = false
  function finish(isCut: boolean): void {
    if (isDone) return
    isDone = true
    done(collector.result(isCut))
  }
  return {
    write: (piece) => {
      if (!isDone && collector.take(piece)) finish(false)
      return true
    },
    end: finish,
    discard: () => {
      isDone = true
    },
  }
}

/** The decoder is made at the first byte, because an empty body is no valid stream of any coding. */
function readDecoded(coding: string, collector: Collector, { done, onReady }: SinkCallbacks): BodySink {
  let decoder: Transform | null = null
  let isDone = false
  let isCutShort = false
  function finish(outcome: BodyOutcome): void {
    if (isDone) return
    isDone = true
    decoder?.destroy()
    done(outcome)
  }
  function start(first: Buffer): Transform | null {
    const made = createDecoder(coding, first)
    if (made === null) {
      finish({ ok: false, failure: unknownCoding(coding) })
      return null
    }
    made.on('data', (piece: Buffer) => {
      if (!isDone && collector.take(piece)) finish(collector.result(false))
    })
    made.on('drain', onReady)
    made.once('end', () => finish(collector.result(isCutShort)))
    made.on('error', () => finish(isCutShort ? collector.result(true) : { ok: false, failure: brokenCoding(coding) }))
    return made
  }
  return {
    write: (piece) => {
      decoder ??= isDone ? null : start(piece)
      return decoder === null || isDone || decoder.write(Buffer.from(piece))
    },
    end: (isCut) => {
      isCutShort = isCut
      if (decoder === null) finish(collector.result(isCut))
      else if (!isDone) decoder.end()
    },
    discard: () => {
      isDone = true
      decoder?.destroy()
    },
  }
}

/**
 * "deflate" means the zlib format, but some servers send bare deflate; the first byte tells them apart (RFC 1950 2.2).
 */
function createDecoder(coding: string, first: Buffer): Transform | null {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress()
    default:
      return null
  }
}

function unknownCoding(coding: string): NetFailure {
  const shown = coding.slice(0, 40)
  return {
    phase: 'transfer',
    code: 'unknown_coding',
    message: `The answer is encoded as "${shown}", which was not asked for`,
  }
}

function brokenCoding(coding: string): NetFailure {
  return { phase: 'transfer', code: 'broken_coding', message: `The answer's ${coding} data is damaged or cut short` }
}

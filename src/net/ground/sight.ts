import type { NetFailure } from '#net/dial/net-failure.ts'
import type { PeerCertificate } from '#net/tls/certificate.ts'
import { maxBodyBytes } from '#core/incidents/evidence.ts'

/**
 * What the code that dials saw in the course of one check whose failure is kept; of each thing the last. It refers to
 * what there is anyway, and copies only the beginning of a body.
 */
export type Sight = {
  readonly keepsBodies: boolean
  /** Whether an answer of this status may be a failure: of others no body is copied. */
  readonly mayFail: (status: number) => boolean
  resolved: readonly string[]
  dialled: string[]
  tls: SeenTls | null
  answer: SeenAnswer | null
  failure: NetFailure | null
  page: SeenPage | null
  /** What the check learned that may stand in nothing that is kept. */
  readonly secrets: string[]
}

/** `chain` has the certificates that followed the server's own, where they were looked at. */
export type SeenTls = { protocol: string; cipher: string; chain: readonly PeerCertificate[] }

/** Of a page in a browser; the picture is a JPEG in base64. */
export type SeenPage = { consoleErrors: string[]; failedRequests: string[]; stepsMs: number[]; picture: string | null }

export type SeenAnswer = {
  url: string
  statusLine: string
  headers: Readonly<Record<string, string>>
  /** As they came, without the transfer coding: 16 KB at most. */
  pieces: Buffer[]
  /** False where nothing of the body is kept. */
  hasBody: boolean
  bytes: number
  isCut: boolean
}

export function newSight(keepsBodies: boolean, mayFail: Sight['mayFail'] = () => true): Sight {
  return {
    keepsBodies,
    mayFail,
    resolved: [],
    dialled: [],
    tls: null,
    answer: null,
    failure: null,
    page: null,
    secrets: [],
  }
}

/** Before a check is made again. */
export function clearSight(sight: Sight): void {
  Object.assign(sight, newSight(sight.keepsBodies, sight.mayFail))
}

/** What the exchange before saw of its own way does not stay. */
export function keepLocated(sight: Sight, addresses: readonly string[]): void {
  sight.resolved = addresses
  sight.dialled = []
  sight.failure = null
}

/** The piece is only valid during the call. */
export function keepPiece(answer: SeenAnswer, piece: Buffer): void {
  const kept = piece.subarray(0, maxBodyBytes - answer.bytes)
  if (kept.length < piece.length) answer.isCut = true
  if (kept.length === 0) return
  answer.pieces.push(Buffer.from(kept))
  answer.bytes += kept.length
}

import { maxBodyBytes } from '#core/incidents/evidence.ts'
import type { SeenAnswer } from '#net/ground/sight.ts'
import { createBodySink } from './http-body.ts'

/** The first 16 KB of a body without its content coding; null where they cannot be decoded. */
export function decodeSeenBody({
  pieces,
  headers,
  isCut,
}: SeenAnswer): Promise<{ bytes: Buffer; isCut: boolean } | null> {
  return new Promise((resolve) => {
    const sink = createBodySink({ maxBodyBytes }, headers, {
      onReady: () => {},
      done: (outcome) =>
        resolve(outcome.ok ? { bytes: Buffer.from(outcome.body), isCut: isCut || outcome.isTruncated } : null),
    })
    for (const piece of pieces) sink.write(piece)
    sink.end(isCut)
  })
}

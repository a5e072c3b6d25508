import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { judgeOtlpAnswer, type OtlpOutcome, type OtlpReceiver } from '#core/results/otlp.ts'
import { unanswered } from './unanswered.ts'

const compress = promisify(gzip)

export const answerMs = 10_000
const maxAnswerBytes = 16_384

/** `deadlineMs`: how long it waits for the whole answer, 10 s unless told. */
export type PostOptions = { receiver: OtlpReceiver; now: Date; signal: AbortSignal; deadlineMs?: number }

/** Sends one request of OTLP/HTTP in JSON. Never rejects: what kept it from being taken is its outcome. */
export async function postOtlp(request: unknown, options: PostOptions): Promise<OtlpOutcome> {
  const { receiver, now, signal, deadlineMs = answerMs } = options
  const body = await compress(JSON.stringify(request))
  try {
    const response = await fetch(receiver.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...receiver.headers, 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
    })
    const { status, headers } = response
    return judgeOtlpAnswer({ status, retryAfter: headers.get('retry-after'), body: await startOf(response) }, now)
  } catch (error) {
    return { type: 'again', problem: `It ${unanswered(error)}`, afterMs: null }
  }
}

/** The answer as far as it is read: what it says of failures is short. */
async function startOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    bytes += part.length
    if (bytes >= maxAnswerBytes) break
  }
  return Buffer.concat(parts).subarray(0, maxAnswerBytes).toString()
}

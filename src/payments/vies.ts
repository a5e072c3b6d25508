import { z } from 'zod'
import type { Net } from '#net/net.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

const timeoutMs = 10_000
const maxBytes = 64 * 1024

/** VIES has answered under both names. An answer with neither means that it could not find out. */
const answerSchema = z.union([
  z.object({ valid: z.boolean() }).transform(({ valid }) => valid),
  z.object({ isValid: z.boolean() }).transform(({ isValid }) => isValid),
])

/** Whether a VAT id is registered; null when that could not be found out within 10 s. */
export type Vies = (vatId: string) => Promise<boolean | null>

/** Asks the tax authorities of the EU through the REST interface of VIES at `url`, which has no final slash. */
export function createVies(net: Pick<Net, 'http'>, url: string): Vies {
  return async (vatId) => {
    const asked = { countryCode: vatId.slice(0, 2), vatNumber: vatId.slice(2) }
    const request = {
      url: new URL(`${url}/check-vat-number`),
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(asked),
      maxRedirects: 0,
      headersOnly: false,
      maxBodyBytes: maxBytes,
      maxWireBytes: maxBytes,
      timeoutMs,
    }
    const outcome = await net.http(request, AbortSignal.timeout(timeoutMs)).catch(asNoAnswer)
    if (outcome === null || !outcome.ok || outcome.answer.status !== 200) return null
    return readAnswer(outcome.answer.body)
  }
}

function asNoAnswer(error: unknown): null {
  if (error instanceof OwnTrouble) return null
  throw error
}

function readAnswer(body: Uint8Array): boolean | null {
  try {
    return answerSchema.safeParse(JSON.parse(new TextDecoder().decode(body))).data ?? null
  } catch {
    return null
  }
}

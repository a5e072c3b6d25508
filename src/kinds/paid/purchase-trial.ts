// What a trial of a purchase tells the installation, which decides and signs. Headers travel in the details of a verdict,
// in pieces, because texts there are short.
import { z } from 'zod'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { maxTextLength, type Verdict } from '#core/results/result.ts'
import type { HttpOutcome } from '#net/http/http-request.ts'

/** A longer offer is not bought. */
const maxHeader = 16 * 1024
const piecesSchema = z.array(z.string().max(maxTextLength)).max(Math.ceil(maxHeader / maxTextLength))
const offerSchema = z.object({ payment_required: piecesSchema })
const responseSchema = z.object({ payment_response: piecesSchema })

/** Adds the whole header to what was found. */
export function showOffer(verdict: Verdict, outcome: HttpOutcome): Verdict {
  const header = outcome.ok ? outcome.answer.headers['payment-required'] : undefined
  if (header === undefined || header.length > maxHeader) return verdict
  return { ...verdict, details: { ...verdict.details, payment_required: piecesOf(header) } }
}

/** Null where the trial showed none. */
export function shownOffer({ details }: Verdict): string | null {
  const shown = offerSchema.safeParse(details)
  return shown.success ? shown.data.payment_required.join('') : null
}

/** What became of a payment is told by the answer, its header and nothing else: what it means is for the installation. */
export function judgePayment(outcome: HttpOutcome): Verdict {
  const { phases, latencyMs } = outcome
  if (!outcome.ok) {
    const { failure, status } = outcome
    return { status: 'down', statusCode: status, latencyMs: null, error: failure.message, phases, details: {} }
  }
  const { status, headers } = outcome.answer
  const header = headers['payment-response']
  const isShown = header !== undefined && header.length <= maxHeader
  return {
    status: status >= 200 && status <= 299 ? 'up' : 'down',
    statusCode: status,
    latencyMs,
    error: null,
    phases,
    details: isShown ? { payment_response: piecesOf(header) } : {},
  }
}

const settlementSchema = z.object({
  success: z.boolean(),
  transaction: z.string().max(200).default(''),
  errorReason: z.string().max(200).optional(),
})

/** What the seller said of the settlement in `PAYMENT-RESPONSE` (x402 v2); null where that is missing or no such thing. */
export type Settlement = { isDone: boolean; transaction: string | null; reason: string | null }

export function shownSettlement({ details }: Verdict): Settlement | null {
  const shown = responseSchema.safeParse(details)
  if (!shown.success) return null
  const read = parseBoundedJson(Buffer.from(shown.data.payment_response.join(''), 'base64').toString('utf8'))
  const settled = settlementSchema.safeParse(read.type === 'value' ? read.value : null)
  if (!settled.success) return null
  const { success, transaction, errorReason: reason = null } = settled.data
  return { isDone: success, transaction: transaction === '' ? null : transaction, reason }
}

function piecesOf(header: string): string[] {
  return header.match(new RegExp(`.{1,${maxTextLength}}`, 'gs')) ?? []
}

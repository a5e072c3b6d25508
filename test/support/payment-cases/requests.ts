// Requests that may cost something, as the cases of docs/payments.md play them.
import { z } from 'zod'
import type { Answer } from '../api.ts'
import type { Market, PaidRequest } from '../paying.ts'
import { addPayment } from '../payments.ts'

/** One row of the table: the rule, the request in words, and what plays it. */
export type Case = [rule: string, request: string, play: (api: Market) => Promise<Answer>]

export const site = { name: 'Shop', url: 'https://example.com' }
export const three = ['amsterdam', 'boston', 'chennai']

/** A workspace of the plan, with this credit. */
export async function workspace(
  api: Market,
  plan: string,
  creditCents = 0,
): Promise<{ token: string; workspaceId: string }> {
  const made = await api.addWorkspace(plan)
  if (creditCents > 0) await addPayment(api.database, { workspaceId: made.workspaceId, amountCents: creditCents })
  return made
}

export const create = (token: string | null, input: object = {}, key?: string): PaidRequest => ({
  path: '/monitors',
  body: { ...site, ...input },
  token,
  ...(key === undefined ? {} : { key }),
})
export const renew = (token: string, id: string): PaidRequest => ({ path: `/monitors/${id}/renew`, token })
export const change = (token: string, id: string, input: object): PaidRequest => ({
  method: 'PATCH',
  path: `/monitors/${id}`,
  body: { name: 'Shop', ...input },
  token,
})
export const topUp = (token: string, amountCents: number): PaidRequest => ({
  path: '/credits',
  body: { amount_cents: amountCents },
  token,
})
/** The same request to its quote. */
export const quote = (request: PaidRequest): PaidRequest => ({
  ...request,
  method: 'POST',
  path: `${request.path}/quote`,
})

const made = z.object({ data: z.object({ id: z.uuid() }) })

export function idOf(answer: Answer): string {
  return made.parse(answer.body).data.id
}

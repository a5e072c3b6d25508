import assert from 'node:assert/strict'
import { z } from 'zod'
import { addCredit } from '#store/money/credit.ts'
import { holdAttempt } from '#store/money/payment-attempts.ts'
import type { PaymentOptions } from '../../src/payments/index.ts'
import { settleAttempt } from '../../src/payments/settle.ts'
import { type Answer, type TestApi, type TestApiOptions, testApi } from './api.ts'
import { type Challenge, challengesIn, credentialText, type Receipt, receiptIn } from './payment-client.ts'
import { x402Answer, x402OfferIn } from './x402-client.ts'

/** A test of money begins with these. */
export const sandbox: PaymentOptions = { mode: 'sandbox', cardWireName: 'card' }

export type Market = TestApi & { pass: (ms: number) => void }

/** An API that is paid, with a workspace without slots, whose clock the test moves. */
export async function market(options: TestApiOptions = {}): Promise<Market> {
  let at = Date.UTC(2026, 10, 21, 12)
  const api = await testApi({ payments: sandbox, plan: 'pay_as_you_go', now: () => new Date(at), ...options })
  return {
    ...api,
    pass: (ms) => {
      at += ms
    },
  }
}

/** A request that may have to be paid. `token` null is a caller without an account; the default is the owner. */
export type PaidRequest = {
  method?: 'POST' | 'PATCH'
  path: string
  body?: unknown
  token?: string | null
  key?: string
}

/** Sends it, with a payment credential where one is given: the text after `Payment`, or that of `x402Credential`. */
export function send(api: TestApi, request: PaidRequest, credential?: string): Promise<Answer> {
  const { method = 'POST', path, body, token = api.token, key } = request
  return api.request(method, path, {
    token,
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...(credential === undefined ? {} : paymentHeader(credential)),
    },
  })
}

const x402Mark = 'x402 '

/** The credential that accepts the offer of x402 in a 402. */
export function x402Credential(answer: Answer, payload: unknown, changes: object = {}): string {
  assert.equal(answer.status, 402, answer.text)
  const offer = x402OfferIn(answer) ?? assert.fail('no offer of x402')
  return x402Mark + x402Answer(offer, payload, changes)
}

function paymentHeader(credential: string): Record<string, string> {
  return credential.startsWith(x402Mark)
    ? { 'PAYMENT-SIGNATURE': credential.slice(x402Mark.length) }
    : { Authorization: `Payment ${credential}` }
}

/** The challenge of a 402 for a method. */
export function challengeOf(answer: Answer, method = 'card'): Challenge {
  assert.equal(answer.status, 402, answer.text)
  const challenges = challengesIn(answer.headers.get('www-authenticate'))
  return challenges.find((each) => each.method === method) ?? assert.fail(`no challenge for ${method}`)
}

/** The credential that answers a challenge: the text after `Payment`. */
export function answerTo(challenge: Challenge, spt = 'spt_test_ok'): string {
  return credentialText({ challenge, payload: { spt } })
}

/** Asks, and answers the challenge of the 402; `credential` to send again. */
export async function pay(
  api: TestApi,
  request: PaidRequest,
  spt?: string,
): Promise<{ asked: Answer; paid: Answer; credential: string }> {
  const asked = await send(api, request)
  const credential = answerTo(challengeOf(asked), spt)
  return { asked, paid: await send(api, request, credential), credential }
}

/** The receipt of the payment that an answer confirms; null when the answer has none. */
export function receiptOf({ headers }: Answer): Receipt | null {
  const text = headers.get('payment-receipt')
  return text === null ? null : receiptIn(text)
}

const problem = z.object({ type: z.string(), amount_due: z.string(), message: z.string() })

/** The end of the `type` of a 402. */
export function problemOf(answer: Answer): string {
  assert.equal(answer.status, 402, answer.text)
  return problem.parse(answer.body).type.replace('https://paymentauth.org/problems/', '')
}

const newWorkspace = z.object({ api_key: z.string(), workspace: z.object({ id: z.uuid(), name: z.string() }) })

/** The first key and the workspace that a create without an account shows its payer. */
export function firstKeyOf(answer: Answer): { apiKey: string; workspaceId: string } {
  const { api_key: apiKey, workspace } = newWorkspace.parse(answer.body)
  return { apiKey, workspaceId: workspace.id }
}

export type Ledger = {
  creditCents: number
  /** Newest first: amounts with their reasons. */
  rows: [amountCents: number, reason: string][]
  payments: number
  /** Counts of payment attempts by state. */
  attempts: Record<string, number>
  monitors: number
}

/** The money of a workspace, and whether it adds up. */
export async function ledgerOf({ database }: TestApi, workspaceId: string): Promise<Ledger> {
  const { pool } = database
  const [workspace] = (
    await pool.query<{ credit: number; payments: number; monitors: number }>(
      `select credit_cents::integer as credit,
        (select count(*)::integer from payments where workspace_id = $1) as payments,
        (select count(*)::integer from monitors where workspace_id = $1) as monitors
      from workspaces where id = $1`,
      [workspaceId],
    )
  ).rows
  assert.ok(workspace !== undefined)
  const { rows } = await pool.query<{ amount: number; reason: string }>(
    'select amount_cents::integer as amount, reason from credit_transactions where workspace_id = $1 order by position desc',
    [workspaceId],
  )
  const attempts = await pool.query<{ state: string; count: number }>(
    'select state, count(*)::integer as count from payment_attempts where workspace_id = $1 group by state',
    [workspaceId],
  )
  assert.equal(
    rows.reduce((sum, { amount }) => sum + amount, 0),
    workspace.credit,
  )
  return {
    creditCents: workspace.credit,
    rows: rows.map(({ amount, reason }) => [amount, reason]),
    payments: workspace.payments,
    attempts: Object.fromEntries(attempts.rows.map(({ state, count }) => [state, count])),
    monitors: workspace.monitors,
  }
}

/** Takes all credit, as another request of the workspace would. */
export async function spendAll(api: TestApi, workspaceId: string): Promise<void> {
  const { creditCents } = await ledgerOf(api, workspaceId)
  await api.database.transaction((tx) =>
    addCredit(tx, { workspaceId, amountCents: -creditCents, reason: 'monitor', description: 'Spent', at: new Date() }),
  )
}

/** Finishes what is open, as the sweep does. */
export async function settleAll({ database, services }: TestApi): Promise<void> {
  assert.ok(services.payments !== null)
  const { rows } = await database.pool.query<{ id: string }>(`select id from payment_attempts where state = 'settling'`)
  for (const { id } of rows) {
    const held = await holdAttempt(database, { id, at: services.payments.now() })
    assert.ok(held !== null)
    assert.equal((await settleAttempt(services.payments, held)).state, 'succeeded')
  }
}

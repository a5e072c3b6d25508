import { replayMs } from '#core/money/pricing.ts'
import { z } from 'zod'
import {
  type MonitorInput,
  monitorChangeSchema,
  monitorInputSchema,
  partialChangeSchema,
} from '#core/monitors/monitor.ts'
import { type QuoteRecord, quoteSchema } from '#core/money/payment-required.ts'
import { quoteOf, replayQuote } from '#core/money/quote.ts'
import { readCredit } from '#store/money/credit.ts'
import type { Transaction } from '#store/database/database.ts'
import { findKey } from '#store/database/idempotency.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { isPurposeDone } from '#store/money/payment-attempts.ts'
import { keyReused, keyUseOf } from '#operations/monitors/new-monitor.ts'
import { offerChange, offerCreate, offerRenewal } from '#operations/monitors/monitor-price.ts'
import { judgeChange, judgeCreate } from '#operations/monitors/monitor-judge.ts'
import { mayAllowPrivateTarget } from '#operations/monitors/private-target.ts'
import { findTarget, monitorNotFound } from '#operations/monitors/monitor-surroundings.ts'
import { type Context, type Reply } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { requestHashOf } from './payment-credential.ts'
import { withPaymentMethods } from './quoted-methods.ts'

const tag = 'Monitors'
const oneQuote = z.strictObject({ data: quoteSchema })
const success = {
  status: 200,
  description: 'What it would cost now. Nothing is spent or held.',
  schema: oneQuote,
} as const

const quoteCreate = defineOperation({
  name: 'quote_monitor',
  method: 'POST',
  path: '/monitors/quote',
  scope: 'write',
  subject: 'monitor',
  changesNothing: true,
  tag,
  summary: 'Ask what a new monitor would cost',
  description:
    'Accepts and refuses the same as create. Counts as a write. Without a token it quotes a create ' +
    'without an account; an address has 30 such quotes and creates a minute.',
  body: {
    schema: monitorInputSchema,
    // As in the quote of a change.
    toolSchema: monitorInputSchema.omit({ expected_statuses: true, notes: true, runbook_url: true }),
    isRequired: true,
    schemaName: 'MonitorInput',
  },
  takesIdempotencyKey: true,
  errors: [401, 403, 422],
  success,
  judge: judgeCreate,
  run: async (context, { body: input, idempotencyKey: key }) => {
    const { caller, services, now } = context
    const { workspaceId } = caller
    const buyer = {
      workspaceId,
      isStranger: false,
      services,
      mayAllowPrivateTarget: await mayAllowPrivateTarget(context),
    }
    return answer(context, async (tx) => {
      const replay = key === null ? null : await quoteReplay(tx, services.secrets, { workspaceId, input, key, now })
      if (replay !== null) return replay
      const offer = await offerCreate(tx, buyer, input)
      return quoteOf(offer.price, await readCredit(tx, workspaceId))
    })
  },
  runForStranger: async ({ services, now }, { body: input, idempotencyKey }) => {
    const data = await services.database.transaction(async (tx) => {
      const wish = { operation: 'create_monitor', workspaceId: null, target: null, idempotencyKey, body: input }
      const after = new Date(now.getTime() - replayMs)
      const isDone = idempotencyKey !== null && (await isPurposeDone(tx, { purposeHash: requestHashOf(wish), after }))
      const { price } = await offerCreate(tx, { workspaceId: null, isStranger: true, services }, input)
      return isDone ? replayQuote(price, 0) : quoteOf(price, 0)
    })
    return { status: 200, body: { data: withPaymentMethods(data, services.payments) } }
  },
})

const quoteChange = defineOperation({
  name: 'quote_monitor_change',
  method: 'POST',
  path: '/monitors/{id}/quote',
  scope: 'write',
  subject: 'monitor',
  changesNothing: true,
  tag,
  summary: 'Ask what a change of a monitor would cost',
  description: 'Accepts and refuses the same as update. Without a body, the change is empty and free.',
  body: {
    schema: monitorChangeSchema.optional(),
    // What costs nothing a model need not ask the price of.
    toolSchema: partialChangeSchema.omit({ expected_statuses: true, notes: true, runbook_url: true }).optional(),
    isRequired: false,
    schemaName: 'MonitorChange',
  },
  errors: [401, 403, 404, 422],
  success,
  find: findTarget,
  judge: judgeChange,
  run: async (context, { target, body: change = {} }) => {
    const { caller, services } = context
    const { workspaceId } = caller
    const changer = { workspaceId, services, mayAllowPrivateTarget: await mayAllowPrivateTarget(context) }
    return answer(context, async (tx) => {
      const { price } = await offerChange(tx, { ...changer, monitorId: target.id }, change)
      return quoteOf(price, await readCredit(tx, workspaceId))
    })
  },
})

const quoteRenewal = defineOperation({
  name: 'quote_renewal',
  method: 'POST',
  path: '/monitors/{id}/renew/quote',
  scope: 'write',
  subject: 'monitor',
  changesNothing: true,
  tag,
  summary: 'Ask what another 30 days of a monitor would cost',
  errors: [401, 403, 404, 422],
  success,
  find: findTarget,
  run: (context, { target }) => {
    const { caller, services } = context
    const { workspaceId } = caller
    return answer(context, async (tx) => {
      const { price } = await offerRenewal(tx, { workspaceId, monitorId: target.id, services })
      return quoteOf(price, await readCredit(tx, workspaceId))
    })
  },
})

export const quoteOperations = [quoteCreate, quoteChange, quoteRenewal]

/** Prices by the same functions as a create or a change, which lock what they read and so need a transaction. */
async function answer({ services }: Context, quote: (tx: Transaction) => Promise<QuoteRecord>): Promise<Reply> {
  const data = withPaymentMethods(await services.database.transaction(quote), services.payments)
  return { status: 200, body: { data } }
}

/** Null where the key stands for nothing; refuses one that stands for another request. */
async function quoteReplay(
  tx: Transaction,
  secrets: Secrets,
  { workspaceId, input, key, now }: { workspaceId: string; input: MonitorInput; key: string; now: Date },
): Promise<QuoteRecord | null> {
  const used = await findKey(tx, secrets, keyUseOf({ workspaceId, input, now }, key))
  if (used === null) return null
  if (used.type === 'other_request') throw keyReused()
  const { monitorId, lastState } = used
  const { billing_period: billingPeriod, locations } =
    lastState ?? (await findMonitor(tx, secrets, { workspaceId, monitorId, now })) ?? monitorNotFound()
  return replayQuote({ billingPeriod, locations }, await readCredit(tx, workspaceId))
}

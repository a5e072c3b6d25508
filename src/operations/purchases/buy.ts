// One purchase: the offer is asked for, judged here, reserved, signed and paid, each step only after the one before.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Change } from '#bus/bus.ts'
import { type CanaryToken, tokenFor } from '#core/money/canary.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { AskedTrial, TrialOutcome } from '#core/monitors/trial.ts'
import type { Verdict } from '#core/results/result.ts'
import { chooseSale, formatPayment, type SignedTransfer, type X402Sale } from '#kinds/paid/purchase.ts'
import { paidOptions, type PaidOptions } from '#kinds/paid/paid-options.ts'
import { shownOffer, shownSettlement } from '#kinds/paid/purchase-trial.ts'
import type { Database } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { type DuePurchase, endPurchase, type PurchaseEnd, reservePurchase } from '#store/money/canary-purchases.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'

export type TransferWish = Pick<SignedTransfer, 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce'>

export type BuyingParts = {
  database: Database
  secrets: Secrets
  tokens: readonly CanaryToken[]
  /** Signs with the wallet of the installation, which nothing else holds. */
  sign: (wish: TransferWish, token: CanaryToken) => Promise<SignedTransfer>
  tryCheck: (trial: AskedTrial) => Promise<TrialOutcome>
  announceChange: (change: Change) => void
  now: () => Date
}

/** Clocks of sellers may be behind. */
const earlySeconds = 60
/** A signature that was not used can be used for so long. */
const mostSeconds = 120

type Outcome = Pick<PurchaseEnd, 'state' | 'transaction' | 'note' | 'problem'>

/** To its end, whatever the endpoint does. Rejects where the database does, and then what was reserved counts as spent. */
export async function buy(parts: BuyingParts, due: DuePurchase): Promise<Outcome> {
  const { database, announceChange, now } = parts
  const outcome = await purchase(parts, due)
  const { id, monitorId } = due
  const isNews = await endPurchase(database, { id, monitorId, ...outcome, now: now() })
  if (isNews) announceChange({ monitorId, partition: partitionOf(monitorId) })
  return outcome
}

async function purchase(parts: BuyingParts, due: DuePurchase): Promise<Outcome> {
  const { database, secrets, tokens, now } = parts
  const [configuration] = await readCheckConfigurations(database, secrets, { location: null, ids: [due.monitorId] })
  const options = paidOptions.safeParse(configuration?.options)
  if (configuration === undefined || !options.success) return notBought('The monitor was changed meanwhile.')
  const token = tokenFor(tokens, options.data)
  if (token === null) return notBought('The operator lets no monitor buy with this token.')
  const looked = await ask(parts, { due, configuration, purchase: { type: 'look' } })
  if (looked.type !== 'checked') return notBought(untold[looked.type])
  const sale = saleOf(looked.verdict, options.data, token)
  if (sale === null) return notBought(looked.verdict.error ?? 'No offer agrees with the pins and with the token.')
  const nonce = `0x${randomBytes(32).toString('hex')}`
  const { payee, price } = sale.offer
  if (!(await reservePurchase(database, { id: due.id, token, payee, price, nonce, now: now() })))
    return notBought("The token's limit of the day would be passed.")
  const signature = formatPayment(sale, await parts.sign(wishOf(sale, { nonce, now: now() }), token))
  const paid = await ask(parts, { due, configuration, purchase: { type: 'pay', signature } })
  if (paid.type !== 'checked') return { state: 'unknown', transaction: null, note: untold[paid.type], problem: null }
  return outcomeOf(paid.verdict)
}

/** The prober's word of what was offered is not taken for it. */
function saleOf(verdict: Verdict, options: PaidOptions, token: CanaryToken): X402Sale | null {
  const header = verdict.statusCode === 402 ? shownOffer(verdict) : null
  return header === null ? null : chooseSale(header, options, token)
}

function wishOf({ offer, seconds }: X402Sale, { nonce, now }: { nonce: string; now: Date }): TransferWish {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  return {
    to: offer.payee,
    value: String(offer.price),
    validAfter: String(nowSeconds - earlySeconds),
    validBefore: String(nowSeconds + Math.min(mostSeconds, Math.ceil(seconds))),
    nonce,
  }
}

/** What the answer to a payment means. A seller that was paid and does not deliver is down, whatever it offers. */
function outcomeOf(verdict: Verdict): Outcome {
  const { status, statusCode, error } = verdict
  const settlement = shownSettlement(verdict)
  const transaction = settlement?.transaction ?? null
  if (statusCode === null)
    return unknown(`The purchase got no answer: ${error ?? 'the connection ended'}`, { problem: 'down', transaction })
  if (status === 'up' && settlement?.isDone === true && transaction !== null)
    return { state: 'settled', transaction, note: null, problem: null }
  if (status === 'up')
    return unknown('The purchase was answered without a receipt (PAYMENT-RESPONSE)', {
      problem: 'degraded',
      transaction,
    })
  if (statusCode === 402) {
    const reason = settlement?.reason ?? 'no reason was given'
    return { state: 'refused', transaction, note: `The purchase was refused: ${reason}`, problem: 'down' }
  }
  return unknown(`The purchase was answered with HTTP status ${statusCode}`, { problem: 'down', transaction })
}

function unknown(note: string, of: Pick<Outcome, 'problem' | 'transaction'>): Outcome {
  return { state: 'unknown', note, ...of }
}

function notBought(note: string): Outcome {
  return { state: 'not_bought', transaction: null, note, problem: null }
}

const untold: Readonly<Record<Exclude<TrialOutcome['type'], 'checked'>, string>> = {
  busy: 'Other checks of this kind were still running.',
  offline: 'The location was offline.',
  untold: 'The location itself had a problem.',
  silent: 'The location did not answer in time.',
}

type Asked = { due: DuePurchase; configuration: CheckConfiguration; purchase: CheckConfiguration['purchase'] }

function ask({ tryCheck }: BuyingParts, { due, configuration, purchase: of }: Asked): Promise<TrialOutcome> {
  const { purchaseProblem: _before, ...asked } = configuration
  return tryCheck({
    workspaceId: due.workspaceId,
    location: due.location,
    configuration: { ...asked, monitorId: randomUUID(), purchase: of },
    deadlineMs: configuration.timeoutMs,
  })
}

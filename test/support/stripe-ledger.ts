// The books of the stand-in for Stripe: tokens and what they paid.
import { randomBytes } from 'node:crypto'
import { type Form, textAt } from './stripe-form.ts'

export type GrantedToken = {
  id: string
  /** A test payment method of Stripe's. */
  paymentMethod: string
  currency: string
  maxAmount: number
  expiresAt: Date
  profile: string
  isRevoked: boolean
}

export type Intent = {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  status: string
  livemode: boolean
  description: string | null
  metadata: Record<string, string>
}

export type Answer = { status: number; body: unknown; isReplayed?: boolean }
type StripeError = { type: string; message: string; code?: string; decline_code?: string; payment_intent?: Intent }

export type Ledger = {
  grant: (changes?: Partial<Omit<GrantedToken, 'id'>>) => string
  intents: () => readonly Intent[]
  read: (path: string, query: URLSearchParams) => Answer
  write: (path: string, form: Form) => Answer
  setStatus: (id: string, status: string) => void
  setSearchBehind: (isBehind: boolean) => void
}

const leastCents = 50

export function createLedger({ profile, livemode }: { profile: string; livemode: boolean }): Ledger {
  const tokens = new Map<string, GrantedToken & { isUsed: boolean }>()
  const intents = new Map<string, Intent>()
  let isBehind = false

  return {
    grant: (changes = {}) => {
      const id = newId('spt')
      const expiresAt = new Date(Date.now() + 3_600_000)
      const usual = { paymentMethod: 'pm_card_visa', currency: 'usd', maxAmount: 10_000, profile, isRevoked: false }
      tokens.set(id, { ...usual, expiresAt, ...changes, id, isUsed: false })
      return id
    },
    intents: () => [...intents.values()],
    read: (path, query) => {
      if (path === '/v1/payment_intents/search') return { status: 200, body: search(query.get('query') ?? '') }
      return found(path.slice('/v1/payment_intents/'.length))
    },
    write: (path, form) => {
      const [, id] = /^\/v1\/payment_intents\/([^/]+)\/cancel$/.exec(path) ?? []
      return id === undefined ? charge(form) : cancel(id)
    },
    setStatus: (id, status) => {
      const intent = intents.get(id)
      if (intent === undefined) throw new Error(`There is no ${id}.`)
      intent.status = status
      intent.amount_received = status === 'succeeded' ? intent.amount : 0
    },
    setSearchBehind: (next) => {
      isBehind = next
    },
  }

  function charge(form: Form): Answer {
    const amount = Number(textAt(form, 'amount'))
    const id = textAt(form, 'payment_method_data', 'shared_payment_granted_token') ?? ''
    if (textAt(form, 'confirm') !== 'true')
      return invalid('The stand-in only knows payments that are confirmed at once.')
    if (amount < leastCents) return invalid('Amount must be at least $0.50 usd', 'amount_too_small')
    const token = tokens.get(id)
    const problem = token === undefined ? `No such shared payment token: '${id}'` : tokenProblem(token, form)
    if (token === undefined || problem !== null) return invalid(problem ?? '')
    return confirm(token, form)
  }

  function confirm(token: GrantedToken & { isUsed: boolean }, form: Form): Answer {
    const outcome = outcomes[token.paymentMethod] ?? { status: 'succeeded' }
    const amount = Number(textAt(form, 'amount'))
    const intent: Intent = {
      id: newId('pi'),
      object: 'payment_intent',
      amount,
      amount_received: outcome.status === 'succeeded' ? amount : 0,
      currency: textAt(form, 'currency') ?? '',
      status: outcome.status,
      livemode,
      description: textAt(form, 'description') ?? null,
      metadata: metadataOf(form),
    }
    intents.set(intent.id, intent)
    if (outcome.decline === undefined) {
      token.isUsed = true
      return { status: 200, body: { ...intent } }
    }
    return refusal(402, { type: 'card_error', code: 'card_declined', ...outcome.decline, payment_intent: intent })
  }

  function cancel(id: string): Answer {
    const intent = intents.get(id)
    if (intent === undefined) return missing(id)
    if (['succeeded', 'canceled', 'processing'].includes(intent.status))
      return refusal(400, {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
      })
    intent.status = 'canceled'
    return { status: 200, body: intent }
  }

  function found(id: string): Answer {
    const intent = intents.get(id)
    return intent === undefined ? missing(id) : { status: 200, body: intent }
  }

  function search(query: string): unknown {
    const [, name = '', value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(query) ?? []
    const hits = [...intents.values()].filter(({ metadata }) => metadata[name] === value)
    return { object: 'search_result', data: isBehind ? [] : hits, has_more: false }
  }
}

export function refusal(status: number, error: StripeError): Answer {
  return { status, body: { error } }
}

type Outcome = { status: string; decline?: { message: string; decline_code: string } }

/** The outcomes of Stripe's test payment methods (docs.stripe.com/testing). */
const outcomes: Readonly<Record<string, Outcome>> = {
  pm_card_visa: { status: 'succeeded' },
  pm_card_visa_chargeDeclined: {
    status: 'requires_payment_method',
    decline: { message: 'Your card was declined.', decline_code: 'generic_decline' },
  },
  pm_card_visa_chargeDeclinedInsufficientFunds: {
    status: 'requires_payment_method',
    decline: { message: 'Your card has insufficient funds.', decline_code: 'insufficient_funds' },
  },
  pm_card_authenticationRequired: { status: 'requires_action' },
  /** None of Stripe's: a card whose bank takes its time. */
  pm_card_slow: { status: 'processing' },
}

function tokenProblem(token: GrantedToken & { isUsed: boolean }, form: Form): string | null {
  if (token.isRevoked) return 'The shared payment token was revoked.'
  if (token.isUsed) return 'The shared payment token has already been used.'
  if (token.expiresAt.getTime() <= Date.now()) return 'The shared payment token has expired.'
  if (token.currency !== textAt(form, 'currency')) return 'The currency does not match the shared payment token.'
  if (token.maxAmount < Number(textAt(form, 'amount')))
    return 'The amount exceeds the limit of the shared payment token.'
  return null
}

function metadataOf(form: Form): Record<string, string> {
  const given = form['metadata']
  if (typeof given !== 'object') return {}
  return Object.fromEntries(Object.keys(given).map((name) => [name, textAt(given, name) ?? '']))
}

function invalid(message: string, code = 'parameter_invalid'): Answer {
  return refusal(400, { type: 'invalid_request_error', message, code })
}

function missing(id: string): Answer {
  const message = `No such payment_intent: '${id}'`
  return refusal(404, { type: 'invalid_request_error', message, code: 'resource_missing' })
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

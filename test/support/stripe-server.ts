// A stand-in for Stripe on loopback: what its interface does about shared payment tokens, idempotency keys and trouble.
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { httpServer } from './http-server.ts'
import { type Form, readForm } from './stripe-form.ts'
import { type Answer, createLedger, type GrantedToken, type Intent, refusal } from './stripe-ledger.ts'

/** The trouble that a request meets when it would make a payment, instead of an answer. */
export type Trouble =
  | 'rate-limit'
  | 'server-error'
  | 'server-error-after-charge'
  | 'drop-before-charge'
  | 'drop-after-charge'
  | 'hold-after-charge'

export type StripeRequest = { method: string; path: string; headers: IncomingHttpHeaders; form: Form }

export type StripeServer = {
  url: string
  secretKey: string
  profile: string
  /** A shared payment token that an agent granted: by default of a good card, up to 100 dollars, for an hour. */
  grant: (changes?: Partial<Omit<GrantedToken, 'id'>>) => string
  intents: () => readonly Intent[]
  chargedCents: () => number
  requests: StripeRequest[]
  /** The next requests that would make a payment meet these, one each. */
  meet: (...troubles: Trouble[]) => void
  /** How many answers are held. */
  held: () => number
  release: () => void
  /** Sets the state that the payment has at the bank. */
  setStatus: (id: string, status: string) => void
  /** A day has passed. */
  forgetKeys: () => void
  /** While it is, the search shows no payment. */
  setSearchBehind: (isBehind: boolean) => void
}

type Known = { fingerprint: string; answer: Answer | null }

export async function startStripe(options: { livemode?: boolean } = {}): Promise<StripeServer> {
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`
  const profile = 'profile_test_perigee'
  const ledger = createLedger({ profile, livemode: options.livemode ?? false })
  const keys = new Map<string, Known>()
  const requests: StripeRequest[] = []
  const troubles: Trouble[] = []
  const held: (() => void)[] = []
  const { port } = await httpServer((request, response) => void serve(request, response))
  return {
    url: `http://127.0.0.1:${port}`,
    secretKey,
    profile,
    grant: ledger.grant,
    intents: ledger.intents,
    chargedCents: () =>
      ledger.intents().reduce((sum, { status, amount }) => sum + (status === 'succeeded' ? amount : 0), 0),
    requests,
    meet: (...next) => void troubles.splice(0, troubles.length, ...next),
    held: () => held.length,
    release: () => {
      for (const answer of held.splice(0)) answer()
    },
    setStatus: ledger.setStatus,
    forgetKeys: () => keys.clear(),
    setSearchBehind: ledger.setSearchBehind,
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://stand-in')
    const asked = { method, path, headers, form: readForm(await text(request)) }
    requests.push(asked)
    if (headers.authorization !== `Bearer ${secretKey}`)
      return send(response, refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' }))
    if (method === 'GET') return send(response, ledger.read(path, searchParams))
    const trouble = path === '/v1/payment_intents' ? troubles.shift() : undefined
    if (trouble === 'drop-before-charge') return void request.socket.destroy()
    if (trouble === 'rate-limit')
      return send(response, refusal(429, { type: 'invalid_request_error', message: 'Slow down.', code: 'rate_limit' }))
    return pay(asked, response, trouble)
  }

  function pay(asked: StripeRequest, response: ServerResponse, trouble: Trouble | undefined): void {
    const { known, answer } = keyed(asked, () => (trouble === 'server-error' ? broken : write(asked, trouble)))
    if (trouble === 'drop-after-charge') return void response.socket?.destroy()
    if (trouble !== 'hold-after-charge') return send(response, answer)
    known.answer = null
    held.push(() => {
      known.answer = answer
      send(response, answer)
    })
  }

  function write({ path, form }: StripeRequest, trouble: Trouble | undefined): Answer {
    const answer = ledger.write(path, form)
    return trouble === 'server-error-after-charge' ? broken : answer
  }

  /** The first answer to a key is the answer to it, errors too (docs.stripe.com/api/idempotent_requests). */
  function keyed(asked: StripeRequest, work: () => Answer): { known: Known; answer: Answer } {
    const key = String(asked.headers['idempotency-key'] ?? randomBytes(8).toString('hex'))
    const fingerprint = JSON.stringify([asked.path, asked.form])
    const known = keys.get(key)
    if (known === undefined) {
      const first = { fingerprint, answer: work() }
      keys.set(key, first)
      return { known: first, answer: first.answer }
    }
    if (known.fingerprint !== fingerprint) return { known, answer: otherRequest }
    return { known, answer: known.answer === null ? inProgress : { ...known.answer, isReplayed: true } }
  }
}

const broken = refusal(500, { type: 'api_error', message: 'Something went wrong on our side.' })
const inProgress = refusal(409, { type: 'invalid_request_error', message: 'In progress.', code: 'lock_timeout' })
const otherRequest = refusal(400, { type: 'idempotency_error', message: 'The key belongs to another request.' })

function send(response: ServerResponse, { status, body, isReplayed = false }: Answer): void {
  const headers = {
    'content-type': 'application/json',
    'request-id': `req_${randomBytes(7).toString('hex')}`,
    ...(isReplayed ? { 'idempotent-replayed': 'true' } : {}),
  }
  response.writeHead(status, headers).end(JSON.stringify(body))
}

import { type AccountRecord, api } from './console.ts'
import { ApiError } from './ask.ts'

/** One challenge of a 402 and what it asks for: `request` decoded (docs/payments.md). */
export type Offer = {
  challenge: Readonly<Record<string, string>>
  request: Readonly<Record<string, unknown>>
}

export type Paid =
  | { type: 'paid'; account: AccountRecord }
  /** Nothing was charged. */
  | { type: 'refused'; message: string }
  /** It is unknown whether it was charged. The same credential tells, and charges nothing twice. */
  | { type: 'unknown'; retryAfterMs: number }

export type Paying = { credential: string; onWait: (tries: number) => void }

export type TopUpApi = {
  /** The offers of the service for credit; refuses amounts that it does not sell. */
  askOffers: (amountCents: number) => Promise<Offer[]>
  /** Asks again while the outcome is unknown, a few times; `onWait` is told how often it was asked. */
  payUntilKnown: (amountCents: number, paying: Paying) => Promise<Paid>
}

/** The service waits 30 s for a processor. */
const deadlineMs = 45_000
const usualPauseMs = 3000
const longestPauseMs = 15_000
const maxTries = 3

/** Buying credit in one workspace: asked once, then answered with one credential however often that has to be sent. */
export function topUpApi(workspaceId: string): TopUpApi {
  const { paid } = api(workspaceId)
  const send = (amountCents: number, credential: string | null): Promise<AccountRecord> =>
    paid('/credits', { body: { amount_cents: amountCents }, credential, deadlineMs })
  const pay = async (amountCents: number, credential: string): Promise<Paid> => {
    try {
      return { type: 'paid', account: await send(amountCents, credential) }
    } catch (error) {
      return outcomeOf(error)
    }
  }
  return {
    askOffers: async (amountCents) => {
      const error = await send(amountCents, null).then(
        () => null,
        (thrown: unknown) => thrown,
      )
      if (error instanceof ApiError && error.status === 402) return offersOf(error)
      throw error ?? new Error('Credit was given for nothing.')
    },
    payUntilKnown: async (amountCents, { credential, onWait }) => {
      for (let tries = 1; ; tries += 1) {
        const outcome = await pay(amountCents, credential)
        if (outcome.type !== 'unknown' || tries === maxTries) return outcome
        onWait(tries)
        await pause(outcome.retryAfterMs)
      }
    },
  }
}

/** The answer to a challenge: the challenge as it came, and what its method asks for. */
export function credentialOf({ challenge }: Offer, payload: Readonly<Record<string, string>>): string {
  return btoa(JSON.stringify({ challenge, payload }))
}

/** Other refusals, such as of a workspace that one is in no longer, stay thrown. */
function outcomeOf(error: unknown): Paid {
  if (!(error instanceof ApiError)) throw error
  const { status, code, message, headers } = error
  if (status === 402) return { type: 'refused', message }
  const isOpen = status === 0 || status === 429 || (status >= 500 && code !== 'payments_disabled')
  if (!isOpen) throw error
  const asked = Number(headers.get('retry-after')) * 1000
  return { type: 'unknown', retryAfterMs: Math.min(longestPauseMs, asked > 0 ? asked : usualPauseMs) }
}

/** `Payment name="value", name="value", …, Payment …`: a scheme begins each challenge (RFC 9110 11.6.1). */
function offersOf({ headers }: ApiError): Offer[] {
  const texts = (headers.get('www-authenticate') ?? '').split(/(?:^|,\s*)Payment (?=\w+=)/)
  return texts.flatMap((text) => {
    const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
    if (pairs.length === 0) return []
    const challenge = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unquoted(value)]))
    return [{ challenge, request: decode(challenge['request'] ?? '') }]
  })
}

function unquoted(value: string): string {
  return value.replaceAll(/\\(.)/g, '$1')
}

/** Reads JSON in base64url. */
function decode(text: string): Record<string, unknown> {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

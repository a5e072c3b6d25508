import type { Json } from '#store/database/schema.ts'

/** The `request` of a challenge: what a payer is asked for, in the words of its method (draft-httpauth-payment-00). */
export type ChargeRequest = Readonly<Record<string, unknown>>

/** The amount due and what for. `externalId` names the one request that the money is good for. */
export type Order = { amountCents: number; externalId: string; description: string }

export type Challenge = {
  id: string
  realm: string
  method: string
  intent: string
  request: ChargeRequest
  /** `request` as it was sent; the id is bound to this text. */
  requestText: string
  /** RFC 3339. */
  expires: string
  opaque?: string
}

/** The answer to a challenge of ours. `payload` is not trusted until a method has verified it. */
export type Credential = { challenge: Challenge; payload: unknown; source?: string }

export type Verified =
  | {
      ok: true
      /** What the answered challenge asked for and `settle` will bring; the caller compares it with what is due now. */
      amountCents: number
      /** SHA-256 of a proof that is good for one payment only; null where the proof may be used again. */
      proofHash: Buffer | null
      /** What `settle` needs of the credential; stored sealed. */
      payload: Json
    }
  | { ok: false; problem: 'invalid-payload' | 'verification-failed'; message: string }

/** One try to be paid, as it was committed before the processor is asked. */
export type Attempt = {
  id: string
  /** The verified amount, which will be credited. */
  amountCents: number
  externalId: string
  description: string
  payload: Json
  /** The notes that `keep` committed last; an empty object before. */
  notes: Json
  request: ChargeRequest
  challengeId: string
}

export type Settlement =
  | { type: 'settled'; reference: string; livemode: boolean }
  /** Nothing was and nothing will be charged for this attempt. `reason` is written for the payer. */
  | { type: 'declined'; reason: string }
  /** Perhaps charged: the same attempt is to be settled again. `reason` is for the log. */
  | { type: 'unknown'; reason: string }

/** What a payer may send to a method that charges nothing. `outcome` is a sentence. */
export type TrialPayload = { payload: Readonly<Record<string, string>>; outcome: string }

/** A way to be paid. What it asks for is decided by `offer`, so a credential is judged by the offer it answers. */
export type PaymentMethod = {
  /** As `Payment.method` shows it. */
  name: 'card' | 'chain'
  /** What the method is called in challenges and credentials; lower-case letters. */
  wireName: string
  /** Of a method that charges nothing: with what to pay. */
  trial?: readonly TrialPayload[]
  /** Null where the method cannot take so little or so much. `amountCents` is what will be credited. */
  offer: (order: Order) => { amountCents: number; request: ChargeRequest } | null
  /** Looks at the credential alone: no money moves, no processor is asked. Throws nothing. */
  verify: (credential: Credential, order: Order) => Promise<Verified>
  /**
   * Charges once, however often it is called with the same attempt, and answers within 20 s. `keep` commits notes
   * before anything irrevocable is done; where it fails, the outcome is unknown. Throws nothing.
   */
  settle: (attempt: Attempt, keep: (notes: Json) => Promise<void>) => Promise<Settlement>
}

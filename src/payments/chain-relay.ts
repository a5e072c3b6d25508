import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Authorization, type Hex, type KeptAuthorization, keptAuthorizationSchema } from './chain-authorization.ts'
import type { Block, Chain, Signed, Terms, Use } from './chain-client.ts'
import { createNonces } from './chain-nonces.ts'
import { inTime } from './in-time.ts'
import type { Attempt, PaymentMethod, Settlement } from './method.ts'
import type { Json } from '#store/database/schema.ts'

export type RelayOptions = { confirmations: number; isTestnet: boolean }

const deadlineMs = 19_000
const lookEveryMs = 500
/** A payer may have submitted the authorization before us: five minutes, the life of a challenge, of fast blocks. */
const blocksBefore = 1_500n
/** A transaction that waits longer is replaced by one with a higher fee. */
const stuckMs = 45_000
const maxTransactions = 5

const hexSchema = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'))
const bigSchema = z.string().regex(/^\d+$/)
const notesSchema = z.object({
  /** Where the search for the transfer begins. */
  fromBlock: bigSchema,
  transactions: z.array(
    z.object({
      raw: hexSchema,
      hash: hexSchema,
      nonce: z.int(),
      gas: bigSchema,
      maxFeePerGas: bigSchema,
      maxPriorityFeePerGas: bigSchema,
      sentAt: z.iso.datetime(),
    }),
  ),
})
type Notes = z.infer<typeof notesSchema>
type Noted = Notes['transactions'][number]
type Keep = (notes: Json) => Promise<void>

/** One authorization, and what was done about it. */
type Work = { chain: Chain; authorization: Authorization; notes: Notes; keep: Keep; signal: AbortSignal }

/**
 * Submits authorizations. The token lets each be used once, however often and by whichever account it is submitted, so
 * only the token says whether it was paid. A transaction is noted before it is sent, so that it can be sent again.
 */
export function createRelay(
  options: RelayOptions,
  connect: () => Promise<Chain>,
  now: () => Date,
): PaymentMethod['settle'] {
  let connected: Promise<Chain> | null = null
  let turn: Promise<unknown> = Promise.resolve()
  const nextNonce = createNonces(now)
  return (attempt, keep) => {
    const late: Settlement = { type: 'unknown', reason: `the chain did not settle it within ${deadlineMs} ms` }
    return inTime(deadlineMs, late, (signal) => settle(attempt, keep, signal))
  }

  async function settle(attempt: Attempt, keep: Keep, signal: AbortSignal): Promise<Settlement> {
    try {
      const chain = await connection()
      const authorization = keptAuthorizationSchema.parse(attempt.payload)
      const notes = await notesOf({ attempt, chain, authorization, keep })
      if (notes === 'spent before') return spentBefore
      return await pursue({ chain, authorization, notes, keep, signal })
    } catch (error) {
      return { type: 'unknown', reason: wordsOf(error) }
    }
  }

  async function pursue(work: Work): Promise<Settlement> {
    for (let isFirst = true; ; isFirst = false) {
      const seen = await look(work, options)
      if (seen.type !== 'open') return seen
      const done = seen.isToSend ? await inTurn(() => submit(work, { isFirst, now: now(), nextNonce })) : null
      if (done !== null) return done
      await pause(lookEveryMs, undefined, { signal: work.signal })
    }
  }

  /** One at a time, so that no two transactions of this process take the same nonce. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work)
    turn = next.catch(() => undefined)
    return next
  }

  function connection(): Promise<Chain> {
    connected ??= connect().catch((error: unknown) => {
      connected = null
      throw error
    })
    return connected
  }
}

const spentBefore: Settlement = {
  type: 'declined',
  reason: 'The authorization was used before it was sent here, so it pays for something else.',
}

type First = { attempt: Attempt; chain: Chain; authorization: KeptAuthorization; keep: Keep }

/**
 * A transfer that was made before this attempt counts only where the nonce says what it was made for; a chosen nonce
 * may have paid another service of the same recipient.
 */
async function notesOf({ attempt, chain, authorization, keep }: First): Promise<Notes | 'spent before'> {
  const known = notesSchema.safeParse(attempt.notes)
  if (known.success) return known.data
  const { number } = await chain.head()
  const isChosen = authorization.isNonceChosen === true
  if (isChosen && (await chain.isUsed(authorization))) return 'spent before'
  const blocks = isChosen ? 0n : blocksBefore
  const first = { fromBlock: String(number > blocks ? number - blocks : 0n), transactions: [] }
  await keep(first)
  return first
}

type Seen = Settlement | { type: 'open'; isToSend: boolean }

const waiting: Seen = { type: 'open', isToSend: false }

async function look(work: Work, { confirmations, isTestnet }: RelayOptions): Promise<Seen> {
  const { chain, authorization } = work
  const head = await chain.head()
  /** The newest block that counts. */
  const settledNumber = head.number - BigInt(confirmations - 1)
  if (await chain.isUsed(authorization)) {
    const use = await findUse(work, head)
    if (use === null || use.blockNumber > settledNumber) return waiting
    switch (use.end) {
      case 'transferred':
        return { type: 'settled', reference: use.reference, livemode: !isTestnet }
      case 'spent elsewhere':
        return { type: 'declined', reason: 'The payer used the nonce of the authorization for another transfer.' }
      case 'cancelled':
        return { type: 'declined', reason: 'The payer cancelled the authorization.' }
    }
  }
  if (settledNumber >= 0n && (await chain.timestampOf(settledNumber)) >= BigInt(authorization.validBefore))
    return { type: 'declined', reason: 'The authorization ended before the transfer was made.' }
  const failure = await findFailure(work)
  if (failure !== null && failure <= settledNumber)
    return { type: 'declined', reason: 'The token refused the transfer when it was made.' }
  return { type: 'open', isToSend: failure === null && head.timestamp < BigInt(authorization.validBefore) }
}

type FoundUse = Pick<Use, 'blockNumber' | 'end'> & { reference: string }

/**
 * The transaction need not be ours: any account that saw the authorization may have submitted it, together with others.
 */
async function findUse({ chain, authorization, notes }: Work, head: Block): Promise<FoundUse | null> {
  for (const { hash } of notes.transactions) {
    const receipt = await chain.receipt(hash)
    if (receipt?.isDone === true) return { reference: hash, blockNumber: receipt.blockNumber, end: 'transferred' }
  }
  const use = await chain.findUse(authorization, { fromBlock: BigInt(notes.fromBlock), toBlock: head.number })
  return use === null ? null : { ...use, reference: `${use.hash}:${use.logIndex}` }
}

/** The block in which one of our transactions was refused. */
async function findFailure({ chain, notes }: Work): Promise<bigint | null> {
  for (const { hash } of notes.transactions) {
    const receipt = await chain.receipt(hash)
    if (receipt?.isDone === false) return receipt.blockNumber
  }
  return null
}

type Submission = { isFirst: boolean; now: Date; nextNonce: (chain: Chain) => Promise<number> }

/** Sends the transfer where it is not on its way. Only what was never sent can be declined here. */
async function submit(work: Work, { isFirst, now, nextNonce }: Submission): Promise<Settlement | null> {
  const { chain, notes, signal } = work
  if (signal.aborted) return null
  const newest = notes.transactions.at(-1)
  const state = newest === undefined ? 'lost' : await stateOf(newest, chain, now)
  if (newest !== undefined && (state === 'on its way' || notes.transactions.length >= maxTransactions)) {
    if (isFirst) await chain.send(newest.raw)
    return null
  }
  const terms = newest !== undefined && state === 'stuck' ? await dearer(newest, chain) : await termsOf(work, nextNonce)
  if ('refusal' in terms) {
    if (newest !== undefined || (await isUsedByOther(work, terms.refusal))) return null
    return { type: 'declined', reason: `The token refuses the transfer: ${terms.refusal}.` }
  }
  const signed = await chain.sign(work.authorization, terms)
  if (signal.aborted) return null
  notes.transactions.push(notedOf(signed, now))
  await work.keep(notes)
  await chain.send(signed.raw)
  return null
}

/** A transaction is lost when another one of the relayer took its nonce. */
async function stateOf({ nonce, sentAt }: Noted, chain: Chain, now: Date): Promise<'on its way' | 'stuck' | 'lost'> {
  if ((await chain.relayerNonce('latest')) > nonce) return 'lost'
  return now.getTime() - Date.parse(sentAt) < stuckMs ? 'on its way' : 'stuck'
}

/** The words of the common tokens for an authorization that another account has submitted, mined or still waiting. */
async function isUsedByOther({ chain, authorization }: Work, refusal: string): Promise<boolean> {
  return /used|cancell?ed/i.test(refusal) || chain.isUsed(authorization)
}

async function termsOf(
  { chain, authorization }: Work,
  nextNonce: Submission['nextNonce'],
): Promise<Terms | { refusal: string }> {
  const tried = await chain.tryTransfer(authorization)
  if ('refusal' in tried) return tried
  return { ...(await chain.fees()), gas: tried.gas, nonce: await nextNonce(chain) }
}

/** Replaces a transaction by one with the same nonce. */
async function dearer({ nonce, gas, ...paid }: Noted, chain: Chain): Promise<Terms> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await chain.fees()
  return {
    nonce,
    gas: BigInt(gas),
    maxFeePerGas: higher(maxFeePerGas, raised(BigInt(paid.maxFeePerGas))),
    maxPriorityFeePerGas: higher(maxPriorityFeePerGas, raised(BigInt(paid.maxPriorityFeePerGas))),
  }
}

function higher(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

/** Raises a fee by a quarter; nodes accept a replacement from an eighth on. */
function raised(fee: bigint): bigint {
  return (fee * 5n) / 4n + 1n
}

function notedOf({ raw, hash, nonce, gas, maxFeePerGas, maxPriorityFeePerGas }: Signed, now: Date): Noted {
  const fees = { maxFeePerGas: String(maxFeePerGas), maxPriorityFeePerGas: String(maxPriorityFeePerGas) }
  return { raw, hash, nonce, gas: String(gas), ...fees, sentAt: now.toISOString() }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

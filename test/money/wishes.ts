// Payers repeat a request with the same credential until they have an answer, because an answer can be lost.
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Answer } from '../support/api.ts'
import {
  type PaidRequest,
  answerTo,
  challengeOf,
  problemOf,
  receiptOf,
  send,
  x402Credential,
} from '../support/paying.ts'
import { x402SettlementIn } from '../support/x402-client.ts'
import type { Behaviour } from './bank.ts'
import { sumsOf } from './books.ts'
import type { World } from './world.ts'

export type WishKind = 'create' | 'change' | 'renew' | 'top_up'

export type Wish = {
  kind: WishKind
  request: PaidRequest
  /** By x402 the chain is paid. */
  method: 'card' | 'chain' | 'x402'
  behaviour: Behaviour
  /**
   * The credentials that the payer sends next, all at once: answers to several challenges, one of which may be charged.
   */
  credentials: string[]
  /** The tokens by which all credentials of the wish would be charged; at most one of them may be. */
  tokens: Set<string>
  askedAt: Date
  /** The monitor that the first answer made or changed, if it named one; null before the first answer. */
  answered: { monitorId: string | null } | null
  /** There is nothing more to ask for: of a create without an account, once there is a key, which its payer alone gets. */
  isDone: boolean
  /** The credential that was charged. */
  receipt: string | null
  /** The wish can no longer be fulfilled, because its monitor or workspace is gone. */
  isOver: boolean
}

/** A monitor as its payer knows it. */
export type Known = { id: string; name: string; token: string | null; workspaceId: string | null }

export type Payer = { wishes: Wish[]; monitors: Known[] }

const hour = 3_600_000
/** Keys and credentials are good for a day. */
const rememberedMs = 23 * hour

/** Whether nothing but the challenge that is answered tells who asks from others who ask for the same. */
export function isNameless({ token, key }: PaidRequest): boolean {
  return token === null && key === undefined
}

export function isRepeatable({ isOver, askedAt }: Wish, now: Date): boolean {
  return !isOver && now.getTime() - askedAt.getTime() < rememberedMs
}

/** Asks, with each credential as often at once as told, and takes from the answers what comes next. */
export async function step(
  world: World,
  payer: Payer,
  { wish, copies }: { wish: Wish; copies: number },
): Promise<void> {
  const sent =
    wish.credentials.length === 0
      ? [null]
      : wish.credentials.flatMap((one) => Array.from({ length: copies }, () => one))
  const answers = await Promise.all(
    sent.map(async (credential) => {
      try {
        return { credential, answer: await send(world.api, wish.request, credential ?? undefined) }
      } catch (error) {
        if (world.isDead()) return null
        throw error
      }
    }),
  )
  for (const one of answers) if (one !== null) learn(world, payer, { wish, ...one })
}

/** One more challenge for the same wish, as of a payer who asks twice. */
export async function askAgain(world: World, payer: Payer, wish: Wish): Promise<void> {
  const answer = await send(world.api, wish.request)
  learn(world, payer, { wish, credential: null, answer })
}

/** Repeats what is done, with what was charged for it: the same answer, and nothing more is spent. */
export async function repeat(world: World, payer: Payer, wish: Wish): Promise<void> {
  if (!wish.isDone || (wish.receipt === null && wish.kind !== 'create')) return
  const before = [await sumsOf(world.database), world.bank.charges().length]
  const answer = await send(world.api, wish.request, wish.receipt ?? undefined)
  if (answer.status === 404 || answer.status === 401) return
  assert.equal(answer.status, 200, `${wish.kind}: ${answer.text}`)
  learn(world, payer, { wish, credential: wish.receipt, answer })
  await assertNamed(world, wish)
  assert.deepEqual([await sumsOf(world.database), world.bank.charges().length], before, 'a repeat changes nothing')
  const { api_key: token } = createdSchema.parse(answer.body)
  if (token === undefined) return
  const opened = await world.api.get('/account', { token })
  assert.equal(opened.status, 200, 'the newest key opens the workspace')
}

/** Without an account the key says that it is the same wish, whichever challenge is answered; it opens nothing. */
async function assertNamed(world: World, { request, answered, method }: Wish): Promise<void> {
  if (request.token !== null || request.key === undefined) return
  const asked = await send(world.api, request)
  const answer = await send(world.api, request, credentialFor(asked, method, world.bank.grant('good')))
  assert.equal(answer.status, 200, answer.text)
  const { data, ...more } = madeSchema.loose().parse(answer.body)
  assert.deepEqual([data.id, more], [answered?.monitorId, {}])
}

function credentialFor(asked: Answer, method: Wish['method'], token: string): string {
  return method === 'x402' ? x402Credential(asked, { spt: token }) : answerTo(challengeOf(asked, method), token)
}

const madeSchema = z.object({ data: z.object({ id: z.uuid() }) })
const createdSchema = z.object({ api_key: z.string().optional(), workspace: z.object({ id: z.uuid() }).optional() })
const errorSchema = z.object({ error: z.string() })

type Told = { wish: Wish; credential: string | null; answer: Answer }

function learn(world: World, payer: Payer, told: Told): void {
  const { wish, answer } = told
  const { status, text } = answer
  if (status === 200 || status === 201) return note(payer, told)
  if (status === 402) return pay(world, told)
  const isGone = status === 404 || status === 401 || (status === 422 && isNotRenewable(answer))
  if (isGone) wish.isOver = true
  else assert.ok(status === 503 || (status === 500 && world.isDead()), `${wish.kind}: ${status} ${text}`)
}

function isNotRenewable({ body }: Answer): boolean {
  return errorSchema.parse(body).error === 'not_renewable'
}

function note(payer: Payer, { wish, credential, answer }: Told): void {
  const monitorId = wish.kind === 'top_up' ? null : madeSchema.parse(answer.body).data.id
  if (wish.answered === null) wish.answered = { monitorId }
  else assert.equal(monitorId, wish.answered.monitorId, 'a repeat answers with the same')
  if (receiptOf(answer) !== null || x402SettlementIn(answer)?.success === true) wish.receipt ??= credential
  wish.isDone = wish.receipt !== null || wish.request.token !== null
  if (wish.kind !== 'create' || monitorId === null) return
  const { api_key: shown, workspace } = createdSchema.parse(answer.body)
  const token = shown ?? wish.request.token ?? null
  const known = payer.monitors.find(({ id }) => id === monitorId)
  const { name } = z.object({ name: z.string() }).parse(wish.request.body)
  if (known === undefined) payer.monitors.push({ id: monitorId, name, token, workspaceId: workspace?.id ?? null })
  else if (token !== null) known.token = token
}

/** Answers the new challenge in place of the one that was refused. What fulfilled the wish is never refused. */
function pay({ bank }: World, { wish, credential, answer }: Told): void {
  if (wish.receipt !== null && wish.receipt === credential)
    assert.equal(problemOf(answer), 'payment-insufficient', `${wish.kind}: ${answer.text}`)
  const token = bank.grant(wish.behaviour)
  wish.tokens.add(token)
  const next = credentialFor(answer, wish.method, token)
  // Copies are refused each with a challenge of its own.
  if (credential !== null && !wish.credentials.includes(credential)) return
  wish.credentials = [...wish.credentials.filter((one) => one !== credential), next]
}

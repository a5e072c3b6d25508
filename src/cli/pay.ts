import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { StartError } from '#store/database/start-error.ts'
import { type Offer, readOffers } from '#core/money/challenge-header.ts'
import { costOf, describeOffer, dollars, pay } from '#payments/wallet.ts'
import { asksForHelp } from './arguments.ts'
import { payUsage, type PayOrder, readPayOrder } from './pay-arguments.ts'
import type { Terminal } from './terminal.ts'

/** A service waits 30 s for a payment processor. */
const answerMs = 45_000
const maxAnswerBytes = 1024 * 1024
/** The same payment is sent so often; it is taken once. */
const maxTries = 6
const usualPauseSeconds = 3
const longestPauseSeconds = 30

const createdSchema = z.object({
  data: z.looseObject({ id: z.string(), name: z.string() }),
  api_key: z.string().optional(),
  workspace: z.object({ id: z.string(), name: z.string() }).optional(),
})
const toppedUpSchema = z.object({ data: z.object({ credit_cents: z.int() }) })
const problemSchema = z.object({ message: z.string().optional(), amount_due: z.string().optional() })
const receiptSchema = z.object({ method: z.string(), reference: z.string() })

type Answer = { status: number; headers: Headers; body: unknown }

/** `perigee pay`: see its usage. */
export async function runPay(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(payUsage)
    return 0
  }
  const order = readPayOrder(argv)
  const key = randomUUID()
  const asked = await send(order, key, null)
  if (asked.status !== 402) throw new StartError(refusalOf(asked))
  const offers = readOffers(asked.headers.get('www-authenticate') ?? '')
  if (order.paying === null) return showOffers(asked, offers, terminal)
  const { offer, cents } = affordable(offers, order.paying)
  const credential = await pay(offer, order.paying.purse)
  const paid = await sendPaid(order, { key, credential }, terminal)
  tell(paid, { order, cents, terminal })
  return 0
}

/** A method that is offered by two names is told once. */
function describedOf(offers: readonly Offer[]): string[] {
  return [...new Set(offers.map(describeOffer))]
}

function showOffers(asked: Answer, offers: readonly Offer[], { out }: Terminal): number {
  const due = problemSchema.safeParse(asked.body).data?.amount_due ?? '?'
  out.write([`The price is $${due}. The service takes:`, ...describedOf(offers), ''].join('\n'))
  return 1
}

function affordable(
  offers: readonly Offer[],
  { purse, budgetCents }: NonNullable<PayOrder['paying']>,
): { offer: Offer; cents: number } {
  const payable = offers.flatMap((offer) => {
    const cents = costOf(offer, purse)
    return cents === null ? [] : [{ offer, cents }]
  })
  const [cheapest] = payable.toSorted((one, other) => one.cents - other.cents)
  if (cheapest === undefined) {
    const known = describedOf(offers)
      .map((described) => `\n${described}`)
      .join('')
    throw new StartError(`The service does not take this way of paying. It takes:${known}`)
  }
  if (cheapest.cents > budgetCents)
    throw new StartError(`The price is ${dollars(cheapest.cents)}, but the budget is ${dollars(budgetCents)}.`)
  return cheapest
}

type Payment = { key: string; credential: string }

/** Sends the same request with the same payment, which is taken once, until its outcome is known. */
async function sendPaid(order: PayOrder, payment: Payment, { err }: Terminal): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(order, payment.key, payment.credential).catch(unanswered)
    if (answer.status >= 200 && answer.status < 300) return answer
    if (answer.status > 0 && answer.status < 500 && answer.status !== 429) throw new StartError(refusalOf(answer))
    if (tries === maxTries) throw new StartError(`${refusalOf(answer)}\n${howToGoOn(payment)}`)
    const seconds = Number(answer.headers.get('retry-after')) || usualPauseSeconds
    err.write(`${refusalOf(answer)} Trying again with the same payment.\n`)
    await pause(Math.min(longestPauseSeconds, seconds) * 1000)
  }
}

function unanswered(error: unknown): Answer {
  const message = `The service did not answer: ${error instanceof Error ? error.message : String(error)}.`
  return { status: 0, headers: new Headers(), body: { message } }
}

function howToGoOn({ key, credential }: Payment): string {
  return `It is not known whether the payment was taken. To find out, send the same request within 24 hours with the headers
Idempotency-Key: ${key}
Authorization: ${credential}`
}

async function send({ address, goods }: PayOrder, key: string, credential: string | null): Promise<Answer> {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(goods.type === 'credit' ? { 'x-api-key': goods.apiKey } : {}),
      ...(credential === null ? {} : { authorization: credential }),
    },
    body: JSON.stringify(goods.body),
    // A payment is for the service that was named.
    redirect: 'error',
    signal: AbortSignal.timeout(answerMs),
  })
  return { status: response.status, headers: response.headers, body: await readJson(response) }
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > maxAnswerBytes) throw new StartError('The answer of the service is too long to read.')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}

function refusalOf({ status, body }: Answer): string {
  return problemSchema.safeParse(body).data?.message ?? `The service answered ${status}.`
}

type Telling = { order: PayOrder; cents: number; terminal: Terminal }

function tell({ body, headers }: Answer, { order, cents, terminal }: Telling): void {
  const receipt = receiptOf(headers)
  const paid = { amount_cents: cents, ...receipt }
  if (!order.isJson)
    terminal.err.write(
      `Paid ${dollars(cents)} by ${receipt?.method ?? 'an earlier payment'} (${receipt?.reference ?? 'no receipt'}).\n`,
    )
  if (order.goods.type === 'credit') tellCredit(body, { paid, isJson: order.isJson, terminal })
  else tellMonitor(body, { paid, isJson: order.isJson, terminal })
}

type Told = { paid: Record<string, unknown>; isJson: boolean; terminal: Terminal }

function tellCredit(body: unknown, { paid, isJson, terminal: { out } }: Told): void {
  const { credit_cents: creditCents } = toppedUpSchema.parse(body).data
  out.write(
    isJson
      ? `${JSON.stringify({ credit_cents: creditCents, paid })}\n`
      : `Your credit is now ${dollars(creditCents)}.\n`,
  )
}

function tellMonitor(body: unknown, { paid, isJson, terminal: { out, err } }: Told): void {
  const { data, api_key: apiKey, workspace } = createdSchema.parse(body)
  if (isJson) {
    out.write(`${JSON.stringify({ monitor: data, api_key: apiKey ?? null, workspace: workspace ?? null, paid })}\n`)
    return
  }
  err.write(`Monitor ${data.id} watches ${data.name}.\n`)
  if (apiKey === undefined) return
  err.write(`The API key of workspace ${workspace?.name ?? ''}. It is shown only once:\n`)
  out.write(`${apiKey}\n`)
}

function receiptOf(headers: Headers): z.infer<typeof receiptSchema> | null {
  try {
    const text = Buffer.from(headers.get('payment-receipt') ?? '', 'base64url').toString('utf8')
    return receiptSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

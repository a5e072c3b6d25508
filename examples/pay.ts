// Creates a monitor without an account by paying for it, for Node 24 without any package:
//
//   node examples/pay.ts https://up.example.com https://www.example.com 0.50 spt_…
//
// The third argument is the budget in dollars, the fourth a shared payment token that an agent granted to the profile
// of the service; a service in the sandbox takes spt_test_ok. Prints the API key of the workspace that begins with the
// payment. "perigee pay" does the same, and pays with a token of a chain, too.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

type Challenge = Record<string, string>
type Answer = { status: number; headers: Headers; body: Record<string, unknown> }

const [service = '', target = '', budget = '', spt = ''] = process.argv.slice(2)
if (!/^\d{1,6}(\.\d{1,2})?$/.test(budget)) throw new Error('The budget is dollars, such as 0.50.')
const budgetCents = Math.round(Number(budget) * 100)
/** The same for every try: it makes all of them one request. */
const key = randomUUID()
const maxTries = 5

const asked = await create()
if (asked.status !== 402) throw new Error(`The service answered ${asked.status}: ${JSON.stringify(asked.body)}`)
const challenge = affordable(readChallenges(asked.headers.get('www-authenticate') ?? ''))
const credential = Buffer.from(JSON.stringify({ challenge, payload: { spt } })).toString('base64url')
const { body } = await createPaid(`Payment ${credential}`)
console.log(JSON.stringify({ monitor: body['data'], workspace: body['workspace'], api_key: body['api_key'] }, null, 2))

/** The card's challenge. A budget is asked for before anything is paid, so nothing is paid beyond it. */
function affordable(challenges: Challenge[]): Challenge {
  for (const each of challenges) {
    const request: unknown = JSON.parse(Buffer.from(each['request'] ?? '', 'base64url').toString('utf8'))
    if (typeof request !== 'object' || request === null) continue
    const { amount, currency }: Record<string, unknown> = { ...request }
    if (currency !== 'usd' || typeof amount !== 'string') continue
    if (!/^\d+$/.test(amount) || Number(amount) > budgetCents)
      throw new Error(`It costs ${amount} cents, and the budget is $${budget}.`)
    console.log(`paying ${amount} cents: ${each['description']}`)
    return each
  }
  throw new Error('The service takes no cards.')
}

/** Sends the same payment, which is taken once, until its outcome is known. */
async function createPaid(authorization: string): Promise<Answer> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const answer = await create(authorization).catch((error: unknown) => console.log('no answer:', error))
    if (answer !== undefined && [200, 201].includes(answer.status)) return answer
    if (answer !== undefined && answer.status < 500 && answer.status !== 429)
      throw new Error(`Not paid: ${JSON.stringify(answer.body)}`)
    await wait(Math.min(30, Number(answer?.headers.get('retry-after')) || 3) * 1000)
  }
  throw new Error(`Nobody knows whether it is paid. Send it again, with Idempotency-Key: ${key} and ${authorization}`)
}

async function create(authorization?: string): Promise<Answer> {
  const response = await fetch(`${service}/api/v1/monitors`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: JSON.stringify({ name: target, url: target }),
    signal: AbortSignal.timeout(45_000),
  })
  const content: unknown = await response.json()
  if (typeof content !== 'object' || content === null) throw new Error('The service answered no JSON object.')
  return { status: response.status, headers: response.headers, body: { ...content } }
}

/** `Payment name="value", name="value", …, Payment …`: a scheme begins each challenge (RFC 9110 11.6.1). */
function readChallenges(header: string): Challenge[] {
  return header.split(/(?:^|,\s*)Payment (?=\w+=)/).flatMap((text) => {
    const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
    const members = pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')])
    return pairs.length === 0 ? [] : [Object.fromEntries(members)]
  })
}

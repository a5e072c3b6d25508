import { randomUUID } from 'node:crypto'
import { addCredits } from '#store/money/credit.ts'
import type { Database } from '#store/database/database.ts'
import { authorizationFor, firstChallenge } from '../test/support/payment-client.ts'
import { createToken } from '../test/support/tokens.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import { renewMonitors } from '#jobs/money/renewals.ts'
import { createLog } from '#app/log.ts'
import { withEngine } from './support/engine.ts'
import { latencies, whole } from './support/figures.ts'
import { addMonitors, type Seed } from './support/installation.ts'
import { type Service, withService } from './support/service.ts'

const payers = 8
const quotesEach = 400
const createsEach = 100
const warmUps = 20
const locations = ['l0', 'l1', 'l2', 'l3', 'l4']
/** 50 cents, which is what a card pays at least: every one of them has to be paid for. */
const wish = {
  name: 'Shop',
  url: 'http://127.0.0.1:9/',
  interval_seconds: 86_400,
  billing_period: 'lifetime',
  locations,
}

const renewals = 100_000
const worlds = [
  { workspaces: 100, name: '100 workspaces of 1,000' },
  { workspaces: 10_000, name: '10,000 workspaces of 10' },
  { workspaces: 100_000, name: '100,000 workspaces of one' },
]

/** Quotes and paid creates over HTTP by eight payers side by side, and one hourly run that renews 100,000 monitors. */
export async function money(): Promise<void> {
  const { quotes, creates } = await trade()
  const seconds: number[] = []
  for (const world of worlds) seconds.push(await renew(world))
  console.log(
    `money: ${whole(quotes)} quotes/s, ${whole(creates)} paid creates/s in the sandbox; ` +
      `${whole(renewals)} renewals in ${seconds.map((took) => took.toFixed(0)).join(', ')} s, goal 3,600`,
  )
}

async function trade(): Promise<{ quotes: number; creates: number }> {
  const tokens: string[] = []
  return withService(
    {
      environment: {
        PERIGEE_PAYMENTS: 'sandbox',
        PERIGEE_LOCATIONS: locations.map((code) => `${code}=${code}`).join(','),
      },
      seed: async ({ database }) => {
        for (let payer = 0; payer < payers; payer += 1) tokens.push(await addPayer(database))
      },
    },
    async (service) => {
      const quotes = await measure(tokens, {
        what: 'quotes',
        each: quotesEach,
        work: (token) => quote(service, token),
      })
      const creates = await measure(tokens, {
        what: 'creates that are asked for payment and paid',
        each: createsEach,
        work: (token) => buy(service, token),
      })
      return { quotes, creates }
    },
  )
}

async function addPayer(database: Database): Promise<string> {
  const workspaceId = randomUUID()
  await createWorkspace(database, { id: workspaceId, name: 'Payer', plan: 'pay_as_you_go' })
  const { text } = await createToken(
    database,
    { workspaceId, name: 'Bench', scope: 'write', expiresAt: null },
    new Date(),
  )
  return text
}

type Trade = { what: string; each: number; work: (token: string) => Promise<void> }

/** Each payer one after the other, all side by side. Returns how many a second. */
async function measure(tokens: readonly string[], { what, each, work }: Trade): Promise<number> {
  const waitsMs: number[] = []
  for (const token of tokens) for (let call = 0; call < warmUps; call += 1) await work(token)
  const startedAt = performance.now()
  await Promise.all(
    tokens.map(async (token) => {
      for (let call = 0; call < each; call += 1) {
        const askedAt = performance.now()
        await work(token)
        waitsMs.push(performance.now() - askedAt)
      }
    }),
  )
  const perSecond = (waitsMs.length * 1000) / (performance.now() - startedAt)
  console.log(
    `  ${whole(waitsMs.length)} ${what} by ${tokens.length} payers: ${whole(perSecond)}/s, ${latencies(waitsMs)}`,
  )
  return perSecond
}

async function quote(service: Service, token: string): Promise<void> {
  await expectStatus(200, await post(service, '/monitors/quote', { 'X-API-Key': token }))
}

async function buy(service: Service, token: string): Promise<void> {
  const asked = await post(service, '/monitors', { 'X-API-Key': token })
  await expectStatus(402, asked)
  const authorization = authorizationFor(firstChallenge(asked))
  await expectStatus(201, await post(service, '/monitors', { 'X-API-Key': token, Authorization: authorization }))
}

function post({ url }: Service, path: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(wish),
  })
}

async function expectStatus(status: number, answer: Response): Promise<void> {
  const text = await answer.text()
  if (answer.status !== status) throw new Error(`Status ${answer.status}: ${text.slice(0, 200)}`)
}

/** Returns the seconds that the run took. */
async function renew({ workspaces, name }: (typeof worlds)[number]): Promise<number> {
  return withEngine(
    (seed) => addRenewals(seed, workspaces),
    async ({ foundation: { database } }) => {
      const parts = { database, log: createLog({ level: 'warn' }), now: () => new Date() }
      const startedAt = performance.now()
      const { renewed } = await renewMonitors(parts, new AbortController().signal)
      const seconds = (performance.now() - startedAt) / 1000
      if (renewed !== renewals) throw new Error(`${renewed} monitors were renewed.`)
      console.log(`  ${whole(renewed)} renewals in ${name}: ${seconds.toFixed(1)} s, ${whole(renewed / seconds)}/s`)
      return seconds
    },
  )
}

/** Monitors that end within the hour, in workspaces with credit for them and a ledger behind them. */
async function addRenewals(seed: Seed, workspaces: number): Promise<void> {
  const { database } = seed
  await addMonitors(seed, renewals, (index) => ({ name: `Monitor ${index}`, url: 'http://127.0.0.1:9/' }))
  await database.pool.query(
    `insert into workspaces (id, name, plan)
    select gen_random_uuid(), 'Payer ' || number, 'pay_as_you_go' from generate_series(1, $1::integer) as number`,
    [workspaces],
  )
  const { rows } = await database.pool.query<{ id: string }>(`select id from workspaces where plan = 'pay_as_you_go'`)
  const amountCents = (2 * renewals) / workspaces
  await database.transaction((tx) =>
    addCredits(
      tx,
      rows.map(({ id }) => ({
        workspaceId: id,
        amountCents,
        reason: 'payment',
        description: 'Credit',
        at: new Date(),
      })),
    ),
  )
  await database.pool.query(
    `update monitors
    set workspace_id = ($1::uuid[])[1 + monitor.number % $2::integer],
      billing = 'paid', billing_period = 'monthly', paid_locations = 1, paid_until = now() + interval '10 min'
    from (select key, row_number() over (order by key) as number from monitors) as monitor
    where monitors.key = monitor.key`,
    [rows.map(({ id }) => id), workspaces],
  )
  await database.pool.query('vacuum analyze monitors, workspaces, credit_transactions')
}

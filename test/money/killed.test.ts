// The real program, killed while chosen calls to its database and its processor are held: payers who repeat what they
// sent get what they paid for, once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { Database } from '#store/database/database.ts'
import { addCredit } from '#store/money/credit.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { testDatabase } from '../support/database.ts'
import { insertMonitor } from '#store/monitors/monitors.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import { pause } from '../support/pause.ts'
import { authorizationFor, firstChallenge } from '../support/payment-client.ts'
import { freePort } from '../support/free-port.ts'
import { type ServiceFolder, serviceFolder } from '../support/service-folder.ts'
import { testSettings } from '../support/settings.ts'
import { sellerEnvironment, stripeEnvironment } from '../support/payments.ts'
import { startStripe } from '../support/stripe-server.ts'
import { until } from '../support/until.ts'
import { auditBooks, openBooks } from './books.ts'
import { type Hold, type HoldingWay, holdingWay } from './holding-way.ts'

const waitMs = 110_000
const timeout = 240_000
const retryMs = 3_000
const secretKey = Buffer.alloc(32, 7)

type Installation = { database: Database; way: HoldingWay; folder: ServiceFolder; environment: Record<string, string> }

async function install(): Promise<Installation> {
  const {
    PERIGEE_TEST_SOCKET: socket = '',
    PERIGEE_TEST_USER: user = '',
    PERIGEE_TEST_PASSWORD: password = '',
  } = process.env
  const folder = serviceFolder()
  const way = await holdingWay(join(socket, '.s.PGSQL.5432'))
  const database = await testDatabase()
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name')
  const url = new URL(`postgres://127.0.0.1:${way.port}/${rows[0]?.name ?? ''}`)
  url.username = user
  url.password = password
  const environment = {
    PERIGEE_DATABASE_URL: url.href,
    PERIGEE_SECRET_KEY: secretKey.toString('base64'),
    PERIGEE_ALLOW_PRIVATE_TARGETS: 'true',
  }
  return { database, way, folder, environment }
}

/**
 * The moments of the kill; null lets the processor hold its answer. The last moment keeps the receipts' numbers locked.
 */
const moments: [what: string, hold: Hold | null][] = [
  ['before the attempt was kept', { transactionWith: /insert into "payment_attempts"/, commitIs: 'unheard' }],
  ['before the processor was asked', { transactionWith: /insert into "payment_attempts"/, commitIs: 'unanswered' }],
  ['when the card was charged', null],
  ['when the payment was kept', { transactionWith: /insert into "payments"/, commitIs: 'unanswered' }],
  ['before the monitor was made', { transactionWith: /set "done_at"/, commitIs: 'unheard' }],
  ['when the monitor was made', { transactionWith: /set "done_at"/, commitIs: 'unanswered' }],
  ['before the payment was kept', { transactionWith: /insert into "payments"/, commitIs: 'unheard' }],
]

describe('a service that is killed while it is paid', () => {
  it('charges each payer once and gives each a monitor, a key and the rest', { timeout }, async () => {
    const stripe = await startStripe()
    const { database, way, folder, environment } = await install()
    await openBooks(database)
    const url = `http://127.0.0.1:${await freePort()}`
    const live = {
      ...environment,
      PERIGEE_PORT: new URL(url).port,
      PERIGEE_PAYMENTS: 'live',
      ...sellerEnvironment,
      ...stripeEnvironment(stripe),
    }
    const first = folder.start(live)
    await first.printed(/Perigee is at/)
    const payers: { what: string; key: string; authorization: string; lost: Promise<unknown> }[] = []
    for (const [index, [what, hold]] of moments.entries()) {
      const key = randomUUID()
      const authorization = authorizationFor(firstChallenge(await create(url, key)), stripe.grant())
      if (hold === null) stripe.meet('hold-after-charge')
      else way.holdNext(hold)
      payers.push({ what, key, authorization, lost: create(url, key, authorization).catch(() => 'lost') })
      await until(what, async () => way.held() + stripe.held() === index + 1, waitMs)
    }
    first.child.kill('SIGKILL')
    await first.ended()
    for (const { what, lost } of payers) assert.equal(await lost, 'lost', what)
    stripe.release()

    await folder.start(live).printed(/Perigee is at/)
    const keys = await Promise.all(payers.map((payer) => finish(url, payer)))
    assert.equal(new Set(keys).size, moments.length)
    for (const key of keys) {
      assert.equal(accountSchema.parse(await get(url, '/account', key)).data.credit_cents, 49)
      assert.equal(listSchema.parse(await get(url, '/monitors', key)).data.length, 1)
    }
    const { rows } = await database.pool.query<{ reference: string }>('select reference from payments')
    const charged = stripe.intents().filter(({ status }) => status === 'succeeded')
    assert.deepEqual(rows.map(({ reference }) => reference).toSorted(), charged.map(({ id }) => id).toSorted())
    assert.equal(stripe.chargedCents(), 50 * moments.length)
    await auditBooks(database)
  })
})

describe('a service that is killed while it renews', () => {
  it('renews each monitor once', { timeout }, async () => {
    const { database, way, folder, environment } = await install()
    const renewal = /insert into credit_transactions/
    const paidUntil = new Date(Date.now() - 60_000)
    await addEnding(database, paidUntil)
    await openBooks(database)
    for (const [index, commitIs] of (['unheard', 'unanswered'] as const).entries()) {
      way.holdNext({ transactionWith: renewal, commitIs })
      const perigee = folder.start(environment)
      await until(`a commit that is ${commitIs}`, async () => way.held() === index + 1, waitMs)
      perigee.child.kill('SIGKILL')
      await perigee.ended()
      const isRenewed = (await endsOf(database)).every((end) => end.getTime() > Date.now())
      assert.equal(isRenewed, commitIs === 'unanswered')
    }
    const last = folder.start(environment)
    await last.printed(/Perigee is at/)
    const day = 86_400_000
    await until(
      'another run',
      async () => (await database.pool.query(`select from books where taken > 0`)).rowCount === ending,
      waitMs,
    )
    last.child.kill('SIGTERM')
    assert.equal(await last.ended(), 0)
    assert.deepEqual(
      await endsOf(database),
      Array.from({ length: ending }, () => new Date(paidUntil.getTime() + 30 * day)),
    )
    await auditBooks(database)
  })
})

const ending = 5

async function addEnding(database: Database, paidUntil: Date): Promise<void> {
  const workspaceId = randomUUID()
  await createWorkspace(database, { id: workspaceId, name: 'Payer', plan: 'pay_as_you_go' })
  const at = new Date(paidUntil.getTime() - 1)
  await database.transaction(async (tx) => {
    await addCredit(tx, { workspaceId, amountCents: 50, reason: 'payment', description: 'Credit', at })
    for (let index = 0; index < ending; index += 1)
      await insertMonitor(tx, createSecrets(secretKey), {
        id: randomUUID(),
        workspaceId,
        settings: testSettings({ name: `Monitor ${index}`, url: 'http://127.0.0.1:9/', locations: ['local'] }),
        createdAt: at,
        paid: { period: 'monthly', until: paidUntil },
      })
  })
}

async function endsOf({ pool }: Database): Promise<Date[]> {
  const { rows } = await pool.query<{ end: Date }>('select paid_until as "end" from monitors order by id')
  return rows.map(({ end }) => end)
}

const createdSchema = z.object({ api_key: z.string(), data: z.object({ id: z.uuid() }) })
const accountSchema = z.object({ data: z.object({ credit_cents: z.int() }) })
const listSchema = z.object({ data: z.array(z.unknown()) })

/** Repeats the same request until it is answered: its payer's key. */
async function finish(
  url: string,
  { what, key, authorization }: { what: string; key: string; authorization: string },
): Promise<string> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const answer = await create(url, key, authorization)
    const text = await answer.text()
    if (answer.status === 200 || answer.status === 201) return createdSchema.parse(JSON.parse(text)).api_key
    assert.ok(answer.status === 503 && performance.now() < deadline, `${what}: ${answer.status} ${text}`)
    await pause(retryMs)
  }
}

function create(url: string, key: string, authorization?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  return fetch(`${url}/api/v1/monitors`, {
    method: 'POST',
    headers: authorization === undefined ? headers : { ...headers, authorization },
    body: JSON.stringify({ name: key, url: 'http://127.0.0.1:9/' }),
  })
}

async function get(url: string, path: string, token: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': token } })
  assert.equal(answer.status, 200)
  return answer.json()
}

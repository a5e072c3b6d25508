// The service in one process that can die anywhere, with a bank, a clock and a database that outlive it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { after } from 'node:test'
import { defaultPlans } from '#core/money/plan.ts'
import { type Database, openDatabase } from '#store/database/database.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { lockForMove, moveWorkspace } from '#store/people/workspace-moves.ts'
import { paymentChores } from '#jobs/money/payment-sweep.ts'
import { renewMonitors } from '#jobs/money/renewals.ts'
import { createPayments } from '../../src/payments/index.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { testSeller } from '../support/payments.ts'
import { until } from '../support/until.ts'
import { type Bank, createBank } from './bank.ts'
import { emptyBooks, openBooks } from './books.ts'
import { type Mortality, mortality } from './mortality.ts'

export type World = {
  /** The API of the running service; a call may fail when the service dies. */
  api: TestApi
  bank: Bank
  /** The database as others see it. */
  database: Database
  now: () => Date
  pass: (ms: number) => void
  hourly: () => Promise<void>
  sweep: () => Promise<void>
  /** Takes everything of a workspace into the owner's. */
  claim: (workspaceId: string) => Promise<void>
  /**
   * Runs work during which the service may die, after so many moments; null for never. Whatever fails then is the
   * process's end, which starts again half a minute later.
   */
  mortal: (moments: number | null, work: () => Promise<void>) => Promise<void>
  isDead: () => boolean
  /** How often it died. */
  deaths: () => number
}

const start = Date.UTC(2026, 10, 21, 12)
const restartMs = 30_000
/** The slots of the owner's workspace; callers without an account always pay. */
export const slots = 2
export const places = ['amsterdam', 'boston', 'chennai', 'delhi']

/** Each call of the result begins a world in which nothing has happened. */
export async function createWorlds(): Promise<() => Promise<World>> {
  const {
    PERIGEE_TEST_SOCKET: folder = '',
    PERIGEE_TEST_USER: user = '',
    PERIGEE_TEST_PASSWORD: password = '',
  } = process.env
  // Hooks run in the order of their making: the mortal connections end before the database goes.
  const ends: (() => Promise<void>)[] = []
  after(() => Promise.all(ends.map((end) => end())))
  const life = await mortality(join(folder, '.s.PGSQL.5432'))
  const database = await testDatabase({ maxConnections: 3 })
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name')
  const url = new URL(`postgres://127.0.0.1:${life.port}/${rows[0]?.name ?? ''}`)
  url.username = user
  url.password = password
  const mortal = openDatabase({ connection: { url: url.href }, maxConnections: 8 })
  ends.push(mortal.close)
  await openBooks(database)
  const bank = createBank(life.moment)
  return () => createWorld({ life, database, mortal, bank })
}

const plans = { ...defaultPlans, pay_as_you_go: { ...defaultPlans.pay_as_you_go, slots } }

type Parts = { life: Mortality; database: Database; mortal: Database; bank: Bank }

async function createWorld({ life, database, mortal, bank }: Parts): Promise<World> {
  let at = start
  let deaths = 0
  const now = (): Date => new Date(at)
  const pass = (ms: number): void => void (at += ms)
  await emptyBooks(database)
  bank.reset()
  const secrets = createSecrets(randomBytes(32))
  const publicUrl = 'http://perigee.test'
  const parts = { database: mortal, secrets, seller: testSeller, now, publicUrl, onUnknown: () => {} }
  const sandbox = createPayments({ mode: 'sandbox', cardWireName: 'card' }, parts) ?? assert.fail()
  const payments = { ...sandbox, methods: bank.methods }
  const api = await testApi({
    database: mortal,
    services: { secrets, payments, publicUrl, plans },
    plan: 'pay_as_you_go',
    locations: places.map((code) => ({ code, name: code })),
    allowsInternalErrors: true,
    now,
  })
  const jobs = { database: mortal, log: silent, now, till: payments }
  const world: World = {
    api,
    bank,
    database,
    now,
    pass,
    isDead: life.isDead,
    deaths: () => deaths,
    hourly: async () => void (await renewMonitors(jobs, new AbortController().signal)),
    sweep: async () => {
      for (const { run } of paymentChores(jobs)) await run(new AbortController().signal)
    },
    claim: (fromId) =>
      mortal.transaction(async (tx) => {
        const move = { fromId, toId: api.workspaceId, at: now() }
        if (await lockForMove(tx, move)) await moveWorkspace(tx, move)
      }),
    mortal: async (moments, work) => {
      life.dieAfter(moments)
      try {
        await work()
      } catch (error) {
        if (!life.isDead()) throw error
      }
      const hasDied = life.isDead()
      if (hasDied) deaths += 1
      if (hasDied) await until('the last of its connections', async () => connectionsOf(mortal) === 0)
      life.revive()
      if (hasDied) pass(restartMs)
      else assert.deepEqual(api.errors.splice(0), [], 'a process that lives has no bugs')
      api.errors.splice(0)
    },
  }
  return world
}

function connectionsOf({ pool, planned }: Database): number {
  return pool.totalCount + planned.totalCount
}

function ignore(): void {}
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }

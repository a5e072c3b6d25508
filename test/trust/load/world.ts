// The service under load, with something on each of its surfaces.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openDatabase, type Database } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { setCallToken } from '#store/monitors/calls.ts'
import { addMonitors, createInstallation, type Seed } from '../../../bench/support/installation.ts'
import { addPage } from '../../../bench/status.ts'
import { type Target, startTarget } from '../../../bench/support/target.ts'
import { type Service, startProgram } from '../program.ts'
import { inspected } from './memory.ts'

export type World = {
  service: Service
  database: Database
  metricsToken: string
  token: string
  workspaceId: string
  /** Monitors that are checked every 10 seconds. */
  checked: string[]
  /** Monitors that are never checked, for writes. */
  written: string[]
  called: { id: string; token: string }[]
  pages: string[]
  /** Headers of persons who are signed in. */
  sessions: Record<string, string>[]
  end: () => Promise<void>
}

export const intervalSeconds = 10
const writtenMonitors = 256
/** One takes 60 calls a minute. */
const calledMonitors = 3_072
const atOnce = 1_000
const pages = 16
const monitorsOfPage = 20
const sessions = 10
const owner = { email: 'owner@example.com', password: 'correct horse battery staple' }
const metricsToken = 'trust-load-trust-load'

export type Asked = {
  checkedMonitors: number
  /** Until they are resumed. */
  arePaused: boolean
}

export async function createWorld(asked: Asked): Promise<World> {
  const target = await startTarget()
  const installation = await createInstallation({
    PERIGEE_METRICS_TOKEN: metricsToken,
    PERIGEE_OWNER_EMAIL: owner.email,
    PERIGEE_OWNER_PASSWORD: owner.password,
    PERIGEE_TRUSTED_PROXIES: '127.0.0.1',
  })
  const filled: Filled = { checked: [], written: [], called: [], pages: [] }
  const { token, workspaceId } = await installation.prepare((seed) => fill(seed, { target, ...asked }, filled))
  const { folder } = installation
  const place = { folder, dataFolder: folder }
  const service = await startProgram(installation.environment, place, [inspected])
  const database = openDatabase({ connection: runningConnection(folder), maxConnections: 2 })
  return {
    service,
    database,
    metricsToken,
    token,
    workspaceId,
    ...filled,
    sessions: await signIn(service.url, workspaceId),
    end: async () => {
      await database.close()
      await service.end()
      await target.stop()
    },
  }
}

type Filled = Pick<World, 'checked' | 'written' | 'called' | 'pages'>

async function fill(seed: Seed, of: Asked & { target: Target }, filled: Filled): Promise<void> {
  const { target, checkedMonitors, arePaused } = of
  const { database, secrets } = seed
  filled.checked = await addMonitors(seed, checkedMonitors, (index) => ({
    name: `Monitor ${index}`,
    url: target.urls[index % target.urls.length] ?? null,
    interval_seconds: intervalSeconds,
  }))
  filled.written = await addMonitors(seed, writtenMonitors, (index) => ({
    name: `Written ${index}`,
    url: target.urls[0] ?? null,
  }))
  const paused = arePaused ? [...filled.checked, ...filled.written] : filled.written
  await database.pool.query(`update monitors set status = 'paused' where id = any($1)`, [paused])
  const called = await addMonitors(seed, calledMonitors, (index) => ({
    name: `Called ${index}`,
    kind: 'heartbeat',
    url: null,
    interval_seconds: 86_400,
  }))
  filled.called = called.map((id) => ({ id, token: randomBytes(24).toString('base64url') }))
  await database.transaction(async (tx) => {
    for (const { id, token } of filled.called) await setCallToken(tx, secrets, { monitorId: id, token })
  })
  filled.pages = Array.from({ length: pages }, (_, index) => `page-${index}`)
  for (const [index, slug] of filled.pages.entries()) {
    const ids = filled.checked.slice(index * monitorsOfPage, (index + 1) * monitorsOfPage)
    await addPage(seed, { slug, history: '90_days', ids })
  }
}

/** By the console's own operation, a thousand at once. */
export async function resume({ service, sessions: [session] }: World, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const response = await fetch(`${service.url}/api/v1/monitors/bulk`, {
      method: 'POST',
      headers: { ...session, 'Content-Type': 'application/json', Origin: service.url },
      body: JSON.stringify({ action: 'resume', monitor_ids: ids.slice(from, from + atOnce) }),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`Resuming was answered ${response.status}: ${text.slice(0, 500)}`)
  }
}

/** From another address each, because an address may try only so often. */
async function signIn(url: string, workspaceId: string): Promise<Record<string, string>[]> {
  const signedIn: Record<string, string>[] = []
  for (let index = 1; index <= sessions; index += 1) {
    const response = await fetch(`${url}/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url, 'X-Forwarded-For': `203.0.113.${index}` },
      body: JSON.stringify(owner),
    })
    const text = z.string().parse(await response.text())
    if (response.status !== 200) throw new Error(`Signing in was answered ${response.status}: ${text}`)
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    signedIn.push({ Cookie: cookies.join('; '), 'X-Perigee-Workspace': workspaceId })
  }
  return signedIn
}

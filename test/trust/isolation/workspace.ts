// A workspace with one of every sort of thing.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { keepEvidence } from '#store/incidents/evidence.ts'
import { keepRoute } from '#store/incidents/routes.ts'
import { keepViews } from '#store/incidents/views.ts'
import { insertRegistration } from '#store/people/agent-registrations.ts'
import type { Answer, ApiRequest, TestApi } from '../../support/api.ts'
import { testEvidence } from '../../support/evidence.ts'
import { testRoute } from '../../support/routes.ts'
import { testView } from '../../support/views.ts'
import { addResults, addRunningIncident } from '../../support/monitors.ts'
import { addExposure } from '../../support/software.ts'
import { addPayment } from '../../support/payments.ts'
import { createIds, type Ids, newest } from '../inputs/ids.ts'
import { recipes } from '../inputs/recipes.ts'

/** Asks in a workspace as somebody who may do everything in it. */
export type AskAsOwner = (method: string, path: string, request?: ApiRequest) => Promise<Answer>

export type Filling = { api: TestApi; ask: AskAsOwner; workspaceId: string; ownerId: string }

const target = 'https://target.example'
const listed = z.looseObject({ software: z.array(z.looseObject({ id: z.string() })) })
const identified = z.object({ data: z.looseObject({ id: z.string() }) })
/** These would make something beside the workspace. */
const elsewhere: ReadonlySet<string> = new Set(['/workspaces'])

/** Fills a workspace, by requests where there are any, and gives the ids of what is in it. */
export async function fillWorkspace(filling: Filling): Promise<Ids> {
  const ids = createIds()
  await addCheckedMonitor(filling, ids)
  for (const path of Object.keys(recipes)) if (!elsewhere.has(path)) await make(filling, path, ids)
  ids.add('/members', [], filling.ownerId)
  await addByRequests(filling, ids)
  await addBeside(filling, ids)
  return ids
}

async function make({ ask }: Filling, path: string, ids: Ids): Promise<void> {
  const parent = /^(\/[\w-]+)\/\{id\}/.exec(path)?.[1]
  const parents = parent === undefined ? [] : (ids.pick(parent, newest) ?? [''])
  const body = recipes[path]?.({ target, ids, unique: randomUUID().slice(0, 8) })
  ids.add(path, parents, idIn(await ask('POST', path.replace('{id}', parents[0] ?? ''), { body })))
}

function idIn(answer: Answer): string {
  assert.ok(answer.status < 300, answer.text)
  return identified.parse(answer.body).data.id
}

/** A monitor that is down, with what checks leave behind. */
async function addCheckedMonitor({ api: { database, services }, ask }: Filling, ids: Ids): Promise<void> {
  const contact = await ask('POST', '/alert-channels', {
    body: { name: 'Hook', kind: 'webhook', destination: `${target}/hook` },
  })
  ids.add('/alert-channels', [], idIn(contact))
  const body = { name: 'Down', url: `${target}/down`, kind: 'http', keep_evidence: true }
  const monitor = z.object({ data: monitorSchema }).parse((await ask('POST', '/monitors', { body })).body).data
  await addResults(database, monitor.id, [{ at: new Date() }])
  const incidentId = await addRunningIncident(database, monitor, new Date())
  ids.add('/incidents', [], incidentId)
  await keepEvidence(database, services.secrets, [
    {
      incidentId,
      monitorId: monitor.id,
      location: 'amsterdam',
      round: Date.now() * 1000,
      cause: 'refused',
      evidence: testEvidence(),
    },
  ])
  const told = { incidentId: null, location: 'amsterdam', round: Date.now() * 1000, version: 1, view: testView() }
  await keepViews(database, services.secrets, [{ ...told, monitorId: monitor.id }])
  const taken = { monitorId: monitor.id, location: 'amsterdam', takenAt: new Date(), route: testRoute() }
  for (const isFailure of [false, true]) await keepRoute(database, services.secrets, { ...taken, isFailure })
}

async function addByRequests({ api, ask }: Filling, ids: Ids): Promise<void> {
  const page = ids.pick('/status-pages', newest)?.[0] ?? ''
  const monitor = ids.pick('/monitors', newest)?.[0] ?? ''
  const mail = { name: 'Mail', kind: 'email', destination: `${randomUUID()}@example.com` }
  ids.add('/unconfirmed', [], idIn(await ask('POST', '/alert-channels', { body: { ...mail, name: 'Unconfirmed' } })))
  const mailbox = idIn(await ask('POST', '/alert-channels', { body: mail }))
  await api.database.pool.query('update alert_channels set confirmed = true where id = $1', [mailbox])
  ids.add('/mailboxes', [], mailbox)
  const report = {
    name: 'Week',
    period: 'weekly',
    time_zone: 'UTC',
    recipients: [ids.pick('/mailboxes', newest)?.[0]],
    tags: ['shop'],
  }
  ids.add('/reports', [], idIn(await ask('POST', '/reports', { body: report })))
  const image = Buffer.from(onePixel, 'base64').toString('base64')
  for (const kind of ['logo', 'favicon'])
    assert.equal(
      (
        await ask('PUT', `/status-pages/${page}/${kind}`, {
          body: { image, ...(kind === 'logo' ? { alt: 'Logo' } : {}) },
        })
      ).status,
      200,
    )
  const software = await ask('POST', `/monitors/${monitor}/software`, {
    body: { name: 'npm:example-package', version: '1.2.3' },
  })
  ids.add('/monitors/{id}/software', [monitor], listed.parse(software.body).software[0]?.id ?? '')
  const days = [{ date: '2026-11-20', up: 1439, down: 1, latency_ms: 120 }]
  await ask('PUT', `/monitors/${monitor}/imported-days`, { body: { source: 'Uptime Kuma', days } })
  const provider = { name: 'Login', issuer: 'https://login.example', client_id: 'perigee', client_secret: 'secret' }
  assert.equal((await ask('PUT', '/single-sign-on/provider', { body: provider })).status, 200)
  const path = `/ping/${randomUUID()}`
  const beat = idIn(await ask('POST', '/monitors', { body: { name: 'Beat', kind: 'heartbeat', interval_seconds: 60 } }))
  await ask('POST', '/call-addresses', { body: { addresses: [{ path, monitor_id: beat }] } })
  ids.add('/heartbeats', [], beat)
  const started = await ask('POST', '/imports?file_name=a.txt', {
    rawBody: `${target}/${randomUUID()} Site`,
    headers: binary,
  })
  ids.add('/imports', [], idIn(started))
}

export const binary = { 'Content-Type': 'application/octet-stream' }
export const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR42mP4/5+BFAQA/U4f4d7IdZcAAAAASUVORK5CYII='

/** What no request makes at once: it comes of payments, of agents and of jobs. */
async function addBeside({ api: { database }, workspaceId, ownerId }: Filling, ids: Ids): Promise<void> {
  const sessions = await database.pool.query<{ id: string }>('select id from people.session where "userId" = $1', [
    ownerId,
  ])
  for (const { id } of sessions.rows) ids.add('/sessions', [], id)
  const link = randomUUID()
  await database.pool.query(
    `insert into provider_subjects (id, person_id, issuer, subject, created_at)
    values ($1::uuid, $2, 'https://login.example', $1::text, now())`,
    [link, ownerId],
  )
  ids.add('/provider-links', [], link)
  const payment = await addPayment(database, { workspaceId, amountCents: 5000 })
  ids.add('/payments', [], payment.id)
  await addAgent(database, workspaceId, ids)
  const channel = ids.pick('/alert-channels', newest)?.[0] ?? ''
  const delivery = randomUUID()
  await database.pool.query(
    `insert into deliveries (id, workspace_id, alert_channel_id, alert, state, due_at, ended_at, error)
    values ($1, $2, $3, '{"type": "test"}', 'failed', now(), now(), 'refused')`,
    [delivery, workspaceId, channel],
  )
  ids.add('/alert-channels/{id}/deliveries', [channel], delivery)
  await database.pool.query(
    `insert into vulnerabilities (id, aliases, source, summary, severity, url)
    values ('GHSA-test', '{}', 'osv', 'It is wrong.', 'high', 'https://osv.dev/') on conflict do nothing`,
  )
  const finding = randomUUID()
  await database.pool.query(
    `insert into findings (id, monitor_key, software_id, vulnerability, found_at)
    select $1, monitor_key, id, 'GHSA-test', now() from monitor_software where id = $2`,
    [finding, ids.pick('/monitors/{id}/software', newest)?.[1]],
  )
  ids.add('/monitors/{id}/vulnerabilities', [ids.pick('/monitors/{id}/software', newest)?.[0] ?? ''], finding)
  await addVerified(database, ids)
}

async function addVerified(database: Filling['api']['database'], ids: Ids): Promise<void> {
  const monitorId = ids.pick('/monitors', newest)?.[0] ?? ''
  await database.pool.query(
    `insert into canary_purchases (id, monitor_key, begun_at, location, state)
    select gen_random_uuid(), key, now(), 'amsterdam', 'not_bought' from monitors where id = $1`,
    [monitorId],
  )
  const exposureId = await addExposure(database, { monitorId, source: 'import' })
  ids.add('/exposures', [], exposureId)
  const verification = randomUUID()
  await database.pool.query('insert into exposure_verifications (id, exposure_id, asked_at) values ($1, $2, now())', [
    verification,
    exposureId,
  ])
  await database.pool.query(
    `insert into exposure_scans (verification_id, location, scanned_at, saw) values ($1, 'amsterdam', now(), 'nothing')`,
    [verification],
  )
}

async function addAgent(database: Filling['api']['database'], workspaceId: string, ids: Ids): Promise<void> {
  const id = randomUUID()
  const claimHash = Buffer.from(id)
  const at = new Date()
  const named = { type: 'anonymous', name: 'Agent', email: null, identity: null } as const
  await insertRegistration(database, { id, ...named, workspaceId, claimHash, claimExpiresAt: at, createdAt: at })
  await database.pool.query(`update agent_registrations set claimed_at = now() where id = $1`, [id])
  ids.add('/agents', [], id)
}

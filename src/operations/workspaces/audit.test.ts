import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { type AuditSubject, auditDays, auditEntrySchema } from '#core/audit.ts'
import { forgetAuditEntries, insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Answer } from '../../../test/support/api.ts'
import { iconPicture, pngPicture } from '../../../test/support/pictures.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { addExposure, compare, publish } from '../../../test/support/software.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { until } from '../../../test/support/until.ts'
import { operations } from '#operations/index.ts'
import { type Caller } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

function idOf(answer: Answer): string {
  return made.parse(answer.body).data.id
}

const reported = z.object({
  software: z.array(z.object({ id: z.uuid(), name: z.string() })),
  findings: z.array(z.object({ id: z.uuid() })),
})
const page = z.object({ data: z.array(auditEntrySchema), next_cursor: z.string().nullable() })
const made = z.object({ data: z.object({ id: z.uuid() }) })

function hoursAway(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString()
}

describe('the audit log', async () => {
  const receiver = await startReceiver()
  after(() => receiver.close())
  const people = await peopleApi({ services: { carriers: testCarriers(), tryCheck: async () => ({ type: 'silent' }) } })
  const { api } = people
  const { browser, workspaceId: workspace, personId } = await people.newcomer('owner@example.com', 'Olga')
  const call = (method: string, path: string, body?: unknown) =>
    browser.api(method, path, { workspace, ...(body === undefined ? {} : { body }) })
  const entries = async (query = '') => page.parse((await call('GET', `/audit-entries${query}`)).body)
  const monitor = { name: 'Shop', kind: 'http', url: 'https://shop.example/?key=topsecret' }

  async function tellReaders(incident: string): Promise<void> {
    const statusPage = idOf(await call('POST', '/status-pages', { slug: 'acme', title: 'Acme' }))
    await call('PATCH', `/status-pages/${statusPage}`, { description: 'Topsecret' })
    const pictures = { logo: pngPicture(), favicon: iconPicture() }
    for (const [kind, picture] of Object.entries(pictures)) {
      const path = `/status-pages/${statusPage}/${kind}`
      const image = Buffer.from(picture).toString('base64')
      assert.equal((await call('PUT', path, { image })).status, 200)
      assert.equal((await call('DELETE', path)).status, 204)
    }
    const post = idOf(await call('POST', `/incidents/${incident}/posts`, { state: 'identified', body: 'Topsecret' }))
    await call('PATCH', `/status-posts/${post}`, { body: 'Also topsecret' })
    await call('DELETE', `/status-posts/${post}`)
    await call('POST', `/status-pages/${statusPage}/announcements`, { title: 'We move', body: 'Topsecret' })
    const destination = 'https://hook.example/topsecret'
    const subscriber = idOf(await call('POST', `/status-pages/${statusPage}/subscribers`, { destination }))
    await call('DELETE', `/status-subscribers/${subscriber}`)
    await call('DELETE', `/status-pages/${statusPage}`)
  }

  it('has one entry for each operation that changes something, with its actor and target', async () => {
    const guest = await people.newcomer('guest@example.com')
    await call('POST', '/invitations', { email: 'guest@example.com', role: 'viewer' })
    const { parameters } = await people.mailTo('guest@example.com', /You have been invited/)
    await guest.browser.api('POST', '/invitations/accept', { body: { token: parameters.get('token') ?? '' } })
    await call('PATCH', `/members/${guest.personId}`, { role: 'member' })
    await call('DELETE', `/members/${guest.personId}`)
    const invitation = idOf(await call('POST', '/invitations', { email: 'guest@example.com', role: 'viewer' }))
    await call('DELETE', `/invitations/${invitation}`)
    await call('PATCH', '/workspace', { name: 'Shops' })
    const token = idOf(await call('POST', '/api-tokens', { name: 'CI', scope: 'read' }))
    await call('DELETE', `/api-tokens/${token}`)
    const screen = `/screens/${idOf(await call('POST', '/screens', { name: 'Office', tags: ['topsecret'] }))}`
    await call('PATCH', screen, { name: 'Hall' })
    await call('DELETE', screen)
    const provider = { name: 'Login', issuer: 'https://login.example', client_id: 'x', client_secret: 'topsecret' }
    await call('PUT', '/single-sign-on/provider', provider)
    await call('DELETE', '/single-sign-on/provider')
    const domain = idOf(await call('POST', '/single-sign-on/domains', { domain: 'shop.example' }))
    await call('DELETE', `/single-sign-on/domains/${domain}`)
    await call('PUT', '/account/billing', { billing_name: 'Topsecret Ltd' })
    const monitorId = idOf(await call('POST', '/monitors', monitor))
    await call('PATCH', `/monitors/${monitorId}`, { name: 'Shop', keyword: 'topsecret' })
    const day = { date: '2026-01-31', up: 1, down: 0 }
    await call('PUT', `/monitors/${monitorId}/imported-days`, { source: 'Topsecret', days: [day] })
    await call('POST', `/monitors/${monitorId}/pause`)
    await call('POST', `/monitors/${monitorId}/resume`)
    const objects = [{ section: 'monitors', key: 'shop', id: monitorId }]
    await call('POST', '/project-objects', { project: 'shops', objects })
    const address = { path: '/api/push/topsecret0123456789', monitor_id: null }
    await call('POST', '/call-addresses', { addresses: [address] })
    const file = { rawBody: 'https://a.example/ Topsecret', headers: { 'Content-Type': 'application/octet-stream' } }
    const started = await browser.api('POST', '/imports?file_name=list.txt', { workspace, ...file })
    await call('POST', `/imports/${idOf(started)}/undo`)
    const incident = await openIncident(monitorId)
    await call('POST', `/incidents/${incident}/acknowledge`)
    await call('PUT', `/incidents/${incident}/assignee`, { person_id: personId })
    const comments = `/incidents/${incident}/comments`
    const comment = `${comments}/${idOf(await call('POST', comments, { body: 'Topsecret' }))}`
    await call('PATCH', comment, { body: 'Topsecret again' })
    await call('DELETE', comment)
    const reportedIncident = idOf(await call('POST', '/incidents', { monitor_id: monitorId, title: 'Slow tills' }))
    await call('POST', `/incidents/${reportedIncident}/resolve`)
    await changeSoftware(monitorId)
    await call('DELETE', `/monitors/${monitorId}`)
    const contact = idOf(
      await call('POST', '/alert-channels', {
        name: 'Hook',
        kind: 'webhook',
        destination: 'https://hook.example/topsecret',
      }),
    )
    await api.database.pool.query('update alert_channels set destination = $1 where id = $2', [receiver.url, contact])
    assert.equal((await call('POST', `/alert-channels/${contact}/test`)).status, 200)
    await call('PATCH', `/alert-channels/${contact}`, { name: 'Call' })
    assert.equal((await call('POST', `/alert-channels/${contact}/signing-secret`)).status, 201)
    assert.equal(
      (await call('POST', `/alert-channels/${contact}/deliveries/${await failedTo(contact)}/resend`)).status,
      202,
    )
    const steps = [{ after_minutes: 0, contact_ids: [contact] }]
    const policy = idOf(await call('POST', '/escalation-policies', { name: 'Duty', steps }))
    await call('PATCH', `/escalation-policies/${policy}`, { name: 'Operations' })
    await call('DELETE', `/escalation-policies/${policy}`)
    await call('DELETE', `/alert-channels/${contact}`)
    const mail = idOf(
      await call('POST', '/alert-channels', { name: 'Mail', kind: 'email', destination: 'ops@a.example' }),
    )
    assert.equal((await call('POST', `/alert-channels/${mail}/confirmation`)).status, 200)

    const layer = { participants: [mail], rotation: { every: 1, unit: 'days' }, hand_over: '09:00' }
    const duty = { name: 'Duty', time_zone: 'UTC', layers: [{ ...layer, start_date: '2026-01-01' }] }
    const schedule = `/on-call-schedules/${idOf(await call('POST', '/on-call-schedules', duty))}`
    await call('PATCH', schedule, { name: 'Nights' })
    const free = { starts_at: hoursAway(1), ends_at: hoursAway(2), contact_id: null }
    await call('DELETE', `${schedule}/overrides/${idOf(await call('POST', `${schedule}/overrides`, free))}`)
    await call('POST', `${schedule}/calendar`)
    await call('DELETE', `${schedule}/calendar`)
    await call('DELETE', schedule)
    const content = JSON.stringify({ schedule: { name: 'Nights', time_zone: 'UTC', schedule_layers: [] } })
    await call('POST', '/on-call-schedules/import', { source: 'pagerduty', content })
    await call('POST', '/on-call-schedules/import', { source: 'pagerduty', content, dry_run: false })

    const slo = `/slos/${idOf(await call('POST', '/slos', { name: 'Up', tags: ['web'], objective: 99 }))}`
    await call('PATCH', slo, { name: 'Reachable' })
    await api.database.pool.query(`update slos set alarm = 'burning', alarm_id = gen_random_uuid(), alarm_at = now()`)
    await call('POST', `${slo}/acknowledge`)
    await call('DELETE', slo)
    await api.database.pool.query('update alert_channels set confirmed = true where id = $1', [mail])
    const weekly = { name: 'Weekly', period: 'weekly', time_zone: 'UTC', recipients: [mail] }
    const report = `/reports/${idOf(await call('POST', '/reports', weekly))}`
    await call('PATCH', report, { hour: 9 })
    await call('POST', `${report}/send`)
    await call('DELETE', report)

    const planned = { name: 'Upgrade', schedule: { type: 'once', starts_at: hoursAway(-1), ends_at: hoursAway(1) } }
    const window = idOf(await call('POST', '/maintenance-windows', planned))
    await call('POST', `/maintenance-windows/${window}/end`)
    await call('PUT', `/maintenance-windows/${window}`, { ...planned, name: 'Move' })
    await call('DELETE', `/maintenance-windows/${window}`)
    const view = `/saved-views/${idOf(await call('POST', '/saved-views', { name: 'Tills', view: { q: 'topsecret' } }))}`
    await call('PATCH', view, { name: 'Shop tills' })
    await call('DELETE', view)
    await tellReaders(incident)

    const { data } = await entries('?limit=200')
    const changing = operations.filter(
      ({ method, actsFor, name, changesNothing }) =>
        method !== 'GET' && actsFor === 'workspace' && changesNothing !== true && !elsewhere.has(name),
    )
    for (const { name } of changing) {
      const found = data.filter(({ action }) => action === name)
      assert.equal(found.length, twice.has(name) ? 2 : 1, name)
      for (const entry of found) {
        assert.deepEqual(entry.actor, { kind: 'person', id: personId, name: 'Olga' })
        assert.match(entry.target.id ?? '', /^[0-9a-f-]{36}$/, name)
        if (name !== 'update_billing_details') assert.notEqual(entry.target.name, null, name)
      }
    }
    const text = JSON.stringify(data)
    assert.doesNotMatch(text, /topsecret/i, 'values are nobody else’s')
    const detailsOf = (name: string) => data.find(({ action }) => action === name)?.details
    assert.deepEqual(detailsOf('update_monitor'), { fields: ['keyword'] })
    assert.deepEqual(detailsOf('change_member_role'), { fields: ['role'], from: 'viewer', role: 'member' })
    assert.match(text, new RegExp(`"id":"${guest.personId}","name":"Somebody"},"action":"accept_invitation"`))
  })

  it('says nothing of what changed nothing, and of what was refused', async () => {
    const id = idOf(await call('POST', '/monitors', monitor))
    const before = (await entries('?limit=200')).data.length
    assert.equal((await call('POST', `/monitors/${id}/resume`)).status, 200)
    assert.equal((await call('PATCH', `/monitors/${id}`, { name: 'x', interval_seconds: 1 })).status, 422)
    assert.equal((await call('DELETE', `/monitors/${randomUUID()}`)).status, 404)
    const schedule = { type: 'weekly', weekdays: [1], starts: '03:00', duration_minutes: 30 }
    const preview = await call('POST', '/maintenance-windows/preview', { schedule, time_zone: 'UTC' })
    assert.equal(preview.status, 200, JSON.stringify(preview.body))
    assert.equal((await entries('?limit=200')).data.length, before)
    const keyed = () =>
      browser.api('POST', '/monitors', { workspace, body: monitor, headers: { 'Idempotency-Key': 'one' } })
    assert.deepEqual([(await keyed()).status, (await keyed()).status], [201, 200])
    assert.equal((await entries('?limit=200')).data.length, before + 1)
  })

  it('tells tokens from people', async () => {
    const { token } = z
      .object({ token: z.string() })
      .parse((await call('POST', '/api-tokens', { name: 'CI', scope: 'write' })).body)
    await api.post('/monitors', monitor, { token })
    const [newest] = (await entries('?limit=1')).data
    assert.deepEqual([newest?.action, newest?.actor.kind, newest?.actor.name], ['create_monitor', 'token', 'CI'])
  })

  it('commits with the change or not at all', async () => {
    const caller: Caller = {
      workspaceId: workspace,
      scope: 'write',
      tokenId: 'x',
      actor: 'Test',
      actorKind: 'system',
      actorId: null,
      person: null,
      role: null,
    }
    const request = { path: {}, query: {}, readBody: async () => ({}), idempotencyKey: null, payment: undefined }
    const before = (await entries('?limit=200')).data.length
    const failing = defineOperation({
      name: 'fail_late',
      method: 'POST',
      path: '/x',
      scope: 'write',
      tag: 'Console',
      summary: '',
      errors: [],
      success: { status: 204, description: '' },
      run: async ({ services }) => {
        await services.database.transaction(async (tx) => {
          await tx.query.updateTable('workspaces').set({ name: 'Never' }).where('id', '=', workspace).execute()
          throw new Error('too late')
        })
        return { status: 204, body: undefined }
      },
    })
    await assert.rejects(failing.perform({ caller, now: new Date(), services: api.services }, request), /too late/)
    assert.equal((await entries('?limit=200')).data.length, before)
    // The database takes no names of targets with this letter, so that it refuses the entry, and with it the change.
    await api.database.pool.query(`alter table audit_entries add constraint no_x check (target_name not like '%×%')`)
    const renamed = call('PATCH', '/workspace', { name: 'Never ×' })
    await assert.rejects(renamed, /no_x/)
    api.errors.length = 0
    const { rows } = await api.database.pool.query('select name from workspaces where id = $1', [workspace])
    assert.doesNotMatch(rows[0].name, /Never/)
  })

  it('has one entry of a change that met others and began anew, and none of one that met them every time', async () => {
    const { pool } = api.database
    // A sequence knows no rollback: the next so many attempts end as the loser of a deadlock does.
    await pool.query(`
      create sequence collisions increment -1 minvalue -1000 maxvalue 1000;
      create function collide() returns trigger language plpgsql as $$
      begin
        if nextval('collisions') >= 0 then
          raise exception using errcode = '40P01';
        end if;
        return new;
      end $$;
      create trigger collide before update of name on workspaces for each row execute function collide()`)
    const renameAfter = async (collisions: number, name: string): Promise<Answer> => {
      await pool.query("select setval('collisions', $1)", [collisions])
      return call('PATCH', '/workspace', { name })
    }
    assert.equal((await renameAfter(2, 'Third time')).status, 200)
    const renames = (await entries('?limit=3')).data.filter(({ target }) => target.name === 'Third time')
    assert.deepEqual(
      renames.map(({ action }) => action),
      ['rename_workspace'],
    )
    const refused = await renameAfter(1000, 'Never')
    assert.deepEqual([refused.status, refused.headers.get('retry-after'), codeOf(refused)], [503, '5', 'unavailable'])
    assert.equal((await entries('?limit=1')).data[0]?.target.name, 'Third time')
    assert.deepEqual(api.errors, [])
    await pool.query('drop trigger collide on workspaces')
  })

  it('comes in pages, newest first, in which nothing is twice or missing while entries are added', async () => {
    const { browser: other, workspaceId } = await people.newcomer('pages@example.com')
    const add = (name: string) =>
      insertAuditEntry(api.database, {
        workspaceId,
        at: new Date(),
        actor: { kind: 'system', id: null, name: 'Test' },
        action: name,
        target: { kind: 'workspace', id: workspaceId, name: null },
        details: {},
      })
    for (let count = 1; count <= 25; count += 1) await add(`made_${count}`)
    const read = async (query: string) =>
      page.parse((await other.api('GET', `/audit-entries${query}`, { workspace: workspaceId })).body)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { data, next_cursor: next } = await read(`?limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...data.map(({ action }) => action))
      cursor = next
      await add('meanwhile')
    }
    assert.deepEqual(seen, [...Array.from({ length: 25 }, (_, index) => `made_${25 - index}`), 'create_workspace'])
    for (const query of ['?limit=0', '?limit=201', '?cursor=x', '?cursor=-1', '?unknown=1'])
      assert.equal((await other.api('GET', `/audit-entries${query}`, { workspace: workspaceId })).status, 422, query)
    assert.deepEqual((await entries('?cursor=1')).data, [], 'cursors of others show nothing')
  })

  it('shows the entries that are asked for', async () => {
    const { browser: other, workspaceId } = await people.newcomer('filters@example.com', 'Ines')
    const targetId = randomUUID()
    const add = (day: number, actor: 'person' | 'token', target: { kind: AuditSubject; name: string | null }) =>
      insertAuditEntry(api.database, {
        workspaceId,
        at: new Date(Date.UTC(2026, 9, day)),
        actor: { kind: actor, id: null, name: actor === 'person' ? 'Zoë' : 'CI' },
        action: `day_${day}`,
        target: { ...target, id: day === 3 ? targetId : null },
        details: {},
      })
    await add(1, 'person', { kind: 'monitor', name: '100% Shop' })
    await add(2, 'token', { kind: 'monitor', name: 'Blog' })
    await add(3, 'token', { kind: 'slo', name: 'Shop is up' })
    const shown = async (query: string): Promise<string[]> => {
      const { status, body } = await other.api('GET', `/audit-entries${query}`, { workspace: workspaceId })
      assert.equal(status, 200, JSON.stringify(body))
      return page.parse(body).data.map(({ action }) => action)
    }
    assert.deepEqual(await shown('?actor=token'), ['day_3', 'day_2'])
    assert.deepEqual(await shown('?actor=person,token&target=monitor'), ['day_2', 'day_1'])
    assert.deepEqual(await shown('?name=shop'), ['day_3', 'day_1'])
    assert.deepEqual(await shown('?name=0%25'), ['day_1'])
    assert.deepEqual(await shown('?name=zo%C3%8B'), ['day_1'])
    assert.deepEqual(await shown(`?target_id=${targetId}`), ['day_3'])
    assert.deepEqual(await shown('?since=2026-10-02T00:00:00Z&until=2026-10-03T00:00:00Z'), ['day_2'])
    assert.deepEqual(await shown('?name=shop&limit=1'), ['day_3'])
    for (const query of ['?actor=nobody', '?target=', '?target_id=x', '?name=', '?since=yesterday'])
      assert.equal((await other.api('GET', `/audit-entries${query}`, { workspace: workspaceId })).status, 422, query)
  })

  it(`is kept for ${auditDays} days`, async () => {
    const now = new Date()
    const { rowCount } = await api.database.pool.query(`update audit_entries set at = $1`, [
      new Date(now.getTime() - auditDays * 86_400_000),
    ])
    assert.equal(await forgetAuditEntries(api.database, now), 0)
    assert.equal(await forgetAuditEntries(api.database, new Date(now.getTime() + 1)), rowCount)
  })

  async function changeSoftware(monitorId: string): Promise<void> {
    await api.database.pool.query(`update workspaces set plan = 'pro' where id = $1`, [workspace])
    const path = `/monitors/${monitorId}`
    await publish(api.database, { id: 'CVE-2026-9001', product: 'npm:cart', stretches: [{ fixed: '2.0.0' }] })
    await call('POST', `${path}/software`, { name: 'npm:cart', version: '1.0.0' })
    await compare(api.database)
    const listed = async () => reported.parse((await call('GET', `${path}/vulnerabilities`)).body).findings
    // The jobs may have the software in hand at this moment.
    await until('a finding', async () => (await listed()).length > 0)
    const findings = await listed()
    await call('POST', `${path}/vulnerabilities/${findings[0]?.id}/fixed`)
    const { software } = reported.parse((await call('GET', `${path}/vulnerabilities`)).body)
    await call('PATCH', `${path}/software/${software[0]?.id}`, { version: '2.0.1' })
    await call('POST', `${path}/software/import`, { content: 'nginx 1.27.0', name: 'servers' })
    await call('DELETE', `${path}/software/import?file=servers`)
    await call('DELETE', `${path}/software/${software[0]?.id}`)
    await call('POST', `${path}/vulnerabilities/scan`)
    const exposure = await addExposure(api.database, { monitorId })
    assert.equal((await call('POST', `/exposures/${exposure}/verify`)).status, 202)
  }

  async function failedTo(contactId: string): Promise<string> {
    const id = randomUUID()
    await api.database.pool.query(
      `insert into deliveries (id, workspace_id, alert_channel_id, alert, state, due_at)
      values ($1, $2, $3, '{"type":"monitor.down"}', 'failed', now())`,
      [id, workspace, contactId],
    )
    return id
  }

  async function openIncident(monitorId: string): Promise<string> {
    const id = randomUUID()
    await api.database.pool.query(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at)
      values ($1, $2, $3, 'Shop', 'open', 'Shop is down', now())`,
      [id, workspace, monitorId],
    )
    return id
  }
})

const twice = new Set(['create_invitation', 'create_alert_channel'])

/** Takes its log along, or has a test of its own beside it. */
const elsewhere = new Set([
  'delete_workspace',
  'update_agent',
  'disconnect_agent',
  'authorize_program',
  'authorize_device',
  'complete_claim',
  'take_over_workspace',
  'renew_monitor',
  'top_up_credit',
  'replace_call_address',
  'change_monitors',
  'continue_import',
  'prove_sign_in_domain',
])

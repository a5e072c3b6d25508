import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { acknowledgeUrl } from '#contacts/acknowledge-links.ts'
import { unsubscribeUrl } from '#contacts/links.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { createLimits } from '#operations/pipeline/limits.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { listIncidentEvents } from '#store/incidents/incidents.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../test/support/alerts.ts'
import { testApi } from '../../test/support/api.ts'
import { testDatabase } from '../../test/support/database.ts'
import { createAcknowledgePages } from './acknowledge-pages.ts'

const rates = { failuresPerMinute: 1, registrationsPerMinute: 1, anonymousPerDay: 1 }

describe('the page behind the link in an alert', async () => {
  let now = new Date()
  const database = await testDatabase({ maxConnections: 8 })
  const secrets = createSecrets(randomBytes(32))
  const limits = createLimits({ readsPerMinute: 1, writesPerMinute: 1, ...rates })
  const pages = createAcknowledgePages({ services: { database, secrets }, limits, now: () => now })
  const { app } = await testApi({ database, http: { addRoutes: (whole) => whole.route('/', pages) } })
  let workspaceId = ''
  let monitorId = ''
  let contactId = ''
  let incidentId = ''
  let url = ''
  let caller = 0

  beforeEach(async () => {
    now = new Date()
    caller += 1
    workspaceId = await addWorkspace(database)
    monitorId = await addMonitor(database, { workspaceId })
    contactId = await addContact(database, { workspaceId, kind: 'email', name: 'Night desk' })
    await choose(true)
    incidentId = (await addDownAlert(database, { workspaceId, monitorId })).incidentId
    url = linkOf()
  })

  const choose = (isChosen: boolean) =>
    database.pool.query('update alert_channels set alert_rules = $2 where id = $1', [
      contactId,
      { acknowledge_link: isChosen },
    ])
  const linkOf = (addressNumber = 0, incident = incidentId): string =>
    acknowledgeUrl('', { incidentId: incident, contact: { id: contactId, addressNumber }, alertAt: now }, secrets)
  const ask = async (method: string, at = url, form?: Record<string, string>) => {
    const body = form === undefined ? {} : { body: new URLSearchParams(form) }
    const response = await app.request(at, { method, ...body }, { address: `192.0.2.${caller}` })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const formToken = async (at = url): Promise<string> => {
    const [, token = ''] = /name="token" value="([^"]+)"/.exec((await ask('GET', at)).text) ?? []
    return token
  }
  const status = async (): Promise<string | undefined> => {
    const { rows } = await database.pool.query<{ status: string }>('select status from incidents where id = $1', [
      incidentId,
    ])
    return rows[0]?.status
  }
  const acknowledgements = async () => {
    const events = await listIncidentEvents(database, incidentId)
    return events.filter(({ type }) => type === 'acknowledged')
  }
  const audited = async () => {
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 10 })
    return entries.map(({ actor, action, target, details }) => ({ actor, action, target, details }))
  }
  const resolve = () =>
    database.transaction((tx) => resolveIncidents(tx, [{ incidentId, at: now, message: 'It is up.' }]))

  it('shows name and state, and changes nothing when it is opened', async () => {
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status: answered, headers } = await ask(method)
      assert.equal(answered, 200)
      const shown = ['cache-control', 'referrer-policy', 'x-robots-tag', 'x-frame-options'].map((name) =>
        headers.get(name),
      )
      assert.deepEqual(shown, ['no-store', 'no-referrer', 'noindex, nofollow', 'DENY'])
      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; .*form-action 'self'/)
    }
    const { text } = await ask('GET')
    assert.match(text, /<h1>Shop API<\/h1><p>This incident is open\./)
    assert.match(text, /<button type="submit">Acknowledge<\/button>/)
    assert.doesNotMatch(text, /503|shop\.example|Night desk|<script|https?:/)
    assert.equal(await status(), 'open')
  })

  it('acknowledges with the token of its form, says who did, and stands in the audit log', async () => {
    const token = await formToken()
    const { status: answered, text } = await ask('POST', url, { token })
    assert.equal(answered, 200)
    assert.match(text, /This incident was acknowledged by Night desk at \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)
    assert.doesNotMatch(text, /<form/)
    assert.equal(await status(), 'acknowledged')
    const [event, ...more] = await acknowledgements()
    assert.deepEqual([event?.actor, more], ['Night desk', []])
    assert.equal(event?.message, 'Acknowledged by Night desk, by the link in an alert.')
    assert.deepEqual(event.details, { alert_channel_id: contactId, by: 'the link in an alert' })
    assert.deepEqual(await audited(), [
      {
        actor: { kind: 'system', id: null, name: 'Link in an alert' },
        action: 'acknowledge_incident',
        target: { kind: 'incident', id: incidentId, name: 'Shop API' },
        details: { alert_channel_id: contactId },
      },
    ])
  })

  it('is worth nothing a second time', async () => {
    const token = await formToken()
    await ask('POST', url, { token })
    const { status: answered, text } = await ask('POST', url, { token })
    assert.equal(answered, 200)
    assert.match(text, /acknowledged by Night desk/)
    assert.deepEqual([(await acknowledgements()).length, (await audited()).length], [1, 1])
  })

  it('makes one event of two browsers at once', async () => {
    const tokens = [await formToken(), await formToken()]
    const answers = await Promise.all(tokens.map((token) => ask('POST', url, { token })))
    for (const { status: answered, text } of answers)
      assert.deepEqual([answered, /acknowledged by Night desk/.test(text)], [200, true])
    assert.deepEqual([(await acknowledgements()).length, (await audited()).length], [1, 1])
  })

  it('refuses a POST without the token of its form, and shows the page anew', async () => {
    const another = await addMonitor(database, { workspaceId })
    const its = await addDownAlert(database, { workspaceId, monitorId: another })
    const other = await formToken(linkOf(0, its.incidentId))
    for (const form of [undefined, {}, { token: '' }, { token: 'x' }, { token: other }]) {
      const { status: answered, text } = await ask('POST', url, form)
      assert.equal(answered, 403)
      assert.match(text, /name="token" value="\d+\.[\w-]{22}"/)
    }
    const late = await formToken()
    now = new Date(now.getTime() + 600_000)
    assert.equal((await ask('POST', url, { token: late })).status, 403)
    assert.equal(await status(), 'open')
    assert.equal((await ask('POST', url, { token: await formToken() })).status, 200)
    assert.equal(await status(), 'acknowledged')
  })

  it('takes no long form', async () => {
    assert.equal((await ask('POST', url, { token: 'x'.repeat(5000) })).status, 413)
  })

  it('ends after seven days', async () => {
    const madeAt = now.getTime()
    now = new Date(madeAt + 7 * dayMs - 1)
    const token = await formToken()
    assert.notEqual(token, '')
    now = new Date(madeAt + 7 * dayMs)
    for (const method of ['GET', 'POST']) {
      const { status: answered, text } = await ask(method, url, method === 'POST' ? { token } : undefined)
      assert.equal(answered, 410)
      assert.match(text, /This link has expired/)
      assert.doesNotMatch(text, /Shop API|<form/)
    }
    assert.equal(await status(), 'open')
  })

  it('says that the incident is over, and changes nothing', async () => {
    const token = await formToken()
    await resolve()
    for (const shown of [await ask('GET'), await ask('POST', url, { token })]) {
      assert.equal(shown.status, 200)
      assert.match(shown.text, /was resolved at/)
      assert.doesNotMatch(shown.text, /<form/)
    }
    assert.deepEqual([await status(), await acknowledgements()], ['resolved', []])
  })

  it('shows who acknowledged it elsewhere', async () => {
    await database.transaction(async ({ query }) => {
      const event = { id: randomUUID(), incident_id: incidentId, at: now, message: '', type: 'acknowledged' }
      await query
        .insertInto('incident_events')
        .values({ ...event, actor: '<b>Ann</b>' })
        .execute()
      await query.updateTable('incidents').set({ status: 'acknowledged' }).where('id', '=', incidentId).execute()
    })
    const { text } = await ask('GET')
    assert.match(text, /acknowledged by &lt;b&gt;Ann&lt;\/b&gt; at/)
  })

  const withdrawals: [string, () => Promise<unknown>][] = [
    ['was deleted', () => database.pool.query('delete from alert_channels where id = $1', [contactId])],
    ['is off', () => database.pool.query('update alert_channels set enabled = false where id = $1', [contactId])],
    [
      'is unconfirmed',
      () => database.pool.query('update alert_channels set confirmed = false where id = $1', [contactId]),
    ],
    [
      'goes elsewhere',
      () => database.pool.query('update alert_channels set address_number = 1 where id = $1', [contactId]),
    ],
    ['has such links no more', () => choose(false)],
    [
      'has no rules any more',
      () => database.pool.query('update alert_channels set alert_rules = null where id = $1', [contactId]),
    ],
    [
      'is of a workspace that was closed',
      () =>
        database.pool.query(`update workspaces set closed_at = now(), closed_reason = 'deleted' where id = $1`, [
          workspaceId,
        ]),
    ],
  ]
  for (const [what, withdraw] of withdrawals)
    it(`is worth nothing once its contact ${what}`, async () => {
      const token = await formToken()
      await withdraw()
      const nothing = await ask('GET', linkOf(0, randomUUID()))
      assert.equal(nothing.status, 404)
      for (const method of ['GET', 'POST']) {
        const { status: answered, text } = await ask(method, url, method === 'POST' ? { token } : undefined)
        assert.deepEqual([answered, text], [404, nothing.text])
      }
      assert.equal(await status(), 'open')
    })

  it('is not to be had with an incident of another workspace, nor with a link that is cut or of another kind', async () => {
    const elsewhere = await addWorkspace(database)
    const theirs = await addMonitor(database, { workspaceId: elsewhere })
    const strange = linkOf(0, (await addDownAlert(database, { workspaceId: elsewhere, monitorId: theirs })).incidentId)
    const unsubscribing = unsubscribeUrl('', contactId, secrets).split('/').at(-1) ?? ''
    for (const wrong of [strange, url.slice(0, -1), `${url}x`, url.replace(/.{22}$/, unsubscribing.slice(0, 22))])
      for (const method of ['GET', 'POST']) assert.equal((await ask(method, wrong)).status, 404, wrong)
  })

  it('is refused to an address that asks for too many, and to other methods', async () => {
    assert.equal((await ask('DELETE')).status, 405)
    let last = await ask('GET')
    for (let count = 0; count < 120 && last.status === 200; count += 1) last = await ask('GET')
    assert.equal(last.status, 429)
    assert.match(last.headers.get('retry-after') ?? '', /^\d+$/)
    assert.match(last.text, /Too many requests/)
  })
})

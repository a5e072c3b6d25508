import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { contactSchema } from '#core/contacts/contact-record.ts'
import { incidentDetailSchema, incidentSchema } from '#core/incidents/incident.ts'
import { type MonitorDetail, monitorDetailSchema } from '#core/monitors/monitor-detail.ts'
import { type MonitorRecord, monitorSchema } from '#core/monitors/monitor.ts'
import { openDatabase } from '#store/database/database.ts'
import { startEmbedded } from '#store/embedded/embedded.ts'
import { makeCertificate } from '../support/certificates.ts'
import { assertConsistent } from '../support/consistency.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { headerOf, textOf } from './mails.ts'
import { locationCodes, startService } from './service.ts'
import { assertDetail, assertEvents, type Incident } from './story.ts'
import { apiTarget, type Target, tcpTarget, tlsTarget, webTarget } from './targets.ts'
import { verifySigned } from '../support/signed-message.ts'

const intervalMs = 10_000
const recoveryThreshold = 2
const reader = 'operations@example.com'
/** Results of one round come from three locations; a batch and an answer take their time. */
const slackMs = 2_000

const one = <T extends z.ZodType>(schema: T) => z.object({ data: schema })
const many = <T extends z.ZodType>(schema: T) => z.object({ data: z.array(schema) })
const monitor = z.looseObject({ data: monitorSchema })
const contact = z.object({ data: contactSchema, signing_secret: z.string().optional() })
const alert = z.looseObject({
  type: z.string(),
  data: z.looseObject({
    monitor: z.looseObject({ id: z.string(), current_status: z.string() }),
    incident: incidentSchema.omit({ monitor_id: true, monitor_name: true, assignee: true, by_hand: true }),
  }),
})

describe('Perigee, started by a person', async () => {
  const authority = makeCertificate({ name: 'Test authority', isAuthority: true })
  const mail = await startMailServer()
  const receiver = await startReceiver()
  const service = await startService({ smtpUrl: mail.url, authority })
  let signingSecret = ''

  it('alerts an address only after the button behind its link was pressed', async () => {
    const body = { name: 'Hook', kind: 'webhook', destination: receiver.url }
    const hook = await service.ask(contact, { operation: 'create_alert_channel', body })
    signingSecret = hook.signing_secret ?? assert.fail('a webhook has a secret')
    const asked = { name: 'Operations', kind: 'email', destination: reader }
    const { data } = await service.ask(contact, { operation: 'create_alert_channel', body: asked })
    assert.equal(data.confirmed, false)
    await until('the mail that asks for confirmation', async () => mail.received.length === 1)
    const [request] = mail.received
    assert.deepEqual(request?.to, [reader])
    const [link] = /http:\/\/\S+\/contacts\/confirm\/[\w.-]+/.exec(textOf(request)) ?? []
    await press(link ?? assert.fail(request.raw), 'Confirm')
    const listed = await service.ask(many(contactSchema), { operation: 'list_alert_channels' })
    assert.equal(listed.data.find(({ id }) => id === data.id)?.confirmed, true)
  })

  describe('watches', { concurrency: true }, () => {
    it('a web server', async () => {
      const target = await webTarget()
      await watch(target, { name: 'Shop', kind: 'http', url: `http://127.0.0.1:${target.port}/`, keyword: 'well' })
    })

    it('a web server over TLS', async () => {
      const target = await tlsTarget(makeCertificate({ name: 'shop.example', names: ['127.0.0.1'], issuer: authority }))
      await watch(target, { name: 'Vault', kind: 'http', url: `https://127.0.0.1:${target.port}/` })
    })

    it('a member of what an API answers', async () => {
      const target = await apiTarget()
      const check_options = { json_path: 'checks.database', expected_value: 'ok' }
      await watch(target, { name: 'Orders', kind: 'api', url: `http://127.0.0.1:${target.port}/health`, check_options })
    })

    it('a port', async () => {
      const target = await tcpTarget()
      const check_options = { expected_text: '220' }
      await watch(target, { name: 'Relay', kind: 'tcp', url: `127.0.0.1:${target.port}`, check_options })
    })
  })

  it('sends no more mail after one click, and stops without leaving anything undone', async () => {
    const last = mail.received.at(-1) ?? assert.fail('no mail')
    const [, unsubscribe = ''] = /^<(.+)>$/.exec(headerOf(last, 'List-Unsubscribe')) ?? []
    assert.equal(headerOf(last, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const click = await fetch(unsubscribe, { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' })
    assert.equal(click.status, 200)
    const mails = mail.received.length
    const target = await webTarget()
    const { id } = await create({ name: 'Blog', kind: 'http', url: `http://127.0.0.1:${target.port}/` })
    await until('it is up', async () => (await read(id)).current_status === 'up')
    await target.fail()
    await until('the webhook is told', async () => alertsOf(id).length === 1, 2 * intervalMs + slackMs)
    service.perigee.child.kill('SIGTERM')
    assert.equal(await service.perigee.ended(), 0, service.perigee.stderr())
    assert.equal(service.perigee.stderr(), '')
    assert.equal(mail.received.length, mails)
    await checkData(service.dataFolder)
  })

  /** A target's story from its first check to its recovery. */
  async function watch(target: Target, input: Record<string, unknown>): Promise<void> {
    const { id, name } = await create(input)
    await until('it is up', async () => (await read(id)).current_status === 'up', intervalMs / 2)
    await target.fail()
    await until('both alerts', async () => areTold(id, name, 1), 2 * intervalMs + slackMs)
    const opened = await incidentOf(id)
    assert.equal(opened.status, 'open')
    assert.ok(opened.cause)
    await until('the alerts are noted', async () => (await incidentOf(id)).events.length === 3)
    const { data: acknowledged } = await service.ask(one(incidentSchema), {
      operation: 'acknowledge_incident',
      id: opened.id,
    })
    assert.deepEqual([acknowledged.status, acknowledged.resolved_at], ['acknowledged', null])
    await target.recover()
    await until('both are told of the recovery', async () => areTold(id, name, 2), 3 * intervalMs + slackMs)
    await until('that is noted', async () => (await incidentOf(id)).events.length === 7)
    // No more rounds: what is read now does not move.
    await service.ask(monitor, { operation: 'pause_monitor', id })
    const incident = await incidentOf(id)
    assertEvents(incident)
    assertAlerts(id, incident)
    assertDetail(await detailOf(id), incident)
  }

  async function create(input: Record<string, unknown>): Promise<MonitorRecord> {
    const body = {
      interval_seconds: intervalMs / 1000,
      locations: locationCodes,
      confirmation_threshold: 2,
      recovery_threshold: recoveryThreshold,
      ...input,
    }
    return (await service.ask(monitor, { operation: 'create_monitor', body })).data
  }

  async function read(id: string): Promise<MonitorRecord> {
    return (await service.ask(monitorDetailSchema, { operation: 'get_monitor', id })).data
  }

  async function incidentOf(monitorId: string): Promise<Incident> {
    const { data } = await service.ask(many(incidentSchema), { operation: 'list_incidents' })
    const found = data.filter((incident) => incident.monitor_id === monitorId)
    assert.equal(found.length, 1, 'one incident a breakdown')
    return (await service.ask(one(incidentDetailSchema), { operation: 'get_incident', id: found[0]?.id ?? '' })).data
  }

  /** Once the results of a round under way at the pause are in, every member tells of the same checks. */
  async function detailOf(id: string): Promise<MonitorDetail> {
    let detail = await service.ask(monitorDetailSchema, { operation: 'get_monitor', id })
    await until('results and days agree', async () => {
      detail = await service.ask(monitorDetailSchema, { operation: 'get_monitor', id })
      return detail.results.length === detail.days.reduce((sum, { checks }) => sum + checks, 0)
    })
    return detail
  }

  /** Alerts that the webhook got of a monitor, their signatures verified. */
  function alertsOf(monitorId: string): z.infer<typeof alert>[] {
    return receiver.received.flatMap((message) => {
      const verified = alert.parse(verifySigned(signingSecret, message))
      return verified.data.monitor.id === monitorId ? [verified] : []
    })
  }

  function areTold(id: string, name: string, times: number): boolean {
    const mails = mail.received.filter((each) => headerOf(each, 'Subject').includes(name))
    return alertsOf(id).length === times && mails.length === times
  }

  function assertAlerts(id: string, { id: incidentId, started_at, resolved_at }: Incident): void {
    const told = alertsOf(id).map(({ type, data }) => [type, data.monitor.current_status, data.incident.status])
    assert.deepEqual(told, [
      ['monitor.down', 'down', 'open'],
      ['monitor.up', 'up', 'resolved'],
    ])
    for (const { data } of alertsOf(id))
      assert.deepEqual([data.incident.id, data.incident.started_at], [incidentId, started_at])
    assert.equal(alertsOf(id)[1]?.data.incident.resolved_at, resolved_at)
  }
})

/** Opens the page as a browser does, which changes nothing yet, and sends its form. */
async function press(link: string, button: string): Promise<void> {
  const page = await fetch(link)
  const html = await page.text()
  assert.equal(page.status, 200, html)
  assert.match(html, new RegExp(`<form method="post"><button type="submit">${button}</button></form>`))
  const pressed = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(pressed.status, 200)
  assert.doesNotMatch(await pressed.text(), /<form/)
}

/** Checks the data that the stopped service left on its disk. */
async function checkData(folder: string): Promise<void> {
  const embedded = await startEmbedded({ folder })
  const database = openDatabase({ connection: embedded.connection, maxConnections: 1 })
  try {
    await assertConsistent(database)
    const { rows } = await database.pool.query('select 1 from graphile_worker.jobs where attempts < max_attempts')
    assert.deepEqual(rows, [])
  } finally {
    await database.close()
    await embedded.stop()
  }
}

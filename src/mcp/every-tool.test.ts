// Every tool does what it is for, at least once, and answers what its schema says.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { operations } from '#operations/index.ts'
import { addContact } from '../../test/support/alerts.ts'
import { testApi } from '../../test/support/api.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { callTool, credentialFor, paymentRequiredSchema, rpc } from '../../test/support/mcp-call.ts'
import { addRunningIncident, createMonitor } from '../../test/support/monitors.ts'
import { sandbox } from '../../test/support/paying.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import { addExposure, compare, publish } from '../../test/support/software.ts'
import { followExposures } from '#jobs/software/exposures.ts'
import { scanSoftware } from '#jobs/software/software-scans.ts'
import { verifySigned } from '../../test/support/signed-message.ts'
import { isOffered } from './tool.ts'

type Sent = Parameters<typeof callTool>[2]

const identified = z.object({ data: z.looseObject({ id: z.uuid() }) })
const quoted = z.object({ data: z.looseObject({ price_cents: z.int(), amount_due_cents: z.int() }) })
const reported = z.looseObject({
  pending: z.boolean(),
  software: z.array(z.looseObject({ id: z.uuid(), product: z.string(), version: z.string().nullable() })),
  findings: z.array(z.looseObject({ id: z.uuid(), vuln_id: z.string() })),
})
const defined = z.object({
  tools: z.array(z.looseObject({ name: z.string(), outputSchema: z.looseObject({}).optional() })),
})

const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

describe('every tool', async () => {
  const carriers = testCarriers()
  const api = await testApi({ payments: sandbox, services: { carriers, tryCheck: async () => ({ type: 'silent' }) } })
  const { database } = api
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const { tools } = defined.parse((await rpc(api, ['tools/list'])).result)
  const schemas = new Map(tools.map(({ name, outputSchema }) => [name, outputSchema]))
  const succeeded = new Set<string>()

  /** Holds an answer against the schema of its tool, as clients do. */
  function assertAnswer(name: string, { structuredContent, content }: Awaited<ReturnType<typeof callTool>>): void {
    const schema = schemas.get(name)
    if (schema === undefined) return assert.equal(structuredContent, undefined, name)
    assert.ok(ajv.validate(schema, structuredContent), `${name}: ${ajv.errorsText()}`)
    assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent)
  }

  /** Calls a tool and asserts a success. */
  async function use(name: string, given: Record<string, unknown> = {}, sent: Sent = {}): Promise<unknown> {
    const answer = await callTool(api, [name, given], sent)
    assert.equal(answer.isError, undefined, `${name}: ${answer.content[0]?.text}`)
    assertAnswer(name, answer)
    succeeded.add(name)
    return answer.structuredContent
  }

  it('about the account', async () => {
    await use('get_account')
    await use('update_billing_details', { billing_name: 'Example' })
    await use('list_locations')
  })

  it('about contacts: a test alert arrives, signed', async () => {
    const { url, received } = await startReceiver()
    const created = await use('create_alert_channel', { name: 'Hook', kind: 'webhook', destination: url })
    const { data, signing_secret: secret } = identified.extend({ signing_secret: z.string() }).parse(created)
    await use('list_alert_channels', { limit: 1 })
    const tested = await use('test_alert_channel', { id: data.id })
    assert.deepEqual(z.object({ data: z.looseObject({}) }).parse(tested).data['alert_channel_id'], data.id)
    const [alert] = received
    assert.ok(alert !== undefined && received.length === 1)
    assert.equal(z.looseObject({ type: z.string() }).parse(verifySigned(secret, alert)).type, 'test')
    await use('update_alert_channel', { id: data.id, name: 'Hook of the shop', enabled: false })
    const policy = { name: 'Operations', steps: [{ after_minutes: 0, contact_ids: [data.id] }] }
    const policyId = await idOf(use('create_escalation_policy', policy))
    await use('update_escalation_policy', { id: policyId, repeats: 1 })
    await use('get_escalation_policy', { id: policyId })
    await use('list_escalation_policies')
    await use('delete_escalation_policy', { id: policyId })
    await use('preview_alert_templates', { kind: 'slack', templates: { title: '{{ event }}' } })
    await use('delete_alert_channel', { id: data.id })
  })

  it('about service level objectives', async () => {
    const { id: monitorId } = await createMonitor(api)
    const id = await idOf(use('create_slo', { name: 'Checkout', monitor_ids: [monitorId], objective: 99.9 }))
    await use('update_slo', { id, objective: 99.5 })
    await use('get_slo', { id })
    await use('list_slos')
    await use('delete_slo', { id })
  })

  it('about who is on call', async () => {
    const contact = { name: 'Ada', kind: 'email', destination: 'ada@example.com' }
    const participants = [await idOf(use('create_alert_channel', contact))]
    const layer = { participants, rotation: { every: 1, unit: 'weeks' }, hand_over: '09:00', start_date: '2026-01-01' }
    const id = await idOf(use('create_on_call_schedule', { name: 'Shop', time_zone: 'Europe/Sofia', layers: [layer] }))
    await use('list_on_call_schedules')
    await use('get_on_call_schedule', { id })
    await use('get_on_call')
    await use('list_on_call_shifts', { id, layers: '1' })
    const [starts, ends] = [Date.now(), Date.now() + 3_600_000].map((at) => new Date(at).toISOString())
    const times = { starts_at: starts, ends_at: ends }
    const overrideId = await idOf(use('create_on_call_override', { id, ...times, contact_id: null }))
    await use('list_on_call_overrides', { id })
    await use('delete_on_call_override', { id, override_id: overrideId })
    await use('update_on_call_schedule', { id, name: 'Warehouse' })
    await use('delete_on_call_schedule', { id })
    const schedule = { name: 'Shop', time_zone: 'UTC', schedule_layers: [] }
    await use('import_on_call_schedules', {
      source: 'pagerduty',
      content: JSON.stringify({ schedule }),
      dry_run: false,
    })
  })

  it('about reports', async () => {
    const recipients = [await addContact(database, { workspaceId: api.workspaceId, kind: 'email' })]
    const report = { name: 'Shop', period: 'weekly', time_zone: 'Europe/Sofia', recipients }
    const id = await idOf(use('create_report', report))
    await use('list_reports')
    await use('get_report_content', { id, period: '2026-W01' })
    await use('update_report', { id, hour: 9 })
    await use('send_report', { id })
    await use('delete_report', { id })
  })

  it('about monitors and what happened to them', async () => {
    const input = { name: 'Another', url: 'https://example.com/', idempotency_key: 'one' }
    const id = await idOf(use('create_monitor', input))
    assert.equal(await idOf(use('create_monitor', input)), id)
    await use('list_monitors')
    await use('get_monitor', { id })
    await use('update_monitor', { id, name: 'Renamed' })
    await use('pause_monitor', { id })
    await use('resume_monitor', { id })
    await use('quote_monitor', { name: 'Another', url: 'https://example.com/' })
    await use('quote_monitor_change', { id })
    await use('quote_monitor_change', { id, name: 'Renamed', locations: ['amsterdam', 'boston'] })
    await use('list_results', { id, limit: 3 })
    await use('list_monitor_events', { id, limit: 3 })
    await use('list_parent_proposals', { id })
    await use('get_uptime', { id, from: '2026-01-01', to: '2026-01-31' })
    await use('delete_monitor', { id })
  })

  it('about incidents', async () => {
    const incidentId = await addRunningIncident(database, await createMonitor(api), new Date())
    await use('list_incidents')
    await use('get_incident', { id: incidentId })
    await use('get_incident_evidence', { id: incidentId })
    await use('acknowledge_incident', { id: incidentId })
  })

  it('about money: credit is bought, spent, and asked after', async () => {
    const { token } = await api.addWorkspace('pay_as_you_go')
    const wish = { amount_cents: 500 }
    const { error } = await rpc(api, ['tools/call', { name: 'top_up_credit', arguments: wish }], { token })
    const payment = credentialFor(paymentRequiredSchema.parse(error).data.challenges)
    await use('top_up_credit', wish, { token, payment })
    const id = await idOf(use('create_monitor', { name: 'Paid', url: 'https://example.com/' }, { token }))
    const quote = quoted.parse(await use('quote_renewal', { id }, { token })).data
    assert.deepEqual([quote.price_cents, quote.amount_due_cents], [1, 0])
    assert.equal(await idOf(use('renew_monitor', { id }, { token })), id)
    const spent = await use('list_credit_transactions', { offset: 0 }, { token })
    const amounts = z.object({ data: z.array(z.looseObject({ amount_cents: z.int() })) }).parse(spent).data
    assert.deepEqual(
      amounts.map(({ amount_cents: cents }) => cents),
      [-1, -1, 500],
    )
    const payments = z
      .object({ data: z.array(z.looseObject({ id: z.uuid() })) })
      .parse(await use('list_payments', {}, { token }))
    await use('get_payment', { id: payments.data[0]?.id }, { token })
    await use('get_receipt', { id: payments.data[0]?.id }, { token })
  })

  it('about software: a site is scanned, lists are kept', async () => {
    const { port } = await httpServer((request, response) =>
      response.writeHead(request.url === '/' ? 200 : 404, { server: 'nginx/1.26.1' }).end('<html></html>'),
    )
    const { id } = await createMonitor(api, { url: `http://127.0.0.1:${port}/` })
    assert.equal((await reportOf(use('scan_vulnerabilities', { id }))).pending, true)
    const { secrets } = api.services
    await scanSoftware(
      { database, carriers, privateNet: null, secrets, log: silentLog, now: () => new Date() },
      new AbortController().signal,
    )
    const { software } = await reportOf(use('get_vulnerabilities', { id }))
    assert.deepEqual([software[0]?.product, software[0]?.version], ['nginx', '1.26.1'])
    await use('import_software', { id, content: 'requests==2.31.0', filename: 'requirements.txt' })
    await use('remove_software_import', { id, file: 'requirements.txt' })
    await use('update_software', { id, software_id: software[0]?.id, ignored: true })
    const added = await reportOf(use('add_software', { id, name: 'npm:is-odd', version: '3.0.1' }))
    const odd = added.software.find(({ product }) => product === 'npm:is-odd')
    await use('remove_software', { id, software_id: odd?.id })
    await use('list_software_catalog', { limit: 500 })
  })

  it('about findings: one goes when its version is fixed', async () => {
    await publish(database, { id: 'CVE-2026-2001', product: 'npm:fix-me', stretches: [{ fixed: '1.2.4' }] })
    const { id } = await createMonitor(api)
    await use('add_software', { id, name: 'npm:fix-me', version: '1.2.3' })
    await compare(database)
    const [finding] = (await reportOf(use('get_vulnerabilities', { id }))).findings
    assert.equal(finding?.vuln_id, 'CVE-2026-2001')
    const { software } = await reportOf(use('mark_finding_fixed', { id, finding_id: finding.id }))
    assert.equal(software[0]?.version, '1.2.4')
    await compare(database)
    assert.deepEqual((await reportOf(use('get_vulnerabilities', { id }))).findings, [])
  })

  it('about exposures, in their toolset: one that locations cannot reach is not proved', async () => {
    const { id: monitorId } = await createMonitor(api)
    const id = await addExposure(database, { monitorId })
    const call = async (name: string, given: Record<string, unknown>): Promise<string> => {
      const { isError, content } = await callTool(api, [name, given], { toolset: 'software' })
      assert.equal(isError, undefined, `${name}: ${content[0]?.text}`)
      return content[0]?.text ?? ''
    }
    assert.match(await call('list_exposures', {}), new RegExp(id))
    assert.match(await call('get_exposure', { id }), /"next_step":"No fixed version of nginx is known/)
    assert.match(await call('verify_exposure', { id }), /"problem":"The location did not answer in time\."/)
    await use('delete_monitor', { id: monitorId })
    await followExposures({ database, log: silentLog, now: () => new Date() })
    assert.match(await call('get_exposure_report', { id }), /"outcome":"monitor_deleted"/)
  })

  it('refuses as its schema says, too', async () => {
    for (const { name } of tools) {
      const refused = await callTool(api, [name, { nonsense: 1 }])
      assert.deepEqual([refused.isError, refused.structuredContent?.['error']], [true, 'validation_failed'], name)
      const { outputSchema } = tools.find((tool) => tool.name === name) ?? {}
      if (outputSchema !== undefined) assertAnswer(name, refused)
    }
  })

  it('has succeeded above', () => {
    const open = operations.filter(isOffered)
    assert.deepEqual(
      open.map(({ name }) => name).filter((name) => !succeeded.has(name)),
      [],
    )
  })
})

async function idOf(answer: Promise<unknown>): Promise<string> {
  return identified.parse(await answer).data.id
}

async function reportOf(answer: Promise<unknown>): Promise<z.infer<typeof reported>> {
  return reported.parse(await answer)
}

import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import { type Alert, alertTypes } from '#core/contacts/alerting.ts'
import { alertOf, findingAlertOf, findingOf, statusAlertOf } from '../../test/support/alerts.ts'
import { contactApi } from '../../test/support/contact-api.ts'
import { testCarriers } from '../../test/support/jobs.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
import { teams, teamsMessage } from './teams.ts'

const run = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string(),
  weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
  size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
})
const richText = z.strictObject({
  type: z.literal('RichTextBlock'),
  inlines: z.array(run).min(1),
  spacing: z.enum(['None', 'Small', 'Default', 'Medium', 'Large']).optional(),
})
const container = z.strictObject({
  type: z.literal('Container'),
  style: z.enum(['default', 'emphasis', 'good', 'attention', 'warning', 'accent']),
  /** The colour reaches the edges of the card. */
  bleed: z.literal(true),
  items: z.tuple([richText]),
})
/** An adaptive card of version 1.4 as its schema has it (https://adaptivecards.io/explorer), with what is sent here. */
const card = z.strictObject({
  $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: z.literal('AdaptiveCard'),
  version: z.literal('1.4'),
  body: z.tuple([container], richText),
  actions: z
    .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string().min(1), url: z.url() }))
    .optional(),
  msteams: z.strictObject({ width: z.literal('Full') }),
})
/** What a workflow takes (https://learn.microsoft.com/en-us/connectors/teams/#microsoft-teams-webhook). */
const published = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: card,
    }),
  ]),
})

const path = '/powerautomate/automations/direct/workflows/0ec499behunter2/triggers/manual/paths/invoke'
const query = '?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=hunter2-Hunter2_hunter2'
const webhookUrl = `https://default0ec4.1f.environment.api.powerplatform.com:443${path}${query}`
const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'On call',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

function sentOf(alert: Alert) {
  const { url, body } = teamsMessage(alert, { ...context, options: { webhook_url: webhookUrl } })
  assert.ok(Buffer.byteLength(body) <= 28_000, `${Buffer.byteLength(body)} bytes`)
  const { content } = published.parse(JSON.parse(body)).attachments[0]
  const [title, ...blocks] = content.body
  const lines = [...title.items, ...blocks].map(({ inlines }) => inlines.map(({ text }) => text).join(''))
  return { url, style: title.style, lines, actions: content.actions ?? [] }
}

describe('teamsMessage', () => {
  it('tells an outage in a red card with a button that opens the incident', () => {
    const { url, style, lines, actions } = sentOf(statusAlertOf('monitor.down'))
    assert.deepEqual([url, style], [webhookUrl, 'attention'])
    assert.deepEqual(lines.slice(0, 3), ['Down: Shop API', 'Shop API is down.', 'Cause: The server answered 503.'])
    assert.equal(actions[0]?.title, 'Open the incident')
    assert.match(actions[0].url, /^https:\/\/perigee\.example\/incidents\//)
  })

  const styles: Record<string, string> = {
    'monitor.down': 'attention',
    'monitor.reminder': 'attention',
    'monitor.up': 'good',
    'monitor.degraded_ended': 'good',
    'monitor.slow_ended': 'good',
    'monitor.unstable_ended': 'good',
    'exposure.reminder': 'attention',
    'exposure.ended': 'good',
    'slo.recovered': 'good',
    'maintenance.started': 'emphasis',
    'maintenance.ended': 'emphasis',
    test: 'emphasis',
  }
  for (const type of alertTypes)
    it(`tells ${type}`, () => {
      const { style, actions } = sentOf(alertOf(type))
      assert.equal(style, styles[type] ?? 'warning')
      assert.equal(actions.length, type === 'test' ? 0 : 1)
    })

  it('shows names as they are, in blocks that have no Markdown, and computes no times in them', () => {
    const name = '<at>all</at> [x](https://x.example) **x** {{DATE(2017-02-14T06:00:00Z)}}'
    const { lines } = sentOf(statusAlertOf('monitor.down', { name }))
    assert.equal(lines[1], `${name.replace('{{', '{\u200b{')} is down.`)
  })

  it('stays within 28 kB', () => {
    for (const character of ['"', 'ü', '😀', '{{']) {
      const long = character.repeat(5000)
      const down = statusAlertOf('monitor.down', { name: long })
      sentOf({ ...down, data: { ...down.data, incident: { ...down.data.incident, cause: long } } })
      sentOf(alertOf('certificate.expiring', { name: long }))
      const findings = Array.from({ length: 20 }, () =>
        findingOf({ summary: long, software_name: long, vuln_id: long }),
      )
      assert.equal(sentOf(findingAlertOf(findings, 25)).lines.at(-1), 'Address: https://shop.example/health')
    }
  })
})

const input = (options: unknown, destination = 'On call') => ({ kind: 'teams', destination, options })

describe('a contact of teams', async () => {
  const server = await startReceiver()
  const { api, made, refusedFields, test } = await contactApi()
  /** Refuses what the published schema does not have, and answers as a workflow does. */
  const stand = ({ body, headers, path: asked }: Received) => {
    assert.ok(published.safeParse(JSON.parse(body)).success, body)
    assert.deepEqual([asked, headers['content-type']], [path + query, 'application/json'])
    return { status: 202 }
  }
  beforeEach(() => server.react(stand))
  const local = `${server.url}${path}${query}`

  it('is shown without the address of its workflow, which accepts the alert', async () => {
    const contact = await made(input({ webhook_url: local }))
    assert.deepEqual([contact.destination, contact.options ?? {}], ['On call', {}])
    assert.equal(await test(contact.id), '')
    assert.doesNotMatch((await api.get('/alert-channels')).text, /hunter2/i)
    const { rows } = await api.database.pool.query<{ row: string; host: string }>(
      'select alert_channels::text as row, host from alert_channels where id = $1',
      [contact.id],
    )
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/i)
    assert.equal(rows[0]?.host, new URL(server.url).host)
  })

  const refused = [
    undefined,
    {},
    { webhook_url: null },
    { webhook_url: webhookUrl, colour: 'red' },
    { webhook_url: webhookUrl.replace('https:', 'http:') },
    { webhook_url: 'https://user:secret@workflows.example/invoke' },
    { webhook_url: 'https://10.0.0.8/invoke' },
  ]
  for (const options of refused)
    it(`refuses ${JSON.stringify(options)}`, async () =>
      assert.match((await refusedFields(input(options))).join(), /^options\.(?:webhook_url|colour)$/))

  it('refuses the address as the name', async () =>
    assert.deepEqual(await refusedFields(input({ webhook_url: webhookUrl }, webhookUrl)), ['destination']))

  it('says what the workflow says, without its address', async () => {
    const { id } = await made(input({ webhook_url: local }))
    const message = `Wrong signature hunter2-Hunter2_hunter2 of 0ec499behunter2 at ${local}`
    const body = JSON.stringify({ error: { code: 'AuthorizationFailed', message } })
    server.react(() => ({ status: 401, headers: { 'content-type': 'application/json; charset=utf-8' }, body }))
    assert.match(await test(id), /answered 401: Wrong signature •••••••• of •••••••• at ••••••••$/)
  })
})

const off = (state: string) =>
  `Could not execute workflow '0ec499be' trigger 'manual' with state '${state}': trigger is not enabled.`

/** As Power Automate answers. */
describe('judge of teams', async () => {
  const server = await startReceiver()
  for (const [status, code, message, outcome, isGone] of [
    [202, '', '', 'delivered', undefined],
    [
      400,
      'TriggerInputSchemaMismatch',
      "The input body for trigger 'manual' did not match its schema.",
      'failed',
      false,
    ],
    [400, 'WorkflowTriggerIsNotEnabled', off('Disabled'), 'try_again', undefined],
    [400, 'WorkflowTriggerIsNotEnabled', off('Deleted'), 'failed', true],
    [401, 'DirectApiAuthorizationRequired', 'The OAuth authorization scheme is required.', 'try_again', undefined],
    [404, 'WorkflowNotFound', "The workflow '0ec499be' could not be found.", 'failed', true],
    [404, '', '', 'try_again', undefined],
    [413, 'RequestEntityTooLarge', 'Request Entity too large', 'failed', false],
    [429, 'TooManyRequests', 'The rate limit is exceeded.', 'try_again', undefined],
    [502, '', '', 'try_again', undefined],
  ] as const)
    it(`takes ${status} ${code} for ${outcome}`, async () => {
      const body = code === '' ? '' : JSON.stringify({ error: { code, message } })
      server.react(() => ({ status, headers: { 'retry-after': '30' }, body }))
      const attempt = await teams.attempt(
        alertOf('test'),
        { ...context, options: { webhook_url: `${server.url}${path}${query}` } },
        { carriers: testCarriers(), signal: AbortSignal.timeout(10_000) },
      )
      assert.equal(attempt.outcome, outcome)
      assert.equal(attempt.outcome === 'failed' ? attempt.isGone : undefined, isGone)
      if (attempt.outcome === 'try_again') assert.equal(attempt.afterSeconds, 30)
    })
})

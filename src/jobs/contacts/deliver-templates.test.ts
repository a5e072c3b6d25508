import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { z } from 'zod'
import type { MessageTemplates } from '#core/contacts/message-templates.ts'
import { addContact, addDownAlert, addMonitor, addWorkspace } from '../../../test/support/alerts.ts'
import { jobsDatabase } from '../../../test/support/jobs.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'

const chat = z.looseObject({ text: z.string() })

describe('an alert to a contact with templates', async () => {
  const { database, start } = await jobsDatabase()
  const receiver = await startReceiver()
  await start()
  let workspaceId = ''
  let monitorId = ''
  beforeEach(async () => {
    receiver.received.length = 0
    workspaceId = await addWorkspace(database)
    monitorId = await addMonitor(database, { workspaceId })
  })

  const tell = async (templates: MessageTemplates, kind = 'slack') => {
    const id = await addContact(database, { workspaceId, kind, destination: receiver.url })
    await database.pool.query('update alert_channels set templates = $2 where id = $1', [id, templates])
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    await until('it is delivered', async () => (await told()).state === 'delivered')
    const { template_problem: problem } = await told()
    const events = await database.pool.query<{ message: string; details: Record<string, unknown> }>(
      `select message, details from incident_events where incident_id = $1 and type = 'alert_sent'`,
      [incidentId],
    )
    const [event] = events.rows
    return { body: receiver.received[0]?.body ?? '', problem, message: event?.message, details: event?.details }
  }
  const told = () =>
    database.query
      .selectFrom('deliveries')
      .select(['state', 'template_problem'])
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow()

  it('has its words', async () => {
    const { body, problem, message } = await tell({ title: 'Own {{ monitor.name }}', body: '{{ incident.cause }}\n2' })
    assert.match(chat.parse(JSON.parse(body)).text, /^\*Own Shop API\*\nThe server answered 503\.\n2\n<https:/)
    assert.equal(problem, null)
    assert.equal(message, 'Alert sent to Operations (slack).')
  })

  it('can tell the notes and the runbook of the monitor, as they are when it leaves', async () => {
    const guidance = { notes: 'Ask *Ann*.', runbook_url: 'https://wiki.example/shop' }
    await database.query.updateTable('monitors').set(guidance).where('id', '=', monitorId).execute()
    const { body } = await tell({ title: null, body: '{{ monitor.notes }} {{ monitor.runbook_url }}' })
    const lines = chat.parse(JSON.parse(body)).text.split('\n')
    assert.equal(lines[1], 'Ask *Ann*. https://wiki.example/shop')
    assert.match(lines[2] ?? '', /<https:\/\/wiki\.example\/shop\|Open the runbook>$/)
  })

  it('has the built-in words where a template fails, and its log and the incident say so', async () => {
    const endless = '{% for i in (1..100000000) %}x{% endfor %}'
    const { body, problem, message, details } = await tell({ title: 'Own', body: endless })
    assert.match(chat.parse(JSON.parse(body)).text, /^\*Own\*\nShop API is down\.\nCause: /)
    assert.equal(problem, 'Body: It takes too much memory.')
    assert.equal(
      message,
      'Alert sent to Operations (slack). The built-in text was sent instead of its template. Body: It takes too much memory.',
    )
    assert.equal(details?.['template_problem'], problem)
  })

  it('has the built-in words where one is broken that was kept by another release', async () => {
    const { body, problem } = await tell({ title: '{% fi %}', body: null })
    assert.match(chat.parse(JSON.parse(body)).text, /^\*Down: Shop API\*/)
    assert.equal(problem, 'Title: Line 1: tag "fi" not found.')
  })

  it('is the alert itself for programs', async () => {
    const { body, problem } = await tell({ title: 'Own', body: null }, 'webhook')
    assert.equal(z.looseObject({ type: z.string() }).parse(JSON.parse(body)).type, 'monitor.down')
    assert.equal(problem, null)
  })
})

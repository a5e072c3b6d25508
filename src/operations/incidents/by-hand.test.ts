import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { alertMessageSchema } from '#core/contacts/alert-message.ts'
import { maxRunningByHand } from '#core/incidents/by-hand.ts'
import { incidentDetailSchema, incidentSchema } from '#core/incidents/incident.ts'
import { readOverview } from '#store/overview/overview.ts'
import { readMeasured } from '#store/objectives/timelines.ts'
import type { Answer } from '../../../test/support/api.ts'
import { addRunningIncident, createMonitor } from '../../../test/support/monitors.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'

const one = z.object({ data: incidentSchema })
const detail = z.object({ data: incidentDetailSchema })
const totals = z.object({ incident_totals: z.object({ all: z.object({ count: z.int() }) }) })
const page = z.object({ incidents: z.array(z.object({ id: z.uuid() })) })

function refused(answer: Answer): unknown[] {
  return [answer.status, codeOf(answer)]
}

describe('an incident that is made by hand', async () => {
  const receiver = await startReceiver()
  after(() => receiver.close())
  const people = await peopleApi()
  const { api } = people
  const { database } = api
  const monitor = await createMonitor(api)
  const { rows } = await database.pool.query<{ workspace_id: string }>('select workspace_id from monitors')
  const workspaceId = rows[0]?.workspace_id ?? ''
  const contact = async (name: string): Promise<string> => {
    const id = randomUUID()
    await database.pool.query(
      `insert into alert_channels (id, workspace_id, name, kind, destination, enabled, confirmed)
      values ($1, $2, $3, 'webhook', $4, true, true)`,
      [id, workspaceId, name, `${receiver.url}/${name}`],
    )
    return id
  }
  const opened = async (body: object = {}) => {
    const answer = await api.post('/incidents', { monitor_id: monitor.id, title: 'Orders arrive twice', ...body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return one.parse(answer.body).data
  }
  const toldTo = (name: string) =>
    receiver.received
      .filter(({ path }) => path.endsWith(`/${name}`))
      .map(({ body }) => alertMessageSchema.parse(JSON.parse(body)))

  it('is told by the contacts of its monitor, acknowledged, and told again when it is resolved', async () => {
    await contact('ops')
    const { id, ...made } = await opened({ cause: 'The queue was replayed.' })
    assert.deepEqual([made.status, made.by_hand, made.monitor_name], ['open', true, monitor.name])
    await until('the alert', async () => toldTo('ops').length === 1)
    const [down] = toldTo('ops')
    assert.equal(down?.type, 'monitor.down')
    assert.deepEqual([down.data.result, down.data.incident?.by_hand, down.data.incident?.id], [null, true, id])
    assert.equal((await api.post(`/incidents/${id}/acknowledge`)).status, 200)
    const over = one.parse((await api.post(`/incidents/${id}/resolve`)).body).data
    assert.equal(over.status, 'resolved')
    await until('the end', async () => toldTo('ops').length === 2)
    assert.equal(toldTo('ops').at(-1)?.type, 'monitor.up')
    const again = await api.post(`/incidents/${id}/resolve`)
    assert.equal(again.status, 200)
    const { events } = detail.parse((await api.get(`/incidents/${id}`)).body).data
    const types = events.map(({ type }) => type).filter((type) => type !== 'alert_sent')
    assert.deepEqual(types, ['opened', 'acknowledged', 'resolved'])
    assert.match(events.findLast(({ type }) => type === 'resolved')?.message ?? '', /^Resolved by /)
  })

  it('is told to chosen contacts alone, or to nobody', async () => {
    const chosen = await contact('chosen')
    const { id } = await opened({ alert_channel_ids: [chosen] })
    const silent = await opened({ alert_channel_ids: [] })
    await until('the alert', async () => toldTo('chosen').length === 1)
    const { rows: told } = await database.pool.query<{ incident_id: string; alert_channel_id: string }>(
      'select incident_id, alert_channel_id from deliveries where incident_id = any($1::uuid[])',
      [[id, silent.id]],
    )
    assert.deepEqual(told, [{ incident_id: id, alert_channel_id: chosen }])
    for (const each of [id, silent.id]) await api.post(`/incidents/${each}/resolve`)
    await until('the end', async () => toldTo('chosen').length === 2)
  })

  it('stands beside that of the checks, in lists and in what runs, and none of them ends the other', async () => {
    const byHand = await opened({ alert_channel_ids: [] })
    const ofChecks = await addRunningIncident(database, monitor, new Date())
    const overview = await readOverview(database, { workspaceId, now: new Date() })
    assert.ok(overview.incidents.some(({ id }) => id === byHand.id))
    const refusal = await api.post(`/incidents/${ofChecks}/resolve`)
    assert.deepEqual(refused(refusal), [422, 'not_by_hand'])
    await api.post(`/monitors/${monitor.id}/pause`)
    assert.equal(detail.parse((await api.get(`/incidents/${byHand.id}`)).body).data.status, 'open')
    await api.post(`/monitors/${monitor.id}/resume`)
    const shown = page.parse((await api.get(`/monitors/${monitor.id}`)).body)
    assert.ok(shown.incidents.some(({ id }) => id === byHand.id))
    await api.post(`/incidents/${byHand.id}/resolve`)
  })

  it('counts for no downtime: not of the monitor, and not of an objective', async () => {
    const countOf = async () => totals.parse((await api.get(`/monitors/${monitor.id}`)).body).incident_totals.all.count
    const before = await countOf()
    const made = await api.post('/slos', { name: 'Up', monitor_ids: [monitor.id], objective: 99, window_days: 30 })
    const sloId = z.object({ data: z.object({ id: z.uuid() }) }).parse(made.body).data.id
    const measured = async () => {
      const asked = { workspaceId, sloIds: [sloId], now: new Date(Date.now() + 60_000), windowDays: 30 }
      return (await readMeasured(database, asked)).get(sloId)?.map(({ down }) => down)
    }
    const outages = await measured()
    const { id } = await opened({ alert_channel_ids: [] })
    assert.equal(await countOf(), before)
    assert.deepEqual(await measured(), outages)
    await api.post(`/incidents/${id}/resolve`)
  })

  it('has limits', async () => {
    const body = { monitor_id: monitor.id, title: 'x' }
    for (const wrong of [
      { ...body, title: '' },
      { ...body, title: ' ' },
      { ...body, title: 'x'.repeat(161) },
      { ...body, cause: 'x'.repeat(1001) },
      { ...body, monitor_id: randomUUID() },
      { ...body, alert_channel_ids: [randomUUID()] },
      { title: 'x' },
    ])
      assert.deepEqual(refused(await api.post('/incidents', wrong)), [422, 'validation_failed'], JSON.stringify(wrong))
    await database.pool.query(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, by_hand)
      select gen_random_uuid(), $1, $2, 'a', 'open', 'b', now(), true from generate_series(1, $3)`,
      [workspaceId, monitor.id, maxRunningByHand],
    )
    assert.deepEqual(refused(await api.post('/incidents', body)), [422, 'limit_reached'])
  })
})

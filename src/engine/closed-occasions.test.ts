import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { contactOperations } from '#operations/contacts/contacts.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { addContact } from '../../test/support/alerts.ts'
import { type EngineBench, engineBench } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { playRounds } from '../../test/support/played-rounds.ts'

const operations = [...monitorOperations, ...contactOperations]

const toldSchema = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.object({
    closed: z.string().optional(),
    incident: z.object({ status: z.string(), resolved_at: z.string().nullable() }).nullable(),
    episode: z.object({ id: z.string(), ended_at: z.string().nullable() }).optional(),
  }),
})

type Kind = 'pagerduty' | 'alertmanager' | 'webhook'
type Played = {
  bench: EngineBench
  id: string
  contacts: Record<Kind, string>
  play: (rounds: string) => Promise<void>
}

/** A monitor that alerts a contact of each kind; the test makes its rounds. */
async function watched(): Promise<Played> {
  const bench = await engineBench({ operations, online: [] })
  const { database, api } = bench
  const { id } = await createMonitor(api, {
    interval_seconds: 3600,
    locations: ['boston'],
    failure_threshold: 2,
    recovery_threshold: 2,
    alert_degraded_rounds: 2,
  })
  const add = (kind: Kind) => addContact(database, { workspaceId: api.workspaceId, kind, destination: kind })
  const contacts = {
    pagerduty: await add('pagerduty'),
    alertmanager: await add('alertmanager'),
    webhook: await add('webhook'),
  }
  return { bench, id, contacts, play: (rounds) => playRounds(bench, id, rounds) }
}

async function toldTo({ bench, contacts }: Played, kind: Kind) {
  const rows = await bench.database.query
    .selectFrom('deliveries')
    .select(['id', 'alert', 'after_id', 'incident_id', 'episode_id'])
    .where('alert_channel_id', '=', contacts[kind])
    .orderBy('created_at')
    .orderBy('after_id', (order) => order.asc().nullsFirst())
    .execute()
  return rows.map((row) => Object.assign(row, { alert: toldSchema.parse(row.alert) }))
}

async function typesTo(played: Played, kind: Kind): Promise<string[]> {
  return (await toldTo(played, kind)).map(({ alert }) => alert.type)
}

describe('what is over without a recovery', { concurrency: 3 }, () => {
  const endings: [name: string, reason: string, end: (played: Played) => Promise<unknown>][] = [
    ['a pause', 'The monitor was paused.', ({ bench, id }) => bench.api.post(`/monitors/${id}/pause`)],
    [
      'another target',
      'What the monitor watches was changed.',
      ({ bench, id }) =>
        bench.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', url: 'https://example.org/other' } }),
    ],
    ['a deletion', 'The monitor was deleted.', ({ bench, id }) => bench.api.request('DELETE', `/monitors/${id}`)],
  ]
  for (const [name, reason, end] of endings)
    it(`is ended for kinds that keep an alert, after ${name}, and not told to others`, async () => {
      const played = await watched()
      await played.play('dd')
      await end(played)
      for (const kind of ['pagerduty', 'alertmanager'] as const) {
        const [down, over, ...more] = await toldTo(played, kind)
        assert.deepEqual([down?.alert.type, over?.alert.type, more], ['monitor.down', 'monitor.up', []])
        assert.deepEqual([over?.incident_id, over?.after_id], [down?.incident_id, down?.id])
        assert.deepEqual([over?.alert.data.closed, over?.alert.data.incident?.status], [reason, 'resolved'])
        assert.equal(over?.alert.data.incident?.resolved_at, over?.alert.timestamp)
      }
      assert.deepEqual(await typesTo(played, 'webhook'), ['monitor.down'])
      await end(played)
      assert.deepEqual(await typesTo(played, 'pagerduty'), ['monitor.down', 'monitor.up'])
    })

  it('is ended for an episode that an outage ends, beside the outage', async () => {
    const played = await watched()
    await played.play('ggdd')
    const [began, ...others] = await toldTo(played, 'pagerduty')
    assert.deepEqual(others.map(({ alert }) => alert.type).toSorted(), ['monitor.degraded_ended', 'monitor.down'])
    const over = others.find(({ alert }) => alert.type === 'monitor.degraded_ended')
    assert.deepEqual([over?.after_id, over?.episode_id, over?.incident_id], [began?.id, began?.episode_id, null])
    assert.equal(over?.alert.data.closed, 'The monitor went down.')
    assert.equal(over?.alert.data.episode?.ended_at, over?.alert.timestamp)
    assert.deepEqual(await typesTo(played, 'webhook'), ['monitor.degraded', 'monitor.down'])
  })

  it('is ended for an episode that a pause ends', async () => {
    const played = await watched()
    await played.play('gg')
    await played.bench.api.post(`/monitors/${played.id}/pause`)
    assert.deepEqual(await typesTo(played, 'alertmanager'), ['monitor.degraded', 'monitor.degraded_ended'])
    assert.deepEqual(await typesTo(played, 'webhook'), ['monitor.degraded'])
  })

  it('is not told to a contact that was not told of the beginning, or wants no ends', async () => {
    const played = await watched()
    const { bench, contacts } = played
    const change = (id: string, rules: object | null, enabled: boolean) =>
      bench.database.pool.query('update alert_channels set alert_rules = $2, enabled = $3 where id = $1', [
        id,
        rules,
        enabled,
      ])
    await change(contacts.alertmanager, null, false)
    await change(contacts.pagerduty, { events: ['down'] }, true)
    await played.play('dd')
    await change(contacts.alertmanager, null, true)
    await bench.api.post(`/monitors/${played.id}/pause`)
    assert.deepEqual(
      [await typesTo(played, 'alertmanager'), await typesTo(played, 'pagerduty')],
      [[], ['monitor.down']],
    )
  })

  it('does not wait for a contact that is being deleted', async () => {
    const played = await watched()
    const { bench, contacts } = played
    await played.play('dd')
    await bench.database.transaction(async ({ client }) => {
      await client.query('select from alert_channels where id = $1 for update', [contacts.pagerduty])
      await bench.api.post(`/monitors/${played.id}/pause`)
    })
    assert.deepEqual(await typesTo(played, 'pagerduty'), ['monitor.down'])
    assert.deepEqual(await typesTo(played, 'alertmanager'), ['monitor.down', 'monitor.up'])
  })
})

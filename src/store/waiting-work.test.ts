import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../../test/support/database.ts'
import { type FoundWork, lookForWork, type WaitingWork } from './waiting-work.ts'

const now = new Date('2026-05-04T12:00:00Z')
const id = 'gen_random_uuid()'

/** A row that is work, and the same row while it is none. Their foreign keys lead nowhere. */
const cases: Record<WaitingWork, { work: string[]; none: string[] }> = {
  jobs: {
    work: [`select graphile_worker.add_job('x')`],
    none: [`select graphile_worker.add_job('x', run_at := now() + interval '1 minute')`],
  },
  scan_software: {
    work: [`insert into software_scans (monitor_key, due_at) values (1, now())`],
    none: [`insert into software_scans (monitor_key, due_at) values (1, now() + interval '1 minute')`],
  },
  match_software: {
    work: [
      `insert into match_queue (product) values ('nginx')`,
      `insert into components (product, version) values ('nginx', '1.2')`,
    ],
    none: [`insert into components (product, version, matched_at) values ('nginx', '1.2', now())`],
  },
  tell_findings: {
    work: [`insert into finding_alerts (monitor_key, due_at) values (1, now())`],
    none: [`insert into finding_alerts (monitor_key, due_at) values (1, now() + interval '1 minute')`],
  },
  remind_contacts: { work: [step('reminder', 'now()')], none: [step('reminder', `now() + interval '1 minute'`)] },
  escalate_incidents: {
    work: [step('escalation', 'now()')],
    none: [step('escalation', `now() + interval '1 minute'`)],
  },
  await_parents: {
    work: [
      delivery({ withheld_by: id }),
      delivery({ awaits_parents_until: 'now()' }),
      step('escalation', `now() + interval '1 day'`, 'now()'),
    ],
    none: [delivery({}), delivery({ withheld_by: id, state: `'delivered'`, ended_at: 'now()' })],
  },
  end_unstable: {
    work: [`insert into monitor_state (monitor_key, version, unstable_episode) values (1, 1, ${id})`],
    none: [`insert into monitor_state (monitor_key, version) values (1, 1)`],
  },
  tell_status: {
    work: [news('null')],
    none: [news('now()')],
  },
  prove_status_domains: { work: [page('null')], none: [page('now()')] },
  announce_maintenance: {
    work: [
      `insert into status_maintenance (page_id, window_id, title, starts_at, ends_at, told)
      values (${id}, ${id}, 'x', now(), now(), 'begun')`,
      occurrence('12:30', '13:00'),
    ],
    none: [occurrence('11:00', '11:59')],
  },
  tell_after_maintenance: {
    work: [`insert into withheld_alerts (incident_id, monitor_id, alert, at) values (${id}, ${id}, '{}', now())`],
    none: [],
  },
  tell_maintenance: {
    work: [
      `insert into told_maintenance (id, window_id, starts_at, ends_at) values (${id}, ${id}, now(), now())`,
      occurrence('11:00', '12:30'),
    ],
    none: [
      `insert into told_maintenance (id, window_id, starts_at, ends_at, ended_at)
      values (${id}, ${id}, now(), now(), now())`,
      occurrence('12:01', '12:30'),
    ],
  },
  tell_expiries: { work: [expiry('12:00:00')], none: [expiry('12:01:00')] },
}

/** What becomes due by itself, so many seconds after the look. */
const soon: [name: string, dueIn: (seconds: number) => string][] = [
  ['a job', (seconds) => `select graphile_worker.add_job('x', run_at := ${fromNow(seconds)})`],
  ['a scan', (seconds) => `insert into software_scans (monitor_key, due_at) values (1, ${fromNow(seconds)})`],
  ['a finding', (seconds) => `insert into finding_alerts (monitor_key, due_at) values (1, ${fromNow(seconds)})`],
  ['a reminder', (seconds) => step('reminder', fromNow(seconds))],
  ['an escalation', (seconds) => step('escalation', fromNow(seconds))],
  [
    'news of a maintenance',
    (seconds) => `insert into maintenance_occurrences (window_key, starts_at, ends_at)
      values (1, '2026-05-05T12:00:0${seconds}Z', '2026-05-05T13:00:00Z')`,
  ],
  ['an expiry', (seconds) => expiry(`12:00:0${seconds}`)],
]

describe('looking for work', async () => {
  const database = await testDatabase({ maxConnections: 1 })
  const foundAfter = async (statement: string): Promise<FoundWork> => {
    const client = await database.pool.connect()
    try {
      await client.query('begin')
      // Rows need no others that they hang off.
      await client.query(`set local session_replication_role = 'replica'`)
      await client.query(statement)
      // @ts-expect-error -- Of a pool, a look uses `query` alone, and the rows are this connection's.
      return await lookForWork({ pool: client }, now)
    } finally {
      await client.query('rollback')
      client.release()
    }
  }

  it('finds none where there is none', async () =>
    assert.deepEqual(await foundAfter('select'), { waiting: new Set(), isSoon: false }))

  for (const [work, { work: some, none }] of Object.entries(cases)) {
    for (const statement of some)
      it(`finds ${work}: ${statement.slice(0, 60)}`, async () => assert.ok(finds(work, await foundAfter(statement))))
    for (const statement of none)
      it(`finds no ${work}: ${statement.slice(0, 60)}`, async () =>
        assert.ok(!finds(work, await foundAfter(statement))))
  }

  for (const [name, dueIn] of soon) {
    it(`knows of ${name} that it is due soon`, async () =>
      assert.deepEqual(await foundAfter(dueIn(4)), { waiting: new Set(), isSoon: true }))
    it(`knows of ${name} that it is due later`, async () =>
      assert.deepEqual(await foundAfter(dueIn(6)), { waiting: new Set(), isSoon: false }))
  }
})

function finds(work: string, { waiting }: FoundWork): boolean {
  return [...waiting].some((found) => found === work)
}

function fromNow(seconds: number): string {
  return `now() + interval '${seconds} seconds'`
}

function insert(table: string, row: Readonly<Record<string, string>>): string {
  return `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`
}

function step(type: string, dueAt: string, awaitsParentsUntil = 'null'): string {
  return `insert into alert_steps (id, incident_id, alert_channel_id, type, alert, due_at, awaits_parents_until)
    values (${id}, ${id}, ${id}, '${type}', '{}', ${dueAt}, ${awaitsParentsUntil})`
}

function delivery(fields: Record<string, string>): string {
  const row = {
    id,
    workspace_id: id,
    alert_channel_id: id,
    alert: `'{}'`,
    due_at: 'now()',
    created_at: 'now()',
    ...fields,
  }
  return insert('deliveries', row)
}

function news(toldAt: string): string {
  return `insert into status_events (id, page_id, type, post_id, at, told_at)
    values (${id}, ${id}, 'post', ${id}, now(), ${toldAt})`
}

function page(provenAt: string): string {
  return insert('status_pages', {
    id,
    workspace_id: id,
    slug: `'x'`,
    title: `'x'`,
    description: `''`,
    visibility: `'public'`,
    theme: `'auto'`,
    history: `'90_days'`,
    response_charts: 'false',
    created_at: 'now()',
    domain: `'status.example.com'`,
    domain_proven_at: provenAt,
  })
}

/** On the day of `now`. */
function occurrence(from: string, until: string): string {
  return `insert into maintenance_occurrences (window_key, starts_at, ends_at)
    values (1, '2026-05-04T${from}:00Z', '2026-05-04T${until}:00Z')`
}

function expiry(alertAt: string): string {
  return `insert into monitor_expiries (monitor_key, subject, name, target_version, seen_at, alert_at)
    values (1, 'domain', 'example.com', 1, now(), '2026-05-04T${alertAt}Z')`
}

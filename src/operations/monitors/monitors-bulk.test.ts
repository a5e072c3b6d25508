import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { Answer } from '../../../test/support/api.ts'
import { bulkApi, bulkPath, joinedAs, outcomeOf } from '../../../test/support/bulk.ts'
import { addPendingMonitors } from '../../../test/support/many-monitors.ts'
import { addResults, addRunningIncident, createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { codeOf } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const dayMs = 86_400_000
const past = (days: number): Date => new Date(Date.now() - days * dayMs)
const paid = (days: number) => ({
  billing: 'paid',
  billing_period: 'monthly',
  paid_locations: 1,
  paid_until: past(days),
})
const remaining = (answer: Answer): unknown[] => [answer.status, answer.headers.get('ratelimit-remaining')]

describe('many monitors at once', async () => {
  const bulk = await bulkApi()
  const { people, api, member, act, rowsOf, entries } = bulk
  const { database } = api
  const elsewhere = await api.addWorkspace()

  async function set(id: string, columns: Record<string, unknown>): Promise<void> {
    await database.query.updateTable('monitors').set(columns).where('id', '=', id).execute()
  }

  it('are paused: each once, whatever else is named, and told of as if it had been done one by one', async () => {
    const running = await createMonitor(api, { name: 'Running' })
    const down = await createMonitor(api, { name: 'Down' })
    const paused = await createMonitor(api, { name: 'Paused' })
    await api.post(`/monitors/${paused.id}/pause`)
    const incidentId = await addRunningIncident(database, down, new Date(Date.now() - 60_000))
    const foreign = await createMonitor(api, {}, elsewhere.token)
    const unknown = randomUUID()
    const [before, announced] = [(await entries()).length, api.changes.length]
    const answer = await act('pause', [running.id, foreign.id, down.id, running.id.toUpperCase(), unknown, paused.id])
    assert.deepEqual(outcomeOf(answer), [3, [foreign.id, 'not_found'], [unknown, 'not_found']])
    const states = (await rowsOf([running.id, down.id, paused.id, foreign.id])).map(({ id, ...row }) => [
      id,
      row.status,
    ])
    assert.deepEqual(Object.fromEntries(states), {
      [running.id]: 'paused',
      [down.id]: 'paused',
      [paused.id]: 'paused',
      [foreign.id]: 'enabled',
    })
    const incident = await api.get(`/incidents/${incidentId}`)
    assert.match(incident.text, /"status":"resolved".*The monitor was paused\./)
    assert.deepEqual(await database.query.selectFrom('deliveries').select('id').execute(), [])
    assert.deepEqual(
      api.changes.slice(announced).map(({ monitorId }) => monitorId),
      [running.id, down.id],
    )
    const actor = { kind: 'person', id: member.personId, name: 'Olga' }
    assert.deepEqual(
      (await entries()).slice(before).map(({ id: _id, at: _at, ...entry }) => entry),
      [
        { action: 'pause_monitor', details: {}, actor, target: { kind: 'monitor', id: running.id, name: 'Running' } },
        { action: 'pause_monitor', details: {}, actor, target: { kind: 'monitor', id: down.id, name: 'Down' } },
      ],
    )
  })

  it('change nothing the second time', async () => {
    const ids = [(await createMonitor(api)).id, (await createMonitor(api)).id]
    const seen: unknown[] = []
    for (const action of ['resume', 'pause', 'pause', 'resume', 'resume', 'delete', 'delete']) {
      const [before, announced] = [(await entries()).length, api.changes.length]
      const [done, ...refused] = outcomeOf(await act(action, ids))
      const versions = (await rowsOf(ids)).map(({ version }) => version)
      seen.push([done, refused.length, (await entries()).length - before, api.changes.length - announced, versions])
    }
    assert.deepEqual(seen, [
      [2, 0, 0, 0, [1, 1]],
      [2, 0, 2, 2, [2, 2]],
      [2, 0, 0, 0, [2, 2]],
      [2, 0, 2, 2, [3, 3]],
      [2, 0, 0, 0, [3, 3]],
      [2, 0, 2, 2, []],
      [0, 2, 0, 0, []],
    ])
  })

  const resumes: [what: string, columns: Record<string, unknown>, code: string | null][] = [
    ['paused by people', { pause_reason: null }, null],
    ['paid for', paid(-1), null],
    ['overdue, within its grace', { ...paid(6), billing_state: 'overdue' }, null],
    ['overdue, after its grace', { ...paid(8), billing_state: 'overdue' }, 'payment_required'],
    ['paused for want of payment', { ...paid(8), pause_reason: 'non_payment' }, 'payment_required'],
    ['paused by a smaller plan, with a slot again', { pause_reason: 'plan' }, null],
  ]
  for (const [what, columns, code] of resumes)
    it(`are resumed or not by the rules of one: ${what}`, async () => {
      const [one, other] = [await createMonitor(api), await createMonitor(api)]
      await act('pause', [one.id, other.id])
      await set(one.id, columns)
      const answer = await act('resume', [one.id, other.id])
      assert.deepEqual(outcomeOf(answer), code === null ? [2] : [1, [one.id, code]])
      const statuses = Object.fromEntries((await rowsOf([one.id, other.id])).map(({ id, status }) => [id, status]))
      assert.deepEqual(statuses, { [one.id]: code === null ? 'enabled' : 'paused', [other.id]: 'enabled' })
      const [single] = await rowsOf([one.id])
      await api.post(`/monitors/${one.id}/resume`)
      assert.deepEqual(await rowsOf([one.id]), [single], 'one by itself is left as it is as well')
    })

  it('are resumed as far as the plan has slots, those named first before others', async () => {
    const { workspaceId } = member
    const ids = await addPendingMonitors(database, { workspaceId, count: 14 })
    const [lifetime = '', ...rest] = ids.toSorted()
    await set(lifetime, { billing: 'paid', billing_period: 'lifetime', paid_locations: 1 })
    const own = (action: string, of: readonly string[]) =>
      member.browser.api('POST', bulkPath, { workspace: workspaceId, body: { action, monitor_ids: of } })
    assert.deepEqual(outcomeOf(await own('pause', ids)), [14])
    const wished = [...rest.toReversed(), lifetime]
    const beyond = wished.slice(10, 13)
    assert.deepEqual(outcomeOf(await own('resume', wished)), [11, ...beyond.map((id) => [id, 'limit_reached'])])
    assert.deepEqual(outcomeOf(await own('delete', wished.slice(0, 2))), [2])
    const [left = '', ...others] = beyond
    assert.deepEqual(outcomeOf(await own('resume', [...others, left])), [2, [left, 'limit_reached']])
  })

  it('are deleted with all that is theirs, but for their incidents', async () => {
    const headers = { 'Idempotency-Key': 'bulk' }
    const input = { name: 'Keyed', url: 'https://example.com' }
    await api.post('/monitors', input, { headers })
    const { data } = z
      .object({ data: z.array(z.object({ id: z.string(), name: z.string() })) })
      .parse((await api.get('/monitors')).body)
    const keyed = data.find(({ name }) => name === 'Keyed')?.id ?? assert.fail()
    const down = await createMonitor(api, { name: 'Down' })
    const group = await createMonitor(api, {
      name: 'Group',
      kind: 'group',
      url: undefined,
      check_options: { member_ids: [down.id], group_policy: 'all' },
    })
    const incidentId = await addRunningIncident(database, down, new Date(Date.now() - 60_000))
    for (const monitorId of [keyed, down.id]) await addResults(database, monitorId, [{ at: new Date() }])
    const { rows: keys } = await database.pool.query<{ key: string }>('select key from monitors where id = any($1)', [
      [keyed, down.id],
    ])
    const kept = keys.map(({ key }) => key)
    const announced = api.changes.length
    assert.deepEqual(outcomeOf(await act('delete', [keyed, down.id])), [2])
    assert.deepEqual(await rowsOf([keyed, down.id]), [])
    assert.equal((await rowsOf([group.id])).length, 1)
    assert.match((await api.get(`/incidents/${incidentId}`)).text, /"status":"resolved".*The monitor was deleted\./)
    assert.deepEqual(
      api.changes.slice(announced).map(({ monitorId }) => monitorId),
      [keyed, down.id],
    )
    // The jobs of the test remove them.
    await until('their results are forgotten', async () => {
      const { rows } = await database.pool.query('select from results where monitor_key = any($1)', [kept])
      return rows.length === 0
    })
    const replay = await api.post('/monitors', input, { headers })
    assert.deepEqual([monitorOf(replay).id, monitorOf(replay).name], [keyed, 'Keyed'])
  })

  const id = randomUUID()
  const bodies: [what: string, body: unknown, ...fields: string[]][] = [
    ['nothing', undefined],
    ['an empty list', { action: 'pause', monitor_ids: [] }, 'monitor_ids'],
    ['1,001 monitors', { action: 'pause', monitor_ids: Array.from({ length: 1001 }, () => id) }, 'monitor_ids'],
    ['no list', { action: 'pause' }, 'monitor_ids'],
    ['what is no id', { action: 'pause', monitor_ids: [id, 'x'] }, 'monitor_ids.1'],
    ['another action', { action: 'renew', monitor_ids: [id] }, 'action'],
    ['another field', { action: 'pause', monitor_ids: [id], name: 'x' }, 'name'],
  ]
  for (const [what, body, ...fields] of bodies)
    it(`are refused with ${what}`, async () => {
      const refused = fields.length === 0 ? [400, 'invalid_json'] : [422, 'validation_failed', ...fields]
      assert.deepEqual(refusalOf(await bulk.call('POST', bulkPath, body)), refused)
    })

  it('are not for viewers, nor for programs, nor for other workspaces', async () => {
    const monitor = await createMonitor(api)
    const viewer = await joinedAs(people, 'viewer')
    const body = { action: 'delete', monitor_ids: [monitor.id] }
    const seen = await viewer.browser.api('POST', bulkPath, { workspace: api.workspaceId, body })
    assert.deepEqual(refusalOf(seen), [403, 'insufficient_scope'])
    assert.deepEqual(refusalOf(await api.post(bulkPath, body)), [401, 'session_required'])
    const own = await viewer.browser.api('POST', bulkPath, { workspace: viewer.workspaceId, body })
    assert.deepEqual(outcomeOf(own), [0, [monitor.id, 'not_found']])
    assert.equal((await rowsOf([monitor.id])).length, 1)
  })

  const sizes: [action: string, each: number, status: string | null][] = [
    ['pause', 100, 'paused'],
    ['resume', 100, 'enabled'],
    ['delete', 25, null],
  ]
  it('are a thousand in transactions that are short', async () => {
    const ids = await addPendingMonitors(database, { workspaceId: api.workspaceId, count: 1000 })
    for (const [action, each, status] of sizes) {
      assert.deepEqual(outcomeOf(await act(action, ids)), [1000])
      const { rows } = await database.pool.query<{ entries: number }>(
        `select count(*)::int as entries
        from audit_entries
        where action = $1
          and target_id = any($2::text[])
        group by xmin::text`,
        [`${action}_monitor`, ids],
      )
      assert.deepEqual(
        rows.map(({ entries: count }) => count),
        Array.from({ length: 1000 / each }, () => each),
      )
      assert.deepEqual(
        (await rowsOf(ids)).map((row) => row.status),
        status === null ? [] : ids.map(() => status),
      )
    }
    const { rows } = await database.pool.query(
      'select from monitor_state where monitor_key not in (select key from monitors)',
    )
    assert.deepEqual(rows, [])
  })
})

describe('many monitors at once that break off', async () => {
  const { api, act, rowsOf, entries } = await bulkApi({ allowsInternalErrors: true })
  const { database, workspaceId } = api

  it('are done as far as their entries are, and a repeat does the rest', async () => {
    const ids = await addPendingMonitors(database, { workspaceId, count: 150 })
    const last = ids.at(-1) ?? assert.fail()
    await database.query.updateTable('monitors').set({ name: 'Last ×' }).where('id', '=', last).execute()
    await database.pool.query(`alter table audit_entries add constraint no_x check (target_name not like '%×%')`)
    const counts = async () => {
      const paused = (await rowsOf(ids)).filter(({ status }) => status === 'paused').length
      const told = (await entries()).filter(({ action }) => action === 'pause_monitor').length
      return [paused, told, api.changes.length]
    }
    assert.equal((await act('pause', ids)).status, 500)
    assert.deepEqual(await counts(), [100, 100, 100])
    await database.pool.query('alter table audit_entries drop constraint no_x')
    assert.deepEqual(outcomeOf(await act('pause', ids)), [150])
    assert.deepEqual(await counts(), [150, 150, 150])
  })
})

describe('the limits of many monitors at once', async () => {
  const { api, act } = await bulkApi({ rates: { writesPerMinute: 5 } })
  const { database, workspaceId } = api
  const ids = await addPendingMonitors(database, { workspaceId, count: 600 })

  it('count one write for every hundred', async () => {
    assert.deepEqual(remaining(await act('pause', ids.slice(0, 100))), [200, '4'])
    assert.deepEqual(remaining(await act('pause', ids.slice(0, 201))), [200, '1'])
    const refused = await act('resume', ids.slice(0, 200))
    assert.deepEqual([...remaining(refused), codeOf(refused)], [429, '0', 'rate_limited'])
    const { rows } = await database.pool.query(`select count(*)::int as paused from monitors where status = 'paused'`)
    assert.deepEqual(rows, [{ paused: 201 }], 'what is refused is not begun')
  })
})

describe('the limits of one that is worth more than a minute', async () => {
  const { api, act } = await bulkApi({ rates: { writesPerMinute: 3 } })
  const ids = await addPendingMonitors(api.database, { workspaceId: api.workspaceId, count: 600 })

  it('take the whole minute for it', async () => {
    const answer = await act('pause', ids)
    assert.deepEqual(outcomeOf(answer), [600])
    assert.equal(answer.headers.get('ratelimit-remaining'), '0')
    assert.equal((await act('pause', ids.slice(0, 1))).status, 429)
  })
})

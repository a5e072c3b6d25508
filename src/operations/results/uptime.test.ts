import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { addDays as addStoredDays, addResults, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { addDays } from '#core/language/utc-day.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { uptimeOperations } from './uptime.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const today = '2026-11-21'
const empty = { checks: 0, up: 0, down: 0, restricted: 0, latency_ms: null }

describe('uptime', async () => {
  const api = await testApi({ operations: [...monitorOperations, ...uptimeOperations], now: () => now })

  it('runs from the first day with checks to today, days without checks as zeros', async () => {
    const { id } = await createMonitor(api)
    await addResults(api.database, id, [
      { at: '2026-11-18T23:59:59.999Z', latencyMs: 100 },
      { at: '2026-11-18T10:00:00Z', latencyMs: 201 },
      { at: '2026-11-18T11:00:00Z', status: 'degraded', latencyMs: 5000 },
      { at: '2026-11-18T12:00:00Z', status: 'down', latencyMs: null },
      { at: '2026-11-21T00:00:00Z', latencyMs: null },
    ])
    assert.deepEqual((await api.get(`/monitors/${id}/uptime`)).body, {
      data: [
        { date: '2026-11-18', checks: 4, up: 2, down: 1, restricted: 1, latency_ms: 1767 },
        { date: '2026-11-19', ...empty },
        { date: '2026-11-20', ...empty },
        { date: '2026-11-21', ...empty, checks: 1, up: 1 },
      ],
      from: '2026-11-18',
      to: '2026-11-21',
      since: '2026-11-18',
    })
  })

  it('has no days before the first check', async () => {
    const { id } = await createMonitor(api)
    const none = { data: [], since: null }
    assert.deepEqual((await api.get(`/monitors/${id}/uptime`)).body, { ...none, from: today, to: today })
    const asked = await api.get(`/monitors/${id}/uptime?from=2026-01-01&to=2026-01-31`)
    assert.deepEqual(asked.body, { ...none, from: '2026-01-01', to: '2026-01-31' })
  })

  it('answers for any range, before the first check as well', async () => {
    const { id } = await createMonitor(api)
    await addStoredDays(api.database, id, [{ date: '2026-11-18', up: 3, down: 1 }])
    const stored = { ...empty, date: '2026-11-18', checks: 4, up: 3, down: 1 }
    const ask = async (query: string) => (await api.get(`/monitors/${id}/uptime?${query}`)).body
    assert.deepEqual(await ask('from=2026-11-17&to=2026-11-18'), {
      data: [{ date: '2026-11-17', ...empty }, stored],
      from: '2026-11-17',
      to: '2026-11-18',
      since: '2026-11-18',
    })
    assert.deepEqual(await ask('to=2026-11-18'), {
      data: [stored],
      from: '2026-11-18',
      to: '2026-11-18',
      since: '2026-11-18',
    })
    assert.deepEqual(await ask('from=0000-02-29&to=0000-02-29'), {
      data: [{ date: '0000-02-29', ...empty }],
      from: '0000-02-29',
      to: '0000-02-29',
      since: '2026-11-18',
    })
    assert.deepEqual(await ask('from=2026-11-21&to=9999-12-31'), {
      data: [{ date: today, ...empty }],
      from: today,
      to: today,
      since: '2026-11-18',
    })
  })

  it('gives at most the last 3660 days of a longer history', async () => {
    const { id } = await createMonitor(api)
    await addStoredDays(api.database, id, [{ date: addDays(today, -4000), up: 1 }])
    const { text } = await api.get(`/monitors/${id}/uptime`)
    assert.equal(text.match(/"date"/g)?.length, 3660)
    assert.match(
      text,
      new RegExp(`"from":"${addDays(today, -3659)}","to":"${today}","since":"${addDays(today, -4000)}"`),
    )
    assert.equal((await api.get(`/monitors/${id}/uptime?from=${addDays(today, -3659)}`)).status, 200)
  })

  const refused: [query: string, field: string][] = [
    ['from=21-11-2026', 'from'],
    ['from=2026-11-1', 'from'],
    ['from=2026-11-01T00:00:00Z', 'from'],
    ['from=', 'from'],
    ['to=2026-02-30', 'to'],
    ['to=2027-02-29', 'to'],
    ['to=yesterday', 'to'],
    ['from=2026-11-02&to=2026-11-01', 'from'],
    ['from=2026-11-22', 'from'],
    ['from=2026-12-01&to=2026-12-02', 'from'],
    [`from=${addDays(today, -3660)}`, 'from'],
    ['from=2026-11-01&from=2026-11-02', 'from'],
  ]
  for (const [query, field] of refused)
    it(`refuses ${query}`, async () => {
      const { id } = await createMonitor(api)
      assert.deepEqual(refusalOf(await api.get(`/monitors/${id}/uptime?${query}`)), [422, 'validation_failed', field])
    })

  it('names both bounds when both are wrong', async () => {
    const { id } = await createMonitor(api)
    assert.deepEqual(refusalOf(await api.get(`/monitors/${id}/uptime?from=x&to=y`)), [
      422,
      'validation_failed',
      'from',
      'to',
    ])
  })

  it('belongs to the workspace', async () => {
    const { id } = await createMonitor(api)
    const { token } = await api.addWorkspace()
    assert.deepEqual(refusalOf(await api.get(`/monitors/${id}/uptime?from=x`, { token })), [404, 'not_found'])
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type ResultRecord, noPhases, resultSchema } from '#core/results/result.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { addResults, createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { resultOperations } from './results.ts'

const start = Date.parse('2026-11-21T10:00:00.000Z')
const now = new Date(start + 3_600_000)
const answerSchema = z.object({ data: z.array(resultSchema) })

function results(answer: Answer): ResultRecord[] {
  return answerSchema.parse(answer.body).data
}

describe('results', async () => {
  const api = await testApi({ operations: [...monitorOperations, ...resultOperations], now: () => now })

  it('show what was found, with the phases among the details', async () => {
    const { id } = await createMonitor(api, { locations: ['amsterdam', 'boston'] })
    await addResults(api.database, id, [
      {
        at: new Date(start),
        location: 'boston',
        status: 'down',
        statusCode: 503,
        latencyMs: null,
        error: 'The server answered 503.',
        phases: { ...noPhases, dnsMs: 0, connectMs: 12 },
        details: { redirects: 2, final_url: 'https://example.com/a' },
      },
      {
        at: new Date(start + 60_000),
        location: 'amsterdam',
        phases: { dnsMs: 1, connectMs: 2, tlsMs: 3, ttfbMs: 4, transferMs: 5 },
      },
      { at: new Date(start + 120_000), status: 'degraded', statusCode: null, latencyMs: 900 },
    ])
    const found = results(await api.get(`/monitors/${id}/results`))
    const unmeasured = { dns_ms: null, connect_ms: null, tls_ms: null, ttfb_ms: null, transfer_ms: null }
    const unremarkable = { final_url: null, redirects: 0, failed_assertion: null, ...unmeasured }
    const common = { id: undefined, repeats: 1, last_checked_at: null, latency_max_ms: null }
    assert.deepEqual(
      found.map((result) => Object.assign(result, { id: undefined })),
      [
        {
          ...common,
          status: 'degraded',
          status_code: null,
          latency_ms: 900,
          location_code: 'amsterdam',
          checked_at: '2026-11-21T10:02:00.000Z',
          error: null,
          details: unremarkable,
        },
        {
          ...common,
          status: 'up',
          status_code: 200,
          latency_ms: 100,
          location_code: 'amsterdam',
          checked_at: '2026-11-21T10:01:00.000Z',
          error: null,
          details: { ...unremarkable, dns_ms: 1, connect_ms: 2, tls_ms: 3, ttfb_ms: 4, transfer_ms: 5 },
        },
        {
          ...common,
          status: 'down',
          status_code: 503,
          latency_ms: null,
          location_code: 'boston',
          checked_at: '2026-11-21T10:00:00.000Z',
          error: 'The server answered 503.',
          details: { ...unremarkable, redirects: 2, dns_ms: 0, connect_ms: 12, final_url: 'https://example.com/a' },
        },
      ],
    )
  })

  it('count no redirects for kinds that have none', async () => {
    const { id } = await createMonitor(api, { kind: 'tcp', url: 'example.com:22' })
    await addResults(api.database, id, [{ at: new Date(start), details: { banner: 'SSH-2.0' } }])
    assert.deepEqual(results(await api.get(`/monitors/${id}/results`))[0]?.details, { banner: 'SSH-2.0' })
  })

  it('have ids that are UUIDs of version 8, the same at every reading, of no two results', async () => {
    const [one, two] = [await createMonitor(api), await createMonitor(api)]
    for (const { id } of [one, two])
      await addResults(api.database, id, [
        { at: new Date(start), location: 'amsterdam' },
        { at: new Date(start), location: 'boston' },
        { at: new Date(start), location: 'amsterdam', microseconds: 1 },
      ])
    const ids = async () =>
      (await Promise.all([one, two].map(({ id }) => api.get(`/monitors/${id}/results`))))
        .flatMap(results)
        .map(({ id }) => id)
    const first = await ids()
    assert.equal(new Set(first).size, 6)
    assert.deepEqual(await ids(), first)
    for (const id of first) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('show merged checks', async () => {
    const { id } = await createMonitor(api)
    await addResults(api.database, id, [{ at: new Date(start) }])
    await api.database.pool.query(
      `update results r set repeats = 15, last_checked_at = $2, latency_max_ms = 450 from monitors m where m.key = r.monitor_key and m.id = $1`,
      [id, new Date(start + 840_000)],
    )
    const [merged] = results(await api.get(`/monitors/${id}/results`))
    assert.deepEqual(
      [merged?.repeats, merged?.last_checked_at, merged?.latency_max_ms],
      [15, '2026-11-21T10:14:00.000Z', 450],
    )
  })

  it('are the newest 100, or as many as asked for, newest first', async () => {
    const { id } = await createMonitor(api)
    const checks = Array.from({ length: 501 }, (_, index) => ({ at: new Date(start + index * 1000), latencyMs: index }))
    await addResults(api.database, id, checks)
    const latencies = async (query: string) =>
      results(await api.get(`/monitors/${id}/results${query}`)).map(({ latency_ms }) => latency_ms)
    const newest = Array.from({ length: 501 }, (_, index) => 500 - index)
    assert.deepEqual(await latencies(''), newest.slice(0, 100))
    assert.deepEqual(await latencies('?limit=1'), [500])
    assert.deepEqual(await latencies('?limit=500'), newest.slice(0, 500))
  })

  it('are found however long ago they came', async () => {
    const { id } = await createMonitor(api)
    const ages = [1, 3, 15, 17, 60, 85].map((days) => days * 86_400_000)
    await addResults(
      api.database,
      id,
      ages.map((age, latencyMs) => ({ at: new Date(now.getTime() - age), latencyMs })),
    )
    const latencies = async (limit: number) =>
      results(await api.get(`/monitors/${id}/results?limit=${limit}`)).map(({ latency_ms }) => latency_ms)
    for (let limit = 1; limit <= 6; limit += 1)
      assert.deepEqual(
        await latencies(limit),
        Array.from({ length: limit }, (_, index) => index),
      )
    assert.deepEqual(await latencies(500), [0, 1, 2, 3, 4, 5])
  })

  for (const limit of ['0', '501', '-1', '1.5', 'many', '', '1e2', '99999999999', '1&limit=2'])
    it(`refuse the limit "${limit}" with 400`, async () => {
      const { id } = await createMonitor(api)
      const answer = await api.get(`/monitors/${id}/results?limit=${limit}`)
      assert.deepEqual(refusalOf(answer), [400, 'validation_failed', 'limit'])
    })

  it('belong to the workspace', async () => {
    const { id } = await createMonitor(api)
    const { token } = await api.addWorkspace()
    assert.deepEqual(refusalOf(await api.get(`/monitors/${id}/results?limit=0`, { token })), [404, 'not_found'])
    assert.deepEqual((await api.get(`/monitors/${id}/results`, { token: api.readToken })).body, { data: [] })
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { type AskedTrial, type TrialOutcome, trialSchema } from '#core/monitors/trial.ts'
import { createGuard } from '#net/dial/guard.ts'
import { shareKeyOf } from '#store/monitors/monitor-rows.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'

const up: Verdict = {
  status: 'up',
  statusCode: 200,
  latencyMs: 12,
  error: null,
  phases: { ...noPhases, dnsMs: 3 },
  details: { redirects: 1 },
}
const created = z.object({ data: z.object({ id: z.uuid() }) })
const tried = z.object({ data: trialSchema })

describe('checking once before a monitor is saved', async () => {
  const asked: AskedTrial[] = []
  let outcome: TrialOutcome = { type: 'checked', verdict: up }
  const people = await peopleApi({
    services: {
      isForbiddenAddress: createGuard([]).isForbiddenAddress,
      tryCheck: async (trial) => {
        asked.push(trial)
        return outcome
      },
    },
  })
  const { browser, workspaceId: workspace } = await people.newcomer('owner@example.com')
  const call = (method: string, path: string, body?: unknown) =>
    browser.api(method, path, { workspace, ...(body === undefined ? {} : { body }) })
  const rows = async (table: string): Promise<number> => {
    const counted = await people.api.database.pool.query<{ count: number }>(
      `select count(*)::int as count from ${table}`,
    )
    return counted.rows[0]?.count ?? assert.fail()
  }

  it('asks a location for exactly what would be checked, and keeps nothing', async () => {
    const before = [await rows('monitors'), await rows('audit_entries')]
    const input = {
      name: 'Shop',
      url: 'https://shop.example',
      request_headers: { 'X-Key': 'secret' },
      keyword: 'tea',
      timeout_ms: 2000,
      locations: ['boston', 'amsterdam'],
      check_options: { max_latency_ms: 500 },
    }
    const answer = await call('POST', '/monitors/try?location=amsterdam', input)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(tried.parse(answer.body).data, {
      status: 'up',
      status_code: 200,
      latency_ms: 12,
      location_code: 'amsterdam',
      error: null,
      details: {
        final_url: null,
        redirects: 1,
        dns_ms: 3,
        connect_ms: null,
        tls_ms: null,
        ttfb_ms: null,
        transfer_ms: null,
        failed_assertion: null,
      },
    })
    const trial = asked.pop() ?? assert.fail()
    const { monitorId, ...configuration } = trial.configuration
    assert.match(monitorId, /^[0-9a-f-]{36}$/)
    assert.deepEqual([trial.workspaceId, trial.location, trial.deadlineMs], [workspace, 'amsterdam', 2000])
    assert.deepEqual(configuration, {
      version: 0,
      kind: 'http',
      url: 'https://shop.example',
      method: 'GET',
      timeoutMs: 2000,
      expectedStatusMin: 200,
      expectedStatusMax: 399,
      keyword: 'tea',
      requestHeaders: { 'X-Key': 'secret' },
      requestBody: null,
      options: { max_latency_ms: 500 },
      shareKey: shareKeyOf(workspace, people.api.services.secrets),
    })
    assert.deepEqual([await rows('monitors'), await rows('audit_entries')], before)
  })

  it('of a change keeps the secrets that the form does not have, and without a body checks what is there', async () => {
    const answer = await call('POST', '/monitors', {
      name: 'Speed',
      kind: 'page_speed',
      url: 'https://shop.example/',
      request_headers: { 'X-Key': 'secret' },
      check_options: { api_key: 'AIza-1', strategy: 'desktop' },
    })
    const { id } = created.parse(answer.body).data
    const change = { name: 'Speed', url: 'https://shop.example/new', check_options: { strategy: 'mobile' } }
    assert.equal((await call('POST', `/monitors/${id}/try`, change)).status, 200)
    const changed = asked.pop() ?? assert.fail()
    assert.deepEqual(changed.configuration.options, { api_key: 'AIza-1', strategy: 'mobile' })
    assert.deepEqual(changed.configuration.requestHeaders, { 'X-Key': 'secret' })
    assert.equal(changed.configuration.url, 'https://shop.example/new')
    assert.equal(changed.deadlineMs, 120_000)
    assert.equal((await call('POST', `/monitors/${id}/try`)).status, 200)
    assert.equal(asked.pop()?.configuration.url, 'https://shop.example/')
    const kept = await people.api.database.pool.query('select url from monitors where id = $1', [id])
    assert.deepEqual(kept.rows, [{ url: 'https://shop.example/' }])
  })

  const refusals: { what: string; path?: string; body: unknown; fields: string[] }[] = [
    { what: 'a private address', body: { name: 'x', url: 'http://10.0.0.1/' }, fields: ['url'] },
    { what: 'no target', body: { name: 'x' }, fields: ['url'] },
    {
      what: 'an option of the wrong type',
      body: { name: 'x', kind: 'ping', url: 'example.com', check_options: { packets: 'many' } },
      fields: ['check_options.packets'],
    },
    { what: 'a kind that waits to be called', body: { name: 'x', kind: 'heartbeat' }, fields: ['kind'] },
    {
      what: 'a location that the monitor does not choose',
      path: '/monitors/try?location=boston',
      body: { name: 'x', url: 'https://a.example', locations: ['amsterdam'] },
      fields: ['location'],
    },
  ]
  for (const { what, path = '/monitors/try', body, fields } of refusals)
    it(`refuses ${what}, and asks nobody`, async () => {
      const answer = await call('POST', path, body)
      assert.deepEqual([answer.status, codeOf(answer)], [422, 'validation_failed'], answer.text)
      assert.deepEqual(
        Object.keys(z.object({ fields: z.record(z.string(), z.unknown()) }).parse(answer.body).fields),
        fields,
      )
      assert.deepEqual(asked, [])
    })

  for (const [type, words] of [
    ['busy', /still running/],
    ['offline', /is offline/],
    ['untold', /itself has a problem/],
    ['silent', /did not answer in time/],
  ] as const)
    it(`says so when the location is ${type}`, async () => {
      outcome = { type }
      const answer = await call('POST', '/monitors/try', { name: 'x', url: 'https://a.example' })
      assert.deepEqual([answer.status, codeOf(answer)], [503, 'unavailable'])
      assert.match(answer.text, words)
      assert.equal(answer.headers.get('retry-after'), '5')
      asked.length = 0
      outcome = { type: 'checked', verdict: up }
    })

  it('is not found for a monitor of somebody else', async () => {
    const other = await people.newcomer('other@example.com')
    const answer = await call('POST', '/monitors', { name: 'Mine', url: 'https://mine.example' })
    const { id } = created.parse(answer.body).data
    const refused = await other.browser.api('POST', `/monitors/${id}/try`, { workspace: other.workspaceId })
    assert.deepEqual([refused.status, codeOf(refused)], [404, 'not_found'])
    assert.deepEqual(asked, [])
  })
})

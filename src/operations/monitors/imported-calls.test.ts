import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Result } from '#core/results/result.ts'
import { testApi } from '../../../test/support/api.ts'
import { refusalOf } from '../../../test/support/monitors.ts'
import { listen } from '../../http/listen.ts'

const created = z.object({ data: z.object({ id: z.uuid() }), heartbeat_url: z.string().nullable() })
const run = promisify(execFile)
const ping = '31365bce-8da9-4729-8ff3-aaa71d56b712'
const push = 'kN3v8QmzT1xW0cRb'
const slug = 'fqOOd6-F4MMNuCEnzTU01w/db-backup'

describe('imported call addresses', async () => {
  const results: Result[] = []
  const api = await testApi({
    services: { publishResults: async (_location, published) => void results.push(...published) },
  })
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))

  async function heartbeat(input: Record<string, unknown> = {}, token = api.token) {
    const answer = await api.post('/monitors', { name: 'Backup', kind: 'heartbeat', ...input }, { token })
    const { data, heartbeat_url: url } = created.parse(answer.body)
    return { id: data.id, url: url ?? '' }
  }
  const lead = (addresses: { path: string; monitor_id: string | null }[], token = api.token) =>
    api.post('/call-addresses', { addresses }, { token })

  /** As a job does it: the status, the body, and what was heard. */
  async function curl(path: string, ...args: string[]) {
    results.length = 0
    const url = `http://127.0.0.1:${service.port}${path}`
    const { stdout } = await run('curl', ['-sS', '-m', '20', '-w', '\n%{http_code} %{content_type}', ...args, url])
    const [body, status] = [stdout.slice(0, stdout.lastIndexOf('\n')), stdout.slice(stdout.lastIndexOf('\n') + 1)]
    return { status, body, heard: results.map(({ monitorId, verdict }) => [monitorId, verdict?.status, verdict]) }
  }
  const heardOf = async (path: string) => (await curl(path)).heard.map(([id, status]) => [id, status])

  it('take the calls that Uptime Kuma takes, and answer as it does', async () => {
    const { id } = await heartbeat()
    assert.equal((await curl(`/api/push/${push}`)).status, '404 application/json')
    const led = await lead([{ path: `/api/push/${push}`, monitor_id: id }])
    assert.deepEqual([led.status, led.body], [200, { data: { addresses: 1 } }])
    const up = await curl(`/api/push/${push}?status=up&msg=OK&ping=231.4`)
    assert.deepEqual([up.status, up.body], ['200 application/json', '{"ok":true}'])
    assert.partialDeepStrictEqual(up.heard, [[id, 'up', { latencyMs: 231, error: null }]])
    const down = await curl(`/api/push/${push}?status=down&msg=disk%20full`, '-X', 'POST', '-d', 'ignored')
    assert.equal(down.body, '{"ok":true}')
    assert.partialDeepStrictEqual(down.heard, [[id, 'down', { details: { source: 'fail', note: 'disk full' } }]])
    const unknown = await curl('/api/push/another-token')
    assert.deepEqual(
      [unknown.status, unknown.body, unknown.heard],
      ['404 application/json', '{"ok":false,"msg":"There is nothing at this address."}', []],
    )
    assert.equal((await curl(`/ping/${push}`)).status, '404 application/json; charset=utf-8')
  })

  it('take the calls that Healthchecks takes', async () => {
    const { id, url } = await heartbeat({ name: 'Nightly' })
    await lead([
      { path: `/ping/${ping}`, monitor_id: id },
      { path: `/ping/${slug}`, monitor_id: id },
    ])
    for (const address of [`/ping/${ping}`, `/ping/${slug}`, new URL(url).pathname]) {
      assert.deepEqual(await heardOf(address), [[id, 'up']], address)
      assert.deepEqual(await heardOf(`${address}/fail`), [[id, 'down']])
      assert.deepEqual(await heardOf(`${address}/0`), [[id, 'up']])
      assert.deepEqual(await heardOf(`${address}/2`), [[id, 'down']])
      const started = await curl(`${address}/start?rid=${randomUUID()}`)
      assert.deepEqual([started.status, started.body, started.heard], ['200 text/plain; charset=utf-8', 'OK', []])
      const ended = await curl(address)
      assert.partialDeepStrictEqual(ended.heard, [[id, 'up']])
      const [, , verdict] = ended.heard[0] ?? []
      assert.ok(z.object({ latencyMs: z.int() }).safeParse(verdict).success, 'its run was timed')
      assert.match((await curl(`${address}/other`)).status, /^404 /)
    }
    for (const address of [`/ping/${ping}/log`, `/ping/${slug}/log`])
      assert.deepEqual(await curl(address, '-d', 'a line'), {
        status: '200 text/plain; charset=utf-8',
        body: 'OK',
        heard: [],
      })
    const failed = await curl(`/ping/${slug}/1`, '--data-raw', 'no space left')
    assert.partialDeepStrictEqual(failed.heard, [[id, 'down', { details: { note: 'no space left', exit_code: 1 } }]])
    assert.match((await curl(`/ping/${slug}/start/fail`)).status, /^404 /)
  })

  it('belong to one monitor of the service', async () => {
    const one = await heartbeat()
    const two = await heartbeat({ name: 'Two' })
    const path = '/api/push/belongs-to-one'
    for (const { id } of [one, one, two]) assert.equal((await lead([{ path, monitor_id: id }])).status, 200)
    assert.deepEqual(await heardOf(path), [[two.id, 'up']])
    const other = await api.addWorkspace()
    const theirs = await heartbeat({}, other.token)
    const free = '/api/push/belongs-to-none'
    const taken = await lead(
      [
        { path: free, monitor_id: theirs.id },
        { path, monitor_id: theirs.id },
      ],
      other.token,
    )
    assert.deepEqual(refusalOf(taken), [422, 'validation_failed', 'addresses.1.path'])
    assert.equal((await lead([{ path, monitor_id: null }], other.token)).status, 200)
    assert.deepEqual(await heardOf(path), [[two.id, 'up']], 'others cannot take it away')
    assert.match((await curl(free)).status, /^404 /, 'nothing of a request that is refused is done')
    await lead([{ path, monitor_id: null }])
    assert.match((await curl(path)).status, /^404 /)
    assert.equal((await lead([{ path, monitor_id: theirs.id }], other.token)).status, 200)
  })

  it('are refused for what is not called, not there, or too much', async () => {
    const { id } = await heartbeat()
    const site = created.parse((await api.post('/monitors', { name: 'Site', url: 'https://a.example' })).body).data.id
    const path = '/api/push/refused-0000'
    const cases: [addresses: Parameters<typeof lead>[0], field: string][] = [
      [[{ path, monitor_id: site }], 'addresses.0.monitor_id'],
      [[{ path, monitor_id: randomUUID() }], 'addresses.0.monitor_id'],
      [[{ path: '/api/push/short', monitor_id: id }], 'addresses.0.path'],
      [
        [
          { path, monitor_id: id },
          { path, monitor_id: id },
        ],
        'addresses.1.path',
      ],
      [
        Array.from({ length: 11 }, (_, at) => ({ path: `/api/push/refused-${at + 1000}`, monitor_id: id })),
        'addresses.0.monitor_id',
      ],
    ]
    for (const [addresses, field] of cases)
      assert.deepEqual(refusalOf(await lead(addresses)).slice(0, 3), [422, 'validation_failed', field])
    assert.deepEqual(refusalOf(await lead([{ path, monitor_id: id }], api.readToken)), [403, 'insufficient_scope'])
    assert.match((await curl('/api/push/refused-1000')).status, /^404 /)
  })

  it('end with their monitor, and rest while it is paused', async () => {
    const { id } = await heartbeat()
    const path = '/api/push/ends-with-it'
    await lead([{ path, monitor_id: id }])
    await api.post(`/monitors/${id}/pause`)
    assert.partialDeepStrictEqual(await curl(path), { body: '{"ok":true}', heard: [] })
    await api.request('DELETE', `/monitors/${id}`)
    assert.match((await curl(path)).status, /^404 /)
  })

  it('are counted with the calls of their monitor', async () => {
    const { id, url } = await heartbeat()
    const path = '/api/push/counted-with-it'
    await lead([{ path, monitor_id: id }])
    for (let calls = 0; calls < 60; calls += 1)
      assert.equal((await api.app.request(new URL(url).pathname, {}, { address: '192.0.2.1' })).status, 200)
    const over = await api.app.request(path, {}, { address: '192.0.2.1' })
    assert.deepEqual([over.status, await over.json()], [429, { ok: false, msg: 'More than 60 calls within a minute.' }])
    assert.ok(Number(over.headers.get('retry-after')) > 0)
  })
})

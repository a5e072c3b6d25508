import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { sections } from '#core/projects/entries.ts'
import { testApi } from '../../../test/support/api.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { addDays, createMonitor } from '../../../test/support/monitors.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { listen } from '../../http/listen.ts'
import { historyMembers } from './export-history.ts'
import type { PacedService } from './paced-service.ts'

const empty = {
  exported_at: '2026-11-21T00:00:00.000Z',
  ...Object.fromEntries(sections.map((section) => [section, []])),
}

describe('perigee export', { concurrency: 2 }, async () => {
  const api = await testApi()
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const folder = mkdtempSync(join(tmpdir(), 'perigee-export-'))
  after(() => rmSync(folder, { recursive: true }))
  await createMonitor(api, { name: 'Shop', request_headers: { authorization: 'Bearer verysecret' } })

  async function run(args: string[], environment: Record<string, string> = {}) {
    const reached = { PERIGEE_URL: `http://127.0.0.1:${service.port}`, PERIGEE_TOKEN: api.readToken }
    const perigee = spawnPerigee({ args, environment: { ...reached, ...environment } })
    const code = await perigee.ended()
    return { code, out: perigee.stdout(), err: perigee.stderr() }
  }

  it('writes a project that can be read at once', async () => {
    const output = join(folder, 'shop.yaml')
    const { code, out, err } = await run(['export', '--project', 'shop', '--output', output])
    assert.deepEqual([code, out, err], [0, '', 'The file holds no secrets. Set these variables: SHOP_AUTHORIZATION.\n'])
    assert.match(readFileSync(output, 'utf8'), /^project: shop\n\nmonitors:\n {2}- key: shop\n/m)
    const missing = await run(['validate', '-f', output])
    assert.deepEqual([missing.code, missing.out], [1, ''])
    assert.match(missing.err, /shop\.yaml:\d+: The variable SHOP_AUTHORIZATION is not set\.\n$/)
    const valid = await run(['validate', '-f', output], { SHOP_AUTHORIZATION: 'Bearer other' })
    assert.deepEqual([valid.code, valid.err], [0, ''])
    const again = await run(['export', '--output', output])
    assert.equal(again.code, 1)
    assert.match(again.err, /EEXIST/)
  })

  it('writes JSON', async () => {
    const { code, out, err } = await run(['export', '--json'])
    assert.deepEqual([code, err], [0, ''])
    assert.partialDeepStrictEqual(JSON.parse(out), {
      monitors: [{ name: 'Shop', secrets: [['request_headers', 'authorization']] }],
    })
  })

  it('writes JSON with history', async () => {
    const { id } = await createMonitor(api)
    await addDays(api.database, id, [{ date: '2026-11-18', up: 3, down: 1 }])
    const output = join(folder, 'all.json')
    const { code, err } = await run(['export', '--json', '--history', '--output', output])
    assert.deepEqual([code, err], [0, ''])
    const { monitors, days, incidents } = JSON.parse(readFileSync(output, 'utf8'))
    assert.equal(monitors.length, 2)
    assert.deepEqual(
      [days, incidents],
      [[{ monitor_id: id, date: '2026-11-18', checks: 4, up: 3, down: 1, restricted: 0, latency_ms: null }], []],
    )
    assert.equal((await run(['export', '--history'])).code, 2)
  })

  it('asks for page after page, and writes no file of a part', async () => {
    const pages: Record<string, unknown> = {
      'export/days?': { data: [1, 2], next_cursor: 'a b' },
      'export/days?cursor=a%20b': { data: [], next_cursor: 'c' },
      'export/days?cursor=c': { data: [3], next_cursor: null },
      'incidents?limit=500': { data: [], next_cursor: 'd' },
      'incidents?limit=500&cursor=d': { data: [4], next_cursor: null },
    }
    const ask: PacedService['ask'] = async ({ path }) => {
      return path in pages
        ? { type: 'done', body: pages[path] }
        : { type: 'lost', problem: 'The service cannot be reached: it is away' }
    }
    const read = async () => {
      let text = ''
      for await (const piece of historyMembers({ ask })) text += piece
      return text
    }
    assert.deepEqual(JSON.parse(`{${await read()}}`), { days: [1, 2, 3], incidents: [4] })
    delete pages['incidents?limit=500&cursor=d']
    await assert.rejects(read, /it is away$/)
    const other = await httpServer((request, response) =>
      response.end(request.url?.endsWith('/export') === true ? JSON.stringify({ data: empty }) : '{"data":[]}'),
    )
    const output = join(folder, 'part.json')
    const url = `http://127.0.0.1:${other.port}`
    const odd = await run(['export', '--json', '--history', '--output', output, '--url', url])
    assert.match(odd.err, /^The answer of the service is not a page of its history\./)
    assert.equal(existsSync(output), false)
  })

  it('says why it cannot', async () => {
    const foreign = await run(['export'], { PERIGEE_TOKEN: `pgk_${'x'.repeat(40)}` })
    assert.equal(foreign.code, 1)
    assert.match(foreign.err, /^The service answered 401: /)
    const other = await httpServer((_request, response) => response.end('{"data":[]}'))
    const odd = await run(['export', '--url', `http://127.0.0.1:${other.port}`])
    assert.deepEqual([odd.code, odd.out], [1, ''])
    assert.match(odd.err, /^The answer of the service is not an export\./)
    assert.equal((await run(['export', '--project', 'No Id'])).code, 2)
  })
})

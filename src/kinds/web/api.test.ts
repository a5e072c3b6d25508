import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { api } from './api.ts'

const answers: Record<string, string> = {
  '/ok': '{"state":{"database":"ok","queue":[{"size":0},{"size":7}],"a.b":null}}',
  '/text': 'All is well',
  '/empty': '',
  '/cut': '{"state":{"database"',
}

describe('a check of kind api', async () => {
  const { port } = await httpServer((request, response) => {
    const body = request.url === '/echo' ? String(request.headers.accept) : (answers[request.url ?? ''] ?? '{}')
    response.writeHead(request.url === '/failing' ? 503 : 200, { 'content-type': 'application/json' }).end(body)
  })
  const origin = `http://127.0.0.1:${port}`

  const cases: [path: string, options: Record<string, unknown>, status: string, error: RegExp | null][] = [
    ['/ok', {}, 'up', null],
    ['/ok', { json_path: 'state.database' }, 'up', null],
    ['/ok', { json_path: 'state.database', expected_value: 'ok' }, 'up', null],
    ['/ok', { json_path: 'state.database', expected_value: 'OK' }, 'down', /state\.database is "ok", expected "OK"/],
    ['/ok', { json_path: 'state.queue.1.size', expected_value: 7 }, 'up', null],
    ['/ok', { json_path: 'state.queue.1.size', expected_value: '7' }, 'down', /is 7, expected "7"/],
    ['/ok', { json_path: 'state.a.b', expected_value: null }, 'up', null],
    ['/ok', { json_path: 'state.cache' }, 'down', /state\.cache not found/],
    ['/text', { json_path: 'state' }, 'down', /not JSON/],
    ['/empty', { json_path: 'state' }, 'down', /not JSON/],
    ['/cut', { json_path: 'state' }, 'down', /not JSON/],
    ['/text', {}, 'up', null],
    ['/failing', { json_path: 'state' }, 'down', /HTTP status 503/],
  ]
  for (const [path, options, status, error] of cases)
    it(`${path} with ${JSON.stringify(options)} is ${status}`, async () => {
      const verdict = await checkOnce(api, { url: `${origin}${path}`, options })
      assert.equal(verdict.status, status, verdict.error ?? '')
      if (error === null) assert.equal(verdict.error, null)
      else assert.match(verdict.error ?? '', error)
    })

  it('asks for JSON', async () => {
    const verdict = await checkOnce(api, { url: `${origin}/echo`, keyword: 'application/json' })
    assert.equal(verdict.status, 'up', verdict.error ?? '')
  })

  it('is down where nobody listens, and where the answer never comes', async () => {
    const refused = await checkOnce(api, { url: `http://127.0.0.1:${await freePort()}/` })
    assert.match(refused.error ?? '', /refused/)
    const silent = await rawServer(() => {})
    const late = await checkOnce(api, { url: `http://127.0.0.1:${silent.port}/`, timeoutMs: 500 })
    assert.match(late.error ?? '', /timed out/i)
  })
})

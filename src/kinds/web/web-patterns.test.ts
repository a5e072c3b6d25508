import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { hostilePattern as hostile, hostileText } from '../../../test/support/hostile-pattern.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { api } from './api.ts'
import { http } from './http.ts'

function matches(value: string, name = 'X-Version'): object {
  return { expected_headers: [{ name, match: 'matches', value }] }
}

describe('patterns of a check', async () => {
  const { port } = await httpServer((request, response) => {
    response.setHeader('x-version', 'v2.10.0')
    if (request.url === '/latin')
      return void response.setHeader('content-type', 'text/html; charset=latin1').end(Buffer.from('Störung', 'latin1'))
    if (request.url === '/own-latin') return void response.end(Buffer.from('<meta charset="latin1">Störung', 'latin1'))
    if (request.url === '/large') return void response.end(`${'x'.repeat(3 * 1024 * 1024)}order 1`)
    if (request.url === '/hostile') return void response.end(hostileText)
    response.end('Welcome, order 4711 is done.\nNext line')
  })
  const origin = `http://127.0.0.1:${port}`

  const cases: [what: string, path: string, options: object, failed: [assertion: string, error: string] | null][] = [
    ['one that is found', '/', { body_pattern: 'order \\d{4} is (?:done|sent)' }, null],
    [
      'one that is not found',
      '/',
      { body_pattern: 'order \\d{5}' },
      ['body_pattern', 'Pattern "order \\d{5}" not found in the answer'],
    ],
    ['one in other letters', '/', { body_pattern: '(?i)WELCOME' }, null],
    ['lines', '/', { body_pattern: '(?m)^Next line$' }, null],
    ['one that must not be found, and is not', '/', { absent_pattern: 'order \\d{5}' }, null],
    [
      'one that must not be found, and is',
      '/',
      { absent_pattern: 'or.er' },
      ['absent_pattern', 'Pattern "or.er" found in the answer'],
    ],
    ['the charset of the header', '/latin', { body_pattern: '^St\\x{f6}rung$' }, null],
    ['the charset of the page', '/own-latin', { body_pattern: 'Störung' }, null],
    [
      'one that is beyond 2 MiB',
      '/large',
      { body_pattern: 'order' },
      ['body_pattern', 'Pattern "order" not found in the first 2 MiB of the answer'],
    ],
    ['a header', '/', matches('^v\\d+\\.\\d+'), null],
    ['another header', '/', matches('^v3'), ['header', 'Header X-Version is "v2.10.0", expected to match "^v3"']],
    ['a header that is missing', '/', matches('.*', 'etag'), ['header', 'Header etag is missing']],
    [
      'one that takes too long',
      '/hostile',
      { absent_pattern: hostile },
      ['absent_pattern', 'The pattern was given up: it takes too long on this answer'],
    ],
  ]
  for (const [what, path, options, failed] of cases)
    it(`are judged: ${what}`, async () => {
      const verdict = await checkOnce(http, { url: `${origin}${path}`, options: { ...options } })
      assert.equal(verdict.error, failed?.[1] ?? null)
      assert.equal(verdict.status, failed === null ? 'up' : 'down')
      assert.equal(verdict.details['failed_assertion'], failed?.[0])
    })

  it('are those of api and of steps too', async () => {
    const options = { body_pattern: 'order \\d{5}' }
    const error = 'Pattern "order \\d{5}" not found in the answer'
    assert.equal((await checkOnce(api, { url: origin, options })).error, error)
    const run = await checkOnce(transaction, { url: origin, options: { steps: [{}, options] } })
    assert.equal(run.error, `Step 2 (GET /): ${error}`)
  })

  it('hold up no other work of their thread', async () => {
    const began = performance.eventLoopUtilization()
    const verdict = await checkOnce(http, { url: `${origin}/hostile`, options: { body_pattern: hostile } })
    const { active } = performance.eventLoopUtilization(began)
    assert.match(verdict.error ?? '', /was given up/)
    assert.ok(active < 100, `the thread was busy for ${active} ms`)
  })
})

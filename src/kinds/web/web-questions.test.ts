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

describe('what is asked of a body', async () => {
  const { port } = await httpServer((request, response) => {
    response.setHeader('x-version', 'v2.10.0')
    if (request.url === '/latin')
      return void response.setHeader('content-type', 'text/html; charset=latin1').end(Buffer.from('Störung', 'latin1'))
    if (request.url === '/own-latin') return void response.end(Buffer.from('<meta charset="latin1">Störung', 'latin1'))
    if (request.url === '/large') return void response.end(`${'x'.repeat(3 * 1024 * 1024)}order 1`)
    if (request.url === '/orders') return void response.end(orders)
    if (request.url === '/page') return void response.setHeader('content-type', 'text/html').end(page)
    if (request.url === '/feed') return void response.setHeader('content-type', 'application/atom+xml').end(feed)
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
    ['a schema that fits', '/orders', { json_schema: ordersOf({ type: 'integer' }) }, null],
    [
      'a schema that does not fit',
      '/orders',
      { json_schema: ordersOf({ type: 'string' }) },
      [
        'json_schema',
        'The answer does not fit the schema at orders.0.id: Instance type "number" is invalid. Expected "string"',
      ],
    ],
    [
      'a member that may not be there',
      '/orders',
      { json_schema: { properties: { orders: true }, additionalProperties: false } },
      ['json_schema', 'The answer does not fit the schema at next: it must not be there'],
    ],
    [
      'one of several schemas',
      '/orders',
      { json_schema: { properties: { next: { anyOf: [{ type: 'string' }, { type: 'number' }] } } } },
      ['json_schema', 'The answer does not fit the schema at next: Instance does not match any subschemas'],
    ],
    ['a schema for what is no JSON', '/', { json_schema: {} }, ['json_schema', 'The answer is not JSON']],
    [
      'a schema for more than is read',
      '/large',
      { json_schema: {} },
      ['json_schema', 'The answer is longer than 2 MiB, too long to be read as JSON'],
    ],
    ['an expression that is true', '/orders', { jsonata: '$count(orders) = 2 and $sum(orders.id) < 10' }, null],
    [
      'an expression that is not true',
      '/orders',
      { jsonata: '$count(orders)' },
      ['jsonata', 'The expression gives 2, expected true'],
    ],
    [
      'an expression of what is not there',
      '/orders',
      { jsonata: 'items.id' },
      ['jsonata', 'The expression gives nothing, expected true'],
    ],
    [
      'an expression that cannot be evaluated',
      '/orders',
      { jsonata: 'orders.id & $error("no way")' },
      ['jsonata', 'The expression cannot be evaluated: no way'],
    ],
    [
      'an expression that writes into what all objects have',
      '/orders',
      { jsonata: '(orders ~> |$|{"__proto__": {"stained": true}}|; $exists({}.stained))' },
      ['jsonata', 'The expression gives false, expected true'],
    ],
    [
      'elements that are as they must be',
      '/page',
      elements(
        { selector: 'main h1', match: 'equals', value: 'Our shop' },
        { selector: 'a[href="/cart"]' },
        { selector: 'p', match: 'contains', value: 'open until' },
        { selector: '.error', match: 'absent' },
      ),
      null,
    ],
    [
      'an element that is missing',
      '/page',
      elements({ selector: 'main > table' }),
      ['element', 'Element main > table is missing'],
    ],
    [
      'elements that must be absent',
      '/page',
      elements({ selector: 'p', match: 'absent' }),
      ['element', 'Element p is there 2 times'],
    ],
    [
      'an element with another text',
      '/page',
      elements({ selector: 'h1', match: 'equals', value: 'Shop' }),
      ['element', 'Element h1 is "Our shop", expected "Shop"'],
    ],
    [
      'elements without a text',
      '/page',
      elements({ selector: 'p', match: 'contains', value: 'closed' }),
      ['element', 'Element p is "We are open until 8.", expected to contain "closed"'],
    ],
    ['elements of XML', '/feed', elements({ selector: 'entry > Title', match: 'equals', value: 'One' }), null],
    [
      'all at once, of which the first that fails is told',
      '/orders',
      { jsonata: 'false', json_schema: { type: 'array' }, body_pattern: 'orders', absent_pattern: 'none' },
      ['json_schema', 'The answer does not fit the schema: Instance type "object" is invalid. Expected "array"'],
    ],
    [
      'one that takes too long',
      '/hostile',
      { absent_pattern: hostile },
      ['absent_pattern', 'The comparison was given up: it takes too long on this answer'],
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
    const { utilization } = performance.eventLoopUtilization(began)
    assert.match(verdict.error ?? '', /was given up/)
    assert.ok(utilization < 0.9, `the thread was busy for ${utilization * 100} % of the time`)
  })
})

const orders = JSON.stringify({ orders: [{ id: 1 }, { id: 2 }], next: null })
const page = `<!doctype html><title>Shop</title><main><h1>Our
  <b>shop</b></h1><p>We are open until 8.<p>Welcome<script>var error = 'closed'</script><a href="/cart">Cart</a></main>`
const feed = '<?xml version="1.0"?><feed><entry><Title>One</Title></entry></feed>'

function ordersOf(id: object): object {
  return {
    type: 'object',
    properties: { orders: { type: 'array', items: { type: 'object', properties: { id }, required: ['id'] } } },
    required: ['orders'],
  }
}

function elements(...expected: object[]): object {
  return { expected_elements: expected }
}

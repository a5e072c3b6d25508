import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { mask } from '#core/language/mask.ts'
import type { Verdict } from '#core/results/result.ts'
import { transaction } from './transaction.ts'
import { totpCode } from './totp.ts'

const token = 'tok en/"&+=ü'
const page = `<html><head><meta name="csrf" content="c&amp;1"></head><body><h1> Hello
  Ada </h1><input name="a"><input name="b" value="two"></body></html>`

type Asked = { request: string; body: string; headers: IncomingMessage['headers'] }

/** Says what it was asked, and gives things to capture. */
async function server(): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const { method = '', url = '', headers } = request
    asked.push({ request: `${method} ${url}`, body, headers })
    if (url === '/json') {
      const given = { data: { token, id: 7, yes: true, list: [], line: 'a\nb', long: 'x'.repeat(4097) } }
      response.writeHead(200, { 'content-type': 'application/json', 'x-csrf': 'abc123' }).end(JSON.stringify(given))
    } else if (url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    else if (url === '/echo') response.end(JSON.stringify({ said: body }))
    else response.end('plain')
  }
  const { port } = await httpServer((request, response) => void answer(request, response))
  return { url: `http://127.0.0.1:${port}/`, asked }
}

describe('what a step captures', async () => {
  const { url, asked } = await server()
  type Steps = Record<string, unknown>[]
  async function run(steps: Steps, more: Record<string, unknown> = {}): Promise<Verdict> {
    asked.length = 0
    return checkOnce(transaction, { url, options: { steps, ...more } })
  }
  const last = (): Asked => asked.at(-1) ?? assert.fail('nothing was asked')

  const found: [what: string, from: string, capture: Record<string, unknown>, value: string][] = [
    ['a text of JSON', '/json', { json_path: 'data.token' }, token],
    ['a number of JSON', '/json', { json_path: 'data.id' }, '7'],
    ['a boolean of JSON', '/json', { json_path: 'data.yes' }, 'true'],
    ['a header', '/json', { header: 'X-CSRF' }, 'abc123'],
    ['the first group of a pattern', '/page', { pattern: 'name="(\\w+)" value' }, 'b'],
    ['all that a pattern without a group matches', '/page', { pattern: 'v[a-z]+=' }, 'value='],
    ['an attribute of an element', '/page', { selector: 'meta[name=csrf]', selector_attribute: 'content' }, 'c&1'],
    ['the first attribute that is there', '/page', { selector: 'input', selector_attribute: 'value' }, 'two'],
    ['the text of an element', '/page', { selector: 'h1' }, 'Hello Ada'],
  ]
  for (const [what, from, capture, value] of found)
    it(`is ${what}, and is sent by a later step`, async () => {
      const steps = [
        { url: from, captures: [{ name: 'it', ...capture }] },
        { url: '/echo', method: 'POST', body: '<{{it}}>' },
      ]
      assert.equal((await run(steps)).error, null)
      assert.equal(last().body, `<${value}>`)
    })

  const first = {
    url: '/json',
    captures: [
      { name: 'it', json_path: 'data.token' },
      { name: 'id', json_path: 'data.id' },
    ],
  }
  const written: [where: string, step: Record<string, unknown>, expected: Partial<Asked>][] = [
    [
      'one part of an address',
      { url: '/a/{{id}}/{{it}}?q={{it}}' },
      { request: `GET /a/7/${encodeURIComponent(token)}?q=${encodeURIComponent(token)}` },
    ],
    [
      'a text of JSON',
      {
        url: '/echo',
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"a":"{{it}}","b":{{id}}}',
      },
      { body: JSON.stringify({ a: token, b: 7 }) },
    ],
    [
      'a field of a form',
      {
        url: '/echo',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a={{it}}&b={{id}}',
      },
      { body: `a=${encodeURIComponent(token)}&b=7` },
    ],
    [
      'nothing where no step captured it',
      { url: '/echo', method: 'POST', body: '{{other}} {{ it }} {{it' },
      { body: '{{other}} {{ it }} {{it' },
    ],
  ]
  for (const [where, step, expected] of written)
    it(`is written as ${where}`, async () => {
      assert.equal((await run([first, step])).error, null)
      assert.partialDeepStrictEqual(last(), expected)
    })

  it('goes into headers, also those of the monitor', async () => {
    const id = { url: '/json', captures: [{ name: 'id', json_path: 'data.id' }] }
    const steps = [id, { url: '/', headers: { authorization: 'Bearer {{id}}' } }, { url: '/' }]
    await checkOnce(transaction, { url, options: { steps }, requestHeaders: { 'x-id': '<{{id}}>' } })
    assert.deepEqual(
      asked.slice(-2).map(({ headers }) => [headers.authorization, headers['x-id']]),
      [
        ['Bearer 7', undefined],
        [undefined, '<7>'],
      ],
    )
  })

  const missing: [what: string, from: string, capture: Record<string, unknown>, problem: string][] = [
    [
      'a value of JSON',
      '/json',
      { json_path: 'data.none' },
      'Nothing to capture as "it": the answer has no text, number or boolean at data.none',
    ],
    [
      'a list',
      '/json',
      { json_path: 'data.list' },
      'Nothing to capture as "it": the answer has no text, number or boolean at data.list',
    ],
    [
      'JSON',
      '/page',
      { json_path: 'data' },
      'Nothing to capture as "it": the answer has no text, number or boolean at data',
    ],
    ['a header', '/page', { header: 'x-csrf' }, 'Nothing to capture as "it": the answer has no header x-csrf'],
    ['a match', '/page', { pattern: 'nowhere' }, 'Nothing to capture as "it": the pattern is not found in the answer'],
    ['an element', '/page', { selector: 'h2' }, 'Nothing to capture as "it": the answer has no element h2'],
    [
      'an attribute',
      '/page',
      { selector: 'h1', selector_attribute: 'id' },
      'Nothing to capture as "it": the answer has no element h1 with id',
    ],
    [
      'a value that is short enough',
      '/json',
      { json_path: 'data.long' },
      'What is captured as "it" has more than 4096 characters',
    ],
  ]
  for (const [what, from, capture, problem] of missing)
    it(`fails the step where there is no ${what}`, async () => {
      const verdict = await run([{ url: from, captures: [{ name: 'it', ...capture }] }, { url: '/echo' }])
      assert.deepEqual([verdict.status, verdict.error], ['down', `Step 1 (GET ${from}): ${problem}`])
      assert.equal(asked.length, 1)
    })

  it('fails the step whose header cannot hold it, before it is sent', async () => {
    const steps = [
      { url: '/json', captures: [{ name: 'line', json_path: 'data.line' }] },
      { url: '/echo', headers: { 'x-line': '{{line}}' } },
    ]
    assert.equal((await run(steps)).error, 'Step 2 (GET /echo): The value of "line" cannot stand in a header')
    assert.equal(asked.length, 1)
  })

  it('stands in no text that is told of the run', async () => {
    const step = { url: '/echo', method: 'POST', body: '{{it}}', json_path: 'said', expected_value: 'x' }
    const { error, details } = await run([first, step])
    assert.equal(error, `Step 2 (POST /echo): JSON path said is "${mask}", expected "x"`)
    assert.ok(!JSON.stringify(details).includes('tok en'))
    const { error: other } = await run([first, { url: '/a/{{id}}/{{it}}', keyword: 'never' }])
    assert.equal(other, 'Step 2 (GET /a/{{id}}/{{it}}): Keyword "never" not found in the answer')
  })

  it('is beside the secrets of the monitor, which no text tells', async () => {
    const secrets = [{ name: 'pass', value: 'hunter/2 "ü"' }, { name: 'none' }]
    const echo = { url: '/echo', method: 'POST', body: '{{pass}} {{none}} {{id}}' }
    const steps = [first, { url: '/?p={{pass}}' }, { ...echo, json_path: 'said', expected_value: 'x' }]
    const { error, details } = await run(steps, { secrets })
    assert.equal(error, `Step 3 (POST /echo): JSON path said is "${mask} {{none}} 7", expected "x"`)
    assert.ok(!JSON.stringify(details).includes('hunter'))
    assert.equal(asked[1]?.request, `GET /?p=${encodeURIComponent('hunter/2 "ü"')}`)
    assert.equal(last().body, 'hunter/2 "ü" {{none}} 7')
  })

  it('is beside the present code of an authenticator', async () => {
    const secret = Buffer.from('12345678901234567890')
    const before = totpCode(secret, Date.now())
    await run([{ url: '/echo', method: 'POST', body: '{{totp}}' }], { totp_secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' })
    assert.ok([before, totpCode(secret, Date.now())].includes(last().body))
  })
})

/** Where the first problem of secrets is, beside a step that captures "a". */
function issuesOf(secrets: object[]): unknown {
  const steps = [{ captures: [{ name: 'a', header: 'x' }] }]
  return transaction.options.safeParse({ steps, secrets }).error?.issues[0]?.path
}

describe('what a step may capture', () => {
  const refused: [what: string, captures: unknown, path: string][] = [
    ['from nowhere', [{ name: 'a' }], 'steps.0.captures.0.json_path'],
    ['by a path with nothing between two dots', [{ name: 'a', json_path: 'a..b' }], 'steps.0.captures.0.json_path'],
    ['from two places', [{ name: 'a', header: 'x', pattern: 'x' }], 'steps.0.captures.0.pattern'],
    [
      'an attribute of nothing',
      [{ name: 'a', header: 'x', selector_attribute: 'b' }],
      'steps.0.captures.0.selector_attribute',
    ],
    ['by a pattern that cannot be read', [{ name: 'a', pattern: '(' }], 'steps.0.captures.0.pattern'],
    ['by a selector that cannot be read', [{ name: 'a', selector: 'a[' }], 'steps.0.captures.0.selector'],
    ['under a name with a space', [{ name: 'a b', header: 'x' }], 'steps.0.captures.0.name'],
    ['under the name of the code', [{ name: 'totp', header: 'x' }], 'steps.0.captures.0.name'],
    [
      'twice under one name',
      [
        { name: 'a', header: 'x' },
        { name: 'a', header: 'y' },
      ],
      'steps.0.captures.1.name',
    ],
    [
      'more than ten times',
      Array.from({ length: 11 }, (_, at) => ({ name: `a${at}`, header: 'x' })),
      'steps.0.captures',
    ],
  ]
  for (const [what, captures, path] of refused)
    it(`is not something ${what}`, () => {
      const { error } = transaction.options.safeParse({ steps: [{ captures }] })
      assert.ok(
        error?.issues.some((issue) => issue.path.join('.') === path),
        JSON.stringify(error?.issues),
      )
    })

  it('is not under a name of a step before', () => {
    const step = { captures: [{ name: 'a', header: 'x' }] }
    assert.equal(transaction.options.safeParse({ steps: [step, step] }).success, false)
  })

  it('is not under the name of a secret, and no two secrets have one name', () => {
    assert.deepEqual(issuesOf([{ name: 'a', value: 'b' }]), ['steps', 0, 'captures', 0, 'name'])
    assert.deepEqual(issuesOf([{ name: 'b' }, { name: 'b' }]), ['secrets', 1, 'name'])
    assert.deepEqual(issuesOf([{ name: 'totp' }]), ['secrets', 0, 'name'])
    assert.equal(issuesOf([{ name: 'b', value: 'c' }]), undefined)
  })

  it('needs a secret in base32 for codes', () => {
    assert.equal(transaction.options.safeParse({ steps: [{}], totp_secret: 'not base32!' }).success, false)
  })
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { type WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { integerParameter } from '#operations/pipeline/query.ts'
import { testApi } from '../../test/support/api.ts'
import { listen } from './listen.ts'

const schema = z.strictObject({ data: z.string() })
const textOf = (characters: number): string => 'ä'.repeat(characters - '{"data":""}'.length)
const query = { schema: z.object({ length: integerParameter({ min: 11, max: 2_000_000, default: 11 }) }) }

/** A text of so many characters. */
function textOperation(method: 'GET' | 'POST', path: string, asMarkdown?: () => string): WorkspaceVerb {
  return defineOperation({
    name: `${method} ${path}`,
    method,
    path,
    scope: 'read',
    tag: 'Console',
    summary: 'A text',
    query,
    errors: [401],
    success: { status: 200, description: 'Text.', schema, ...(asMarkdown === undefined ? {} : { asMarkdown }) },
    run: async (_context, { query: { length } }) => ({ status: 200, body: { data: textOf(length) } }),
  })
}

const operations = [
  textOperation('GET', '/text'),
  textOperation('POST', '/text'),
  textOperation('GET', '/paper', () => `# ${textOf(5000)}`),
  defineOperation({
    name: 'figures',
    method: 'GET',
    path: '/figures',
    scope: 'read',
    tag: 'Console',
    summary: 'Figures',
    errors: [401],
    success: {
      status: 200,
      description: 'Figures.',
      texts: [
        { type: 'text/plain', version: '0.0.4', write: (body) => `plain ${JSON.stringify(body)}` },
        { type: 'application/figures', version: '2', write: (body) => `figures ${JSON.stringify(body)}` },
      ],
    },
    run: async () => ({ status: 200, body: [1] }),
  }),
]
const plain = { null: (bytes: Buffer) => bytes, br: brotliDecompressSync, gzip: gunzipSync }

describe('answers of operations', async () => {
  const api = await testApi({ maxConnections: 5, operations })
  const server = await listen(api.app, { host: '127.0.0.1', port: 0 })

  /** The bytes as they are on the wire: node:http undoes no content coding. */
  async function send(method: string, path: string, headers: Record<string, string> = {}) {
    const sent = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: `/api/v1${path}`,
      method,
      headers: { 'X-API-Key': api.token, ...headers },
    }).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
  }

  const choices: [acceptEncoding: string | null, length: number, coding: keyof typeof plain][] = [
    [null, 5000, 'null'],
    ['', 5000, 'null'],
    ['identity', 5000, 'null'],
    ['deflate, zstd', 5000, 'null'],
    ['gzip', 5000, 'gzip'],
    ['gzip, deflate', 5000, 'gzip'],
    ['gzip, deflate, br, zstd', 5000, 'br'],
    ['GZIP;q=0.5, br;q=0', 5000, 'gzip'],
    ['br;q=0, gzip;q=0.0', 5000, 'null'],
    ['br', 1023, 'null'],
    ['br', 1024, 'br'],
    ['br', 2_000_000, 'br'],
    ['gzip', 2_000_000, 'gzip'],
  ]
  for (const [acceptEncoding, length, coding] of choices)
    it(`of ${length} characters to ${acceptEncoding ?? 'nothing'} come as ${coding === 'null' ? 'they are' : coding}`, async () => {
      const asked = acceptEncoding === null ? {} : { 'Accept-Encoding': acceptEncoding }
      const { status, headers, bytes } = await send('GET', `/text?length=${length}`, asked)
      assert.deepEqual(
        [status, headers['content-encoding'] ?? 'null', headers['vary']],
        [200, coding, 'Accept-Encoding'],
      )
      assert.equal(headers['content-length'], String(bytes.length))
      assert.deepEqual(schema.parse(JSON.parse(plain[coding](bytes).toString())), { data: textOf(length) })
      if (coding !== 'null') assert.ok(bytes.length < length / 4)

      const head = await send('HEAD', `/text?length=${length}`, asked)
      const same = ['content-encoding', 'content-type', 'vary', 'cache-control']
      assert.deepEqual([head.status, head.bytes.length], [200, 0])
      assert.deepEqual(
        same.map((name) => head.headers[name]),
        same.map((name) => headers[name]),
      )
    })

  it('as Markdown are compressed as well, and say what both depend on', async () => {
    const { headers, bytes } = await send('GET', '/paper', { 'Accept-Encoding': 'gzip', Accept: 'text/markdown' })
    assert.deepEqual([headers['content-encoding'], headers['vary']], ['gzip', 'Accept, Accept-Encoding'])
    assert.equal(gunzipSync(bytes).toString(), `# ${textOf(5000)}`)
  })

  const forms: [accept: string, type: string][] = [
    ['', 'text/plain; version=0.0.4'],
    ['*/*', 'text/plain; version=0.0.4'],
    ['text/*', 'text/plain; version=0.0.4'],
    ['application/json', 'text/plain; version=0.0.4'],
    ['application/figures', 'application/figures; version=2'],
    ['Application/Figures; version=2', 'application/figures; version=2'],
    ['application/figures; version=3', 'text/plain; version=0.0.4'],
    ['application/figures; version=3; q=1, application/figures; version=2; q=0.5', 'application/figures; version=2'],
    ['text/plain; q=0.2, application/figures; q=0.3, */*; q=0.1', 'application/figures; version=2'],
    ['text/plain, application/figures', 'text/plain; version=0.0.4'],
    ['application/figures; q=0, */*', 'text/plain; version=0.0.4'],
    [`${'x/y,'.repeat(2000)}application/figures`, 'application/figures; version=2'],
  ]
  for (const [accept, type] of forms)
    it(`that are text are ${type} for "${accept.slice(0, 80)}"`, async () => {
      const { headers, bytes } = await send('GET', '/figures', { Accept: accept })
      assert.equal(headers['content-type'], `${type}; charset=utf-8`)
      assert.equal(headers['vary'], 'Accept, Accept-Encoding')
      assert.match(bytes.toString(), type.startsWith('text') ? /^plain \[1\]$/ : /^figures \[1\]$/)
    })

  it('that are text elsewhere refuse in JSON', async () => {
    const { status, headers } = await send('GET', '/figures', { 'X-API-Key': 'wrong', Accept: 'text/plain' })
    assert.deepEqual([status, headers['content-type']], [401, 'application/json; charset=utf-8'])
  })

  it('to what is no GET, and refusals, are never compressed', async () => {
    for (const [method, headers, status] of [
      ['POST', {}, 200],
      ['GET', { 'X-API-Key': 'wrong' }, 401],
    ] as const) {
      const answer = await send(method, '/text?length=5000', { ...headers, 'Accept-Encoding': 'br' })
      assert.deepEqual([answer.status, answer.headers['content-encoding']], [status, undefined])
      assert.doesNotThrow(() => JSON.parse(answer.bytes.toString()))
    }
  })

  it('come whole when many are asked for at once', async () => {
    const lengths = Array.from({ length: 40 }, (_, index) => 100_000 + index)
    const answers = await Promise.all(
      lengths.map((length) => send('GET', `/text?length=${length}`, { 'Accept-Encoding': 'br' })),
    )
    assert.deepEqual(
      answers.map(({ bytes }) => brotliDecompressSync(bytes).toString().length),
      lengths,
    )
    await server.close(1000)
  })
})

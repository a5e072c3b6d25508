// The public conformance suite, against the real service and against its own fixtures behind the same gate.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import type { HttpEnv } from '#http/environment.ts'
import { listen } from '#http/listen.ts'
import { addMethodRefusals } from '#http/method-refusals.ts'
import { parse } from 'yaml'
import { z } from 'zod'
import { createEndpoint } from '../../src/mcp/endpoint.ts'
import { answerWith } from '../../src/mcp/protocol.ts'
import { testApi } from '../support/api.ts'
import { createFixtures } from '../support/mcp-fixtures.ts'

const program = fileURLToPath(
  new URL('dist/index.js', import.meta.resolve('@modelcontextprotocol/conformance/package.json')),
)
const waitMs = 100_000

describe('the public conformance suite', async () => {
  const closing: (() => Promise<void>)[] = []
  after(() => Promise.all(closing.map((close) => close())))
  const api = await testApi()

  /** Listens first: the public address is what the gate compares origins with. */
  async function start(createApp: (publicUrl: string) => Hono<HttpEnv>): Promise<string> {
    let app = new Hono<HttpEnv>()
    const { port, close } = await listen({ fetch: (...given) => app.fetch(...given) }, { host: '127.0.0.1', port: 0 })
    closing.push(() => close(0))
    const url = `http://127.0.0.1:${port}`
    app = createApp(url)
    return url
  }

  it('finds nothing in the service but what it has no business with', async () => {
    const url = await start((publicUrl) => {
      api.services.publicUrl = publicUrl
      return withKey(api.app, api.token)
    })
    await assertConforms(url, 'conformance-real.yml', [
      'server-initialize',
      'ping',
      'tools-list',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
    ])
  })

  it('passes whole on its fixtures, but for what needs sessions', async () => {
    const url = await start((publicUrl) => fixturesAt({ ...api.frame, services: { ...api.services, publicUrl } }))
    await assertConforms(url, 'conformance-fixtures.yml', [
      'tools-call-simple-text',
      'tools-call-with-progress',
      'json-schema-2020-12',
    ])
  })
})

/** The suite cannot be told to send a token. */
function withKey(app: Hono<HttpEnv>, token: string): Hono<HttpEnv> {
  const front = new Hono<HttpEnv>()
  front.all('*', (context) => {
    const request = new Request(context.req.raw)
    request.headers.set('X-API-Key', token)
    return app.fetch(request, context.env)
  })
  return front
}

function fixturesAt(frame: Parameters<typeof createEndpoint>[0]['frame']): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.use(async (context, next) => {
    context.set('addressGroup', context.env.address)
    context.set('requestId', 'test')
    await next()
  })
  const endpoint = createEndpoint({
    frame,
    isOpen: () => true,
    serve: (request, body) => answerWith(createFixtures, request, body),
    onError: rethrow,
    onUnavailable: rethrow,
  })
  app.route('/', endpoint)
  addMethodRefusals(app, frame.services.publicUrl)
  return app
}

function rethrow(error: unknown): never {
  throw error
}

const baselineSchema = z.object({ server: z.array(z.string()) })

/** All that is not in the baseline has to pass, and all that is in it has to fail: the suite looks at both. */
async function assertConforms(url: string, baseline: string, passing: readonly string[]): Promise<void> {
  const path = fileURLToPath(new URL(baseline, import.meta.url))
  const { code, output } = await run(['server', '--url', `${url}/mcp`, '--suite', 'all', '--expected-failures', path])
  assert.equal(code, 0, output)
  assert.match(output, /Baseline check passed/)
  for (const name of passing) assert.match(output, new RegExp(`^✓ ${name}: [1-9]`, 'm'), output)
  const expected = baselineSchema.parse(parse(readFileSync(path, 'utf8'))).server
  assert.equal(new Set(expected).size, expected.length)
}

async function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { timeout: waitMs, killSignal: 'SIGKILL' })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, output }
}

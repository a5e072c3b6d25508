// The public conformance suite, against the real service and against its own fixtures behind the same gate.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import type { HttpEnv } from '#http/environment.ts'
import { createLongBodies } from '#http/json-thread.ts'
import { listen } from '#http/listen.ts'
import { addMethodRefusals } from '#http/method-refusals.ts'
import { load } from 'js-yaml'
import { z } from 'zod'
import { createEndpoint } from '../../src/mcp/endpoint.ts'
import { answerWith } from '../../src/mcp/protocol.ts'
import { testApi } from '../support/api.ts'
import { createFixtures } from '../support/mcp-fixtures.ts'

const waitMs = 100_000
const published = programOf('@modelcontextprotocol/conformance')
/** The only one that knows the revision of 2026-07-28. */
const coming = programOf('mcp-conformance-next')

type Run = {
  what: string
  program: string
  args: string[]
  /** Files of expected failures; null where everything has to pass. */
  real: string | null
  fixtures: string | null
  /** Scenarios that the run must pass. */
  passing: string[]
}

const revisionRun = (revision: string, passing: string[]): Run => ({
  what: `the suite to come, revision ${revision}`,
  program: coming,
  args: ['--spec-version', revision],
  real: 'conformance-real.yml',
  fixtures: 'conformance-fixtures.yml',
  passing,
})
const everywhere = ['tools-list', 'resources-list', 'prompts-list']
const runs: Run[] = [
  {
    ...revisionRun('', ['server-initialize', 'ping', 'dns-rebinding-protection', ...everywhere]),
    what: 'the published suite',
    program: published,
    args: [],
  },
  // Knows one scenario, the life of a session, and finds that there is none.
  revisionRun('2025-03-26', []),
  revisionRun('2025-06-18', ['server-initialize', 'ping', ...everywhere]),
  revisionRun('2025-11-25', ['server-initialize', 'ping', 'dns-rebinding-protection', ...everywhere]),
  {
    ...revisionRun('2026-07-28', ['caching', 'http-header-validation', 'sep-2164-resource-not-found', ...everywhere]),
    real: 'conformance-real-2026.yml',
    fixtures: null,
  },
]

/** Checks of the scenario `server-stateless` that call fixture tools. */
const untestable = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
]

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

  const service = await start((publicUrl) => {
    api.services.publicUrl = publicUrl
    return withKey(api.app, api.token)
  })
  const fixtures = await start((publicUrl) => fixturesAt({ ...api.frame, services: { ...api.services, publicUrl } }))

  for (const run of runs) {
    it(`finds nothing in the service but what it has no business with: ${run.what}`, async () => {
      const { failures } = await assertConforms(service, run, run.real)
      assert.deepEqual(failures.get('server-stateless'), run.fixtures === null ? untestable : undefined)
    })

    it(`passes whole on its fixtures, but for what needs sessions: ${run.what}`, async () => {
      await assertConforms(fixtures, run, run.fixtures)
    })
  }

  it('is run on every revision that it knows', async () => {
    const { output } = await execute(coming, ['server', '--url', fixtures, '--spec-version', 'none'])
    const known = [...output.matchAll(/\d{4}-\d{2}-\d{2}/g)].map(([revision]) => revision)
    assert.deepEqual(
      new Set(known),
      new Set(runs.flatMap(({ args }) => args.filter((argument) => /^\d/.test(argument)))),
    )
  })
})

function programOf(name: string): string {
  return fileURLToPath(new URL('dist/index.js', import.meta.resolve(`${name}/package.json`)))
}

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
    longBodies: createLongBodies(),
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
const checksSchema = z.array(z.looseObject({ id: z.string(), status: z.string() }))

/**
 * The suite itself fails when a check outside the baseline fails, or when one in the baseline passes. Returns the
 * failed checks by scenario.
 */
async function assertConforms(
  url: string,
  { program, args, passing }: Run,
  baseline: string | null,
): Promise<{ failures: Map<string, string[]> }> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const path = baseline === null ? null : fileURLToPath(new URL(baseline, import.meta.url))
  const expecting = path === null ? [] : ['--expected-failures', path]
  const all = ['server', '--url', `${url}/mcp`, '--suite', 'all', '--output-dir', folder, ...args, ...expecting]
  const { code, output } = await execute(program, all)
  assert.equal(code, 0, output)
  assert.match(output, path === null ? /^Total: [1-9]\d* passed, 0 failed$/m : /Baseline check passed/)
  for (const name of passing) assert.match(output, new RegExp(`^✓ ${name}: [1-9]\\d* passed, 0 failed`, 'm'), output)
  const expected = path === null ? [] : baselineSchema.parse(load(readFileSync(path, 'utf8'))).server
  assert.equal(new Set(expected).size, expected.length)
  return { failures: failuresIn(folder) }
}

function failuresIn(folder: string): Map<string, string[]> {
  const found = globSync('*/checks.json', { cwd: folder }).map((file): [string, string[]] => {
    const checks = checksSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    const scenario = file.replace(/^server-/, '').replace(/-\d{4}-.*$/, '')
    return [scenario, checks.flatMap(({ id, status }) => (status === 'FAILURE' ? [id] : [])).toSorted()]
  })
  return new Map(found)
}

async function execute(program: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
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

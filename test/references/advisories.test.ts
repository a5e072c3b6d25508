// npm asks for what is installed, so this runs where the packages of the suites are.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { root } from '../../scripts/release/release-facts.ts'

/** As the registry of npm tells it. */
const advisory = {
  id: 1_099_999,
  title: 'semver is slow',
  url: 'https://github.com/advisories/GHSA-dddd-eeee-ffff',
  severity: 'moderate',
  cwe: ['CWE-125'],
  cvss: { score: 7.5, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' },
  vulnerable_versions: '<99',
}
/** "npm run site" installs it. */
const ofSite = existsSync(new URL('../../site/node_modules', import.meta.url)) ? ['@11ty/eleventy'] : []

type Answer = { status: number; body: object }

const none = (): Answer => ({ status: 200, body: {} })

describe('npm run advisories', () => {
  it('asks for the packages of the project, of the suites and of the documentation, and names what it hears', async () => {
    const asked = new Set<string>()
    const { code, printed } = await run((names) => {
      for (const name of names) asked.add(name)
      return { status: 200, body: names.includes('hono') ? { hono: [advisory] } : {} }
    })
    for (const name of ['hono', 'axe-core', ...ofSite]) assert.ok(asked.has(name), name)
    assert.match(printed, /^hono <99 has an advisory of severity moderate, GHSA-dddd-eeee-ffff: semver is slow/m)
    assert.equal(code, 1, printed)
  })

  it('is content when there are none', async () => {
    assert.deepEqual(await run(none), { code: 0, printed: '0 advisories on locked packages, 0 problems.\n' })
  })

  it('fails when the registry does not answer', async () => {
    const { code, printed } = await run(() => ({ status: 405, body: {} }))
    assert.match(printed, /^Nothing is known of advisories: 405 Method Not Allowed/m)
    assert.equal(code, 2)
  })
})

/** Runs it with a registry that knows no packages and has these advisories on those that it is asked about. */
async function run(answer: (names: readonly string[]) => Answer): Promise<{ code: number; printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-advisories-'))
  const server = createServer((request, response) => {
    void answered(request, answer).then(({ status, body }) => response.writeHead(status).end(JSON.stringify(body)))
  })
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    assert.ok(typeof address === 'object' && address !== null)
    const registry = `http://127.0.0.1:${address.port}/`
    return await runScript({ npm_config_registry: registry, npm_config_cache: folder, npm_config_fetch_retries: '0' })
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function answered(request: IncomingMessage, answer: (names: readonly string[]) => Answer): Promise<Answer> {
  const sent = await buffer(request)
  if (request.url !== '/-/npm/v1/security/advisories/bulk') return { status: 404, body: { error: 'not found' } }
  const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
  return answer(Object.keys(z.record(z.string(), z.unknown()).parse(JSON.parse(text.toString()))))
}

function runScript(environment: NodeJS.ProcessEnv): Promise<{ code: number; printed: string }> {
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...environment } }
    execFile(process.execPath, ['scripts/advisories.ts'], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, printed: `${stdout}${stderr}` })
    })
  })
}

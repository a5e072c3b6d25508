import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { testApi } from '../../test/support/api.ts'
import { httpServer } from '../../test/support/http-server.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { freePort } from '../../test/support/free-port.ts'
import { givePast } from '../../test/support/objectives.ts'
import { spawnPerigee } from '../../test/support/perigee-process.ts'
import { listen } from '../http/listen.ts'

const hourMs = 3_600_000

describe('perigee slo check', { concurrency: 2 }, async () => {
  const api = await testApi()
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const url = `http://127.0.0.1:${service.port}`
  const nowMs = Date.now()
  const sinceMs = nowMs - 40 * 24 * hourMs
  const [good, bad, burning, unknown] = await Promise.all(
    ['Good', 'Bad', 'Burning', 'Unknown'].map(async (name) => {
      const monitor = await createMonitor(api, { name, interval_seconds: 3600 })
      const slo = await api.post('/slos', { name, monitor_ids: [monitor.id], objective: 99 })
      return {
        monitorId: monitor.id,
        id: z.looseObject({ data: z.looseObject({ id: z.string() }) }).parse(slo.body).data.id,
      }
    }),
  )
  assert.ok(good && bad && burning && unknown)
  await givePast(api.database, good.monitorId, { sinceMs, nowMs })
  await givePast(api.database, bad.monitorId, { sinceMs, nowMs, outages: [[nowMs - 30 * hourMs, nowMs - 20 * hourMs]] })
  await givePast(api.database, burning.monitorId, { sinceMs, nowMs, outages: [[nowMs - 2 * hourMs, nowMs]] })

  async function check(args: string[], environment: Record<string, string> = {}) {
    const perigee = spawnPerigee({
      args: ['slo', 'check', ...args],
      environment: { PERIGEE_URL: url, PERIGEE_TOKEN: api.readToken, ...environment },
    })
    const code = await perigee.ended()
    return { code, out: perigee.stdout(), err: perigee.stderr() }
  }

  it('ends with 0 where the budget lasts, by name or id, and says so in a line', async () => {
    const { code, out, err } = await check(['--slo', 'Good', '--max-burn', '1'])
    assert.deepEqual([code, err], [0, ''])
    assert.equal(
      out,
      'within budget   Good: 100 % of 99 % over 30 d, 100 % of the budget left, burn rate 0 (1 h), 0 (6 h)\n',
    )
    assert.equal((await check(['--slo', good.id])).code, 0)
  })

  it('ends with 1 where it is used up, and where it burns faster than asked', async () => {
    const used = await check(['--slo', 'Bad', '--slo', 'Good'])
    assert.equal(used.code, 1)
    // They are told in the order in which they were made, which was at once.
    const lines = used.out.trimEnd().split('\n').toSorted()
    assert.equal(lines.length, 2)
    assert.match(lines[0] ?? '', /^over budget {5}Bad: 98\.6111 % of 99 % over 30 d, /)
    assert.match(lines[1] ?? '', /^within budget {3}Good: /)
    assert.equal((await check(['--slo', 'Burning'])).code, 0)
    const fast = await check(['--slo', 'Burning', '--max-burn', '6'])
    assert.equal(fast.code, 1)
    assert.match(fast.out, /^burning fast {4}Burning: /)
  })

  it('ends with 2 where nothing is measured, unless that may pass', async () => {
    const { code, out } = await check(['--slo', 'Unknown'])
    assert.deepEqual([code, out], [2, 'unknown         Unknown: no measurements\n'])
    assert.equal((await check(['--slo', 'Unknown', '--allow-unknown'])).code, 0)
  })

  it('asks for all, and tells them as JSON', async () => {
    const { code, out } = await check(['--json'])
    const answer = z.object({
      ok: z.boolean(),
      exit_code: z.number(),
      slos: z.array(z.object({ name: z.string(), verdict: z.string() })),
    })
    const { slos, ...rest } = answer.parse(JSON.parse(out))
    assert.deepEqual([code, rest], [1, { ok: false, exit_code: 1 }])
    assert.deepEqual(slos.map(({ name, verdict }) => `${name} ${verdict}`).toSorted(), [
      'Bad exceeded',
      'Burning within',
      'Good within',
      'Unknown unknown',
    ])
  })

  it('ends with 2 where the service cannot be asked', async () => {
    const dead = await check([], { PERIGEE_URL: `http://127.0.0.1:${await freePort()}` })
    assert.equal(dead.code, 2)
    assert.match(dead.err, /^The service cannot be reached: .*ECONNREFUSED.*\n$/)
    const foreign = await check([], { PERIGEE_TOKEN: `pgk_${'x'.repeat(40)}` })
    assert.equal(foreign.code, 2)
    assert.match(foreign.err, /^The service answered 401: /)
    const missing = await check(['--slo', 'Gone', '--json'])
    assert.deepEqual([missing.code, missing.err], [2, ''])
    assert.partialDeepStrictEqual(JSON.parse(missing.out), {
      ok: false,
      error: 'The workspace has no objective "Gone".',
    })
  })

  it('sends its token nowhere else, and takes no other answer for a list', async () => {
    const other = await httpServer((_request, response) =>
      response.writeHead(302, { location: `${url}/api/v1/slos` }).end(),
    )
    assert.equal((await check(['--url', `http://127.0.0.1:${other.port}`])).code, 2)
    const odd = await httpServer((_request, response) => response.end('<html>'))
    const { code, err } = await check(['--url', `http://127.0.0.1:${odd.port}`])
    assert.deepEqual([code, err], [2, 'The answer of the service is not a list of objectives.\n'])
  })

  it('takes its token from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-slo-'))
    after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'token'), `${api.readToken}\n`)
    assert.equal((await check(['--slo', 'Good', '--token-file', join(folder, 'token')], { PERIGEE_TOKEN: '' })).code, 0)
    const environment = { PERIGEE_TOKEN: '', PERIGEE_TOKEN_FILE: join(folder, 'token') }
    assert.equal((await check(['--slo', 'Good'], environment)).code, 0)
  })

  const wrong: [args: string[], environment: Record<string, string>, told: RegExp][] = [
    [['--max-burn', 'fast'], {}, /^--max-burn: "fast" is not a rate such as 2 or 14\.4\.\n\nperigee slo check/],
    [['--url', 'ftp://up.example.com'], {}, /is not an http:\/\/ or https:\/\/ address/],
    [[], { PERIGEE_URL: '' }, /^Name a service: /],
    [[], { PERIGEE_TOKEN: '' }, /^A token is missing/],
    [[], { PERIGEE_TOKEN: 'hunter2' }, /^PERIGEE_TOKEN must be an API token\. An API token begins with pgk_\.\n$/],
    [['more'], {}, /^The command is "perigee slo check"\./],
  ]
  for (const [args, environment, told] of wrong)
    it(`ends with 2 for ${[...args, ...Object.keys(environment)].join(' ')}`, async () => {
      const { code, err } = await check(args, environment)
      assert.equal(code, 2)
      assert.match(err, told)
      assert.doesNotMatch(err, /hunter2/)
    })
})

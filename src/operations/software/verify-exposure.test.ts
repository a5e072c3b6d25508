import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import type { AskedTrial, TrialOutcome } from '#core/monitors/trial.ts'
import { type Exposure, exposureSchema } from '#core/software/exposure.ts'
import { lookFor } from '#fingerprints/look-for.ts'
import { followExposures } from '#jobs/software/exposures.ts'
import { scanSoftware } from '#jobs/software/software-scans.ts'
import { replaceExploited } from '#store/software/advisory-catalogs.ts'
import { forgetComponents } from '#store/software/components.ts'
import { testApi } from '../../../test/support/api.ts'
import { only } from '../../../test/support/engine.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { openNet } from '../../../test/support/net.ts'
import { compare, publish } from '../../../test/support/software.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const one = z.object({ data: exposureSchema })
const many = z.object({ data: z.array(exposureSchema), next_cursor: z.string().nullable() })

/**
 * A website with nginx 1.25.3, which an exploited vulnerability affects until 1.25.4. Locations scan it as they would
 * over the bus; `at` has what a location other than all sees, or why it tells nothing.
 */
async function bench() {
  const servers = { all: 'nginx/1.25.3', at: new Map<string, string | TrialOutcome>() }
  const { port } = await httpServer(({ headers }, response) => {
    const special = servers.at.get(String(headers['x-location']))
    response.writeHead(200, { server: typeof special === 'string' ? special : servers.all }).end('<p>Shop</p>')
  })
  const asked: string[] = []
  const tryCheck = async ({ location, configuration, deadlineMs }: AskedTrial): Promise<TrialOutcome> => {
    asked.push(location)
    const special = servers.at.get(location)
    if (special !== undefined && typeof special !== 'string') return special
    const requestHeaders = { ...configuration.requestHeaders, 'X-Location': location }
    const signal = AbortSignal.timeout(deadlineMs)
    return { type: 'checked', verdict: await lookFor({ ...configuration, requestHeaders }, openNet, signal) }
  }
  const carriers = testCarriers()
  const clock = { ms: Date.now() }
  const now = (): Date => new Date(clock.ms)
  const api = await testApi({ now, services: { tryCheck, carriers } })
  const { database } = api
  const monitor = await createMonitor(api, { url: `http://127.0.0.1:${port}/`, vulnerability_alerts: true })
  const signal = new AbortController().signal
  const follow = async (): Promise<void> => {
    await compare(database, now)
    await followExposures({ database, log, now })
  }
  const scanList = async (): Promise<void> => {
    const { secrets } = api.services
    await scanSoftware({ database, carriers, privateNet: null, secrets, log, now: () => new Date() }, signal)
    await follow()
  }
  await publish(database, { id: 'CVE-2026-1001', product: 'nginx', stretches: [{ fixed: '1.25.4' }] })
  await database.transaction((tx) =>
    replaceExploited(tx, [{ cve: 'CVE-2026-1001', addedOn: '2026-11-10', name: null }]),
  )
  await scanList()
  const { id } = only(many.parse((await api.get('/exposures')).body).data)
  const verify = () => api.post(`/exposures/${id}/verify`)
  return {
    api,
    database,
    monitor,
    id,
    servers,
    asked,
    follow,
    scanList,
    verify,
    read: async (): Promise<Exposure> => one.parse((await api.get(`/exposures/${id}`)).body).data,
    /** A minute later, with what was decided once the versions were compared. */
    verified: async (): Promise<Exposure> => {
      clock.ms += 61_000
      const answer = await verify()
      assert.equal(answer.status, 202, answer.text)
      assert.equal(one.parse(answer.body).data.verification?.result, null)
      await follow()
      return one.parse((await api.get(`/exposures/${id}`)).body).data
    },
  }
}

describe('a verification', { concurrency: 2 }, () => {
  it('proves the fix from several locations, and closes the exposure once the list says so too', async () => {
    const { servers, verified, scanList, read, asked, database } = await bench()
    const old = await verified()
    assert.deepEqual([old.verification?.result, old.status, asked.length], ['affected', 'open', 3])
    assert.match(old.next_step, /^Update NGINX to 1\.25\.4/i)
    servers.all = 'nginx/1.25.4'
    const proved = await verified()
    assert.deepEqual([proved.verification?.result, proved.status, proved.outcome], ['proved', 'open', null])
    assert.deepEqual(
      proved.verification?.scans.map(({ saw, version, evidence, judgement }) => [saw, version, evidence, judgement]),
      Array.from({ length: 3 }, () => ['version', '1.25.4', 'Server header: nginx/1.25.4', 'not_affected']),
    )
    assert.equal(new Set(proved.verification.scans.map(({ location_code: code }) => code)).size, 3)
    await scanList()
    const closed = await read()
    assert.deepEqual([closed.status, closed.outcome, closed.last_version], ['closed', 'proved', '1.25.4'])
    // That of the old version, which nothing has any more.
    assert.equal(await forgetComponents(database), 1)
  })

  it('proves it after the list has ended the exposure, too', async () => {
    const { servers, verified, scanList, read, database, verify } = await bench()
    servers.all = 'nginx/1.25.4'
    await database.pool.query('update software_scans set due_at = now()')
    await scanList()
    assert.equal((await read()).outcome, 'updated')
    assert.equal((await verified()).outcome, 'proved')
    assert.deepEqual(refusalOf(await verify()), [422, 'not_verifiable'])
  })

  it('proves nothing while one location sees the old version', async () => {
    const { servers, verified, asked } = await bench()
    await verified()
    servers.all = 'nginx/1.25.4'
    servers.at.set(asked[1] ?? '', 'nginx/1.25.3')
    assert.equal((await verified()).verification?.result, 'affected')
  })

  for (const [what, seen, saw] of [
    ['shows no version', 'nginx', 'no_version'],
    ['shows nothing', 'Caddy', 'nothing'],
    ['is not reached by a location', { type: 'silent' }, 'failed'],
  ] as const)
    it(`proves nothing where the website ${what} at one location`, async () => {
      const { servers, verified, asked } = await bench()
      await verified()
      servers.all = 'nginx/1.25.4'
      servers.at.set(asked[0] ?? '', seen)
      const { verification, status } = await verified()
      assert.deepEqual([verification?.result, status], ['unproved', 'open'])
      assert.equal(verification?.scans.find(({ location_code: code }) => code === asked[0])?.saw, saw)
    })

  it('says that the product is seen no more after two in a row, which is no proof', async () => {
    const { servers, verified, scanList, read } = await bench()
    servers.all = 'Caddy'
    assert.equal((await verified()).verification?.result, 'unproved')
    assert.equal((await verified()).verification?.result, 'not_seen')
    await scanList()
    assert.equal((await read()).outcome, 'not_seen')
  })

  it('keeps a version that waits to be compared', async () => {
    const { servers, verify, database, read } = await bench()
    servers.all = 'nginx/1.25.4'
    assert.equal((await verify()).status, 202)
    assert.equal(await forgetComponents(database), 0)
    assert.deepEqual((await read()).verification?.scans[0]?.judgement, null)
  })

  it('is made once a minute', async () => {
    const { verify } = await bench()
    assert.equal((await verify()).status, 202)
    const refused = await verify()
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [429, '60'])
  })

  it('is refused where locations cannot see the software', async () => {
    const { api, database, monitor, follow } = await bench()
    await publish(database, { id: 'CVE-2026-1002', product: 'npm:cart', stretches: [{ fixed: '2.0.0' }] })
    const entries = ['CVE-2026-1001', 'CVE-2026-1002'].map((cve) => ({ cve, addedOn: '2026-11-10', name: null }))
    await database.transaction((tx) => replaceExploited(tx, entries))
    await api.post(`/monitors/${monitor.id}/software`, { name: 'npm:cart', version: '1.0.0' })
    await follow()
    const found = only(many.parse((await api.get('/exposures?vuln_id=CVE-2026-1002')).body).data)
    assert.deepEqual(refusalOf(await api.post(`/exposures/${found.id}/verify`)), [422, 'not_verifiable'])
  })

  it('is refused once the monitor is deleted, and for an exposure that is none', async () => {
    const { api, monitor, verify, follow, id } = await bench()
    assert.equal((await api.post(`/exposures/${crypto.randomUUID()}/verify`)).status, 404)
    await api.request('DELETE', `/monitors/${monitor.id}`)
    assert.deepEqual(refusalOf(await verify()), [422, 'not_verifiable'])
    await follow()
    assert.deepEqual(refusalOf(await verify()), [422, 'not_verifiable'])
    assert.equal((await api.get(`/exposures/${id}`)).status, 200)
  })
})

describe('the list of exposures', () => {
  it('is of one workspace, and shows what the plan includes', async () => {
    const { api, database, id } = await bench()
    const open = await api.get('/exposures?status=open&limit=1')
    assert.deepEqual([many.parse(open.body).data.length, many.parse(open.body).next_cursor], [1, null])
    assert.deepEqual(many.parse((await api.get('/exposures?status=closed')).body).data, [])
    assert.equal((await api.get('/exposures?status=over')).status, 400)
    const other = await api.addWorkspace()
    assert.equal((await api.get(`/exposures/${id}`, { token: other.token })).status, 404)
    assert.deepEqual(many.parse((await api.get('/exposures', { token: other.token })).body).data, [])
    await database.pool.query(`update workspaces set plan = 'free'`)
    assert.deepEqual(many.parse((await api.get('/exposures')).body).data, [])
    assert.equal((await api.get(`/exposures/${id}`)).status, 404)
  })
})

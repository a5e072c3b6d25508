import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { phaseMs } from '#core/monitors/schedule.ts'
import type { Vulnerabilities } from '#core/software/vulnerability.ts'
import type { Net } from '#net/net.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { testApi } from '../../../test/support/api.ts'
import { type Files, gitRoot, gitServer, lacksGit } from '../../../test/support/git-server.ts'
import { testCarriers } from '../../../test/support/jobs.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { compare, entryOf, found, listed, publish, reportIn } from '../../../test/support/software.ts'
import { scanSoftware } from './software-scans.ts'

const dayMs = 86_400_000

const files: Files = {
  'package-lock.json': '{"lockfileVersion":3,"packages":{"node_modules/lodash":{"version":"4.17.20"}}}',
  'web/go.mod': 'module web\n\nrequire golang.org/x/net v0.1.0\n',
}

describe('a repository monitor', { skip: lacksGit }, async () => {
  const root = gitRoot()
  const server = await gitServer(root, { secrets: { 'secret.git': 'oauth2:glpat-right' } })
  const api = await testApi()
  const free = await api.addWorkspace('free')
  const pro = await api.addWorkspace('pro')
  const { pool } = api.database
  const logged: string[] = []
  const warn = (message: string): void => void logged.push(message)

  async function scan({ net = testCarriers().net, now = new Date() }: { net?: Net; now?: Date } = {}): Promise<void> {
    const log = { debug: () => {}, info: () => {}, warn, error: warn }
    const { database, services } = api
    const carriers = { ...testCarriers(), net }
    const parts = { database, carriers, privateNet: null, secrets: services.secrets, log, now: () => now }
    await scanSoftware(parts, new AbortController().signal)
  }

  async function watch(name: string, { token = pro.token, options = {} }: { token?: string; options?: object } = {}) {
    const url = `${server.url}/${name}`
    const { id } = await createMonitor(api, { kind: 'repository', url, check_options: options }, token)
    await scan()
    const ofScan = (set: string): Promise<unknown> =>
      pool.query(
        `update software_scans set ${set} from monitors where monitors.key = monitor_key and monitors.id = $1`,
        [id],
      )
    return {
      id,
      report: async () => reportIn(await api.get(`/monitors/${id}/vulnerabilities`, { token })),
      change: (method: string, at: string, body?: object) =>
        api.request(method, `/monitors/${id}${at}`, { token, ...(body === undefined ? {} : { body }) }),
      again: async (wishes: { net?: Net; now?: Date } = {}) => {
        await ofScan('due_at = now()')
        await scan(wishes)
      },
      ofScan,
    }
  }

  it('is scanned at once, on every plan, and lists what its manifests name', async () => {
    root.make('shop.git', { branches: { main: files } })
    const { report } = await watch('shop.git', { token: free.token })
    const seen = await report()
    assert.deepEqual(shown(seen), ['go:golang.org/x/net 0.1.0 web/go.mod', 'npm:lodash 4.17.20 package-lock.json'])
    assert.deepEqual([seen.available, seen.supported, seen.enabled, seen.scan_error], [true, true, true, null])
    assert.equal(entryOf(seen, 'npm:lodash').source, 'detected')
    assert.notEqual(seen.scanned_at, null)
  })

  it('has findings, which end with the file that named their package', async () => {
    root.make('findings.git', { branches: { main: files } })
    await publish(
      api.database,
      { id: 'CVE-2026-4001', product: 'npm:lodash', stretches: [{ fixed: '4.17.21' }] },
      { id: 'CVE-2026-4002', product: 'go:golang.org/x/net', stretches: [{ fixed: '0.2.0' }] },
    )
    const { report, again } = await watch('findings.git')
    await compare(api.database)
    assert.deepEqual(found(await report()).toSorted(), ['CVE-2026-4001', 'CVE-2026-4002'])
    const { 'web/go.mod': _, ...left } = files
    root.make('findings.git', { branches: { main: left } })
    await again()
    await compare(api.database)
    const seen = await report()
    assert.deepEqual([found(seen), listed(seen)], [['CVE-2026-4001'], ['npm:lodash 4.17.20']])
  })

  it('is not read again while its commit is the same, but its software is compared', async () => {
    root.make('same.git', { branches: { main: files } })
    const { report, again } = await watch('same.git')
    const first = await report()
    const asked = server.asked.length
    const now = new Date(Date.now() + dayMs)
    await again({ now })
    assert.equal(server.asked.length, asked + 2)
    await publish(api.database, { id: 'CVE-2026-4003', product: 'npm:lodash', stretches: [{ fixed: '4.17.22' }] })
    await compare(api.database)
    const second = await report()
    assert.deepEqual(shown(second), shown(first))
    assert.deepEqual([second.scanned_at, second.scan_error], [now.toISOString(), null])
    assert.ok(found(second).includes('CVE-2026-4003'))
  })

  it('is scanned every day, at a time of its own', async () => {
    root.make('daily.git', { branches: { main: files } })
    const { id, again } = await watch('daily.git')
    const now = new Date()
    for (const isThere of [true, false]) {
      if (!isThere) rmSync(join(root.folder, 'daily.git'), { recursive: true })
      await again({ now })
      const { rows } = await pool.query<{ due_at: Date }>(
        'select due_at from software_scans join monitors on key = monitor_key where id = $1',
        [id],
      )
      const dueMs = rows[0]?.due_at.getTime() ?? 0
      assert.equal(dueMs % dayMs, phaseMs(id, dayMs))
      assert.ok(dueMs >= now.getTime() + dayMs / 2 && dueMs < now.getTime() + 1.5 * dayMs)
    }
  })

  it('says why it cannot be read, and keeps what is known', async () => {
    root.make('going.git', { branches: { main: files } })
    const { report, again } = await watch('going.git')
    rmSync(join(root.folder, 'going.git'), { recursive: true })
    await again()
    const gone = await report()
    assert.match(gone.scan_error ?? '', /^Repository not found, or private: .* \(HTTP status 404\)$/)
    assert.equal(gone.software.length, 2)
    root.make('going.git', { branches: { main: files } })
    await again()
    assert.equal((await report()).scan_error, null)
  })

  it('is read by its token, where it is private', async () => {
    root.make('secret.git', { branches: { main: files } })
    const without = await watch('secret.git')
    assert.match((await without.report()).scan_error ?? '', /needs check_options\.token \(HTTP status 401\)$/)
    const { report } = await watch('secret.git', { options: { token: 'glpat-right' } })
    assert.deepEqual([(await report()).scan_error, listed(await report()).length], [null, 2])
    const wrong = await watch('secret.git', { options: { token: 'glpat-wrong' } })
    assert.match((await wrong.report()).scan_error ?? '', /^The token in check_options\.token was refused/)
    assert.doesNotMatch(JSON.stringify([await report(), await wrong.report()]), /glpat/)
  })

  it('keeps what a manifest named that cannot be read any more, until it is gone', async () => {
    root.make('broken.git', { branches: { main: files } })
    const { report, again } = await watch('broken.git')
    const before = shown(await report())
    root.make('broken.git', { branches: { main: { ...files, 'package-lock.json': '{' } } })
    for (const _ of ['read', 'unchanged']) {
      await again()
      const broken = await report()
      assert.deepEqual(shown(broken), before)
      assert.match(broken.scan_error ?? '', /^1 of 2 manifests could not be read\. "package-lock\.json": /)
    }
    const { 'package-lock.json': _, ...left } = files
    root.make('broken.git', { branches: { main: left } })
    await again()
    const after = await report()
    assert.deepEqual([listed(after), after.scan_error], [['go:golang.org/x/net 0.1.0'], null])
  })

  it('has the software of the folder that it means now', async () => {
    root.make('folders.git', { branches: { main: files } })
    const { report, change } = await watch('folders.git')
    const url = `${server.url}/folders.git/tree/main/web`
    assert.equal((await change('PATCH', '', { name: 'Shop', url })).status, 200)
    await scan()
    assert.deepEqual(shown(await report()), ['go:golang.org/x/net 0.1.0 go.mod'])
  })

  it('leaves what was given by hand, and finds it again once that is removed', async () => {
    root.make('hand.git', { branches: { main: files } })
    const { report, change, again } = await watch('hand.git')
    const at = async (): Promise<string> => `/software/${entryOf(await report(), 'npm:lodash').id}`
    await change('PATCH', await at(), { version: '4.17.21' })
    await again()
    assert.deepEqual(listed(await report()), ['go:golang.org/x/net 0.1.0', 'npm:lodash 4.17.21'])
    await change('DELETE', await at())
    await again()
    assert.deepEqual(listed(await report()), ['go:golang.org/x/net 0.1.0', 'npm:lodash 4.17.20'])
    await change('DELETE', await at())
    root.make('hand.git', { branches: { main: { ...files, 'go.mod': 'module a\n' } } })
    await again()
    assert.deepEqual([listed(await report()).length, entryOf(await report(), 'npm:lodash').ignored], [2, true])
  })

  it('has room for what was imported', async () => {
    root.make('full.git', { branches: { main: files } })
    const { id, report, again, ofScan } = await watch('full.git')
    await pool.query(`insert into components (product, version, matched_at)
      select 'npm:imported-' || number, '1.0.0', now() from generate_series(1, 49999) as number`)
    await pool.query(
      `insert into monitor_software (id, monitor_key, component_key, name, source, label, added_at)
      select gen_random_uuid(), monitors.key, components.key, product, 'import', 'list', now()
      from monitors, components where monitors.id = $1 and product like 'npm:imported-%'`,
      [id],
    )
    await ofScan('revision = null')
    await again()
    const detected = (await report()).software.filter(({ source }) => source === 'detected')
    assert.deepEqual(
      detected.map(({ product }) => product),
      ['npm:lodash'],
    )
  })

  it('is left for later where this machine is in trouble, and others are scanned', async () => {
    root.make('trouble.git', { branches: { main: files } })
    const { report, again, ofScan } = await watch('trouble.git')
    const before = await report()
    const { net } = testCarriers()
    await ofScan('revision = null')
    await again({ net: { ...net, git: { ...net.git, tree: troubled } } })
    assert.deepEqual(await report(), before)
    assert.equal(logged.at(-1), 'A software scan could not be run.')
    await again()
    assert.equal((await report()).scanned_at, before.scanned_at)
    await ofScan(`claimed_until = now()`)
    await again()
    assert.notEqual((await report()).scanned_at, before.scanned_at)
  })
})

function troubled(): Promise<never> {
  return Promise.reject(new OwnTrouble('EMFILE', new Error('too many files')))
}

function shown({ software }: Vulnerabilities): string[] {
  return software.map(({ product, version, evidence }) => `${product} ${version} ${evidence}`)
}

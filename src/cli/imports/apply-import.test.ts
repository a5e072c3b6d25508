import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { z } from 'zod'
import { exportSchema } from '#core/projects/export-record.ts'
import { testApi, type TestApi } from '../../../test/support/api.ts'
import { killingProxy } from '../../../test/support/killing-proxy.ts'
import { writeKumaDatabase } from '../../../test/support/kuma-database.ts'
import { kumaExample } from '../../../test/support/kuma-example.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { listen } from '../../http/listen.ts'

const exported = z.object({ data: exportSchema })

describe('applying an import', { concurrency: 1 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-apply-import-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'kuma.db')
  writeKumaDatabase(file, 2, kumaExample).close()

  async function serve(api: TestApi, killAt: Parameters<typeof killingProxy>[1] = []) {
    const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
    after(() => service.close(1000))
    const proxy = await killingProxy(service.port, killAt)
    const record = join(folder, `${api.workspaceId}.json`)
    async function run(args: readonly string[]) {
      const environment = { PERIGEE_URL: `http://127.0.0.1:${proxy.port}`, PERIGEE_TOKEN: api.token }
      const perigee = spawnPerigee({ args: ['import', ...args], environment })
      proxy.aim(() => perigee.child.kill('SIGKILL'))
      const code = await perigee.ended()
      return { code, lines: perigee.stdout().split('\n').slice(0, -1), err: perigee.stderr() }
    }
    const workspace = async () => exported.parse((await api.get('/export')).body).data
    return {
      record,
      root: `http://127.0.0.1:${service.port}`,
      apply: (...args: string[]) => run([file, '--apply', '--record', record, ...args]),
      undo: () => run(['--undo', record]),
      workspace,
      counts: async () => {
        const { contacts, monitors, status_pages: pages, maintenance } = await workspace()
        return [contacts, monitors, pages, maintenance].map(({ length }) => length)
      },
    }
  }

  it('makes what arrives, leads its jobs to it, and takes it back as one', async () => {
    const heard: string[] = []
    const api = await testApi({
      services: {
        publishResults: async (_location, results) => void heard.push(...results.map(({ monitorId }) => monitorId)),
      },
    })
    const { apply, undo, counts, workspace, record, root } = await serve(api)
    const own = await createMonitor(api, { name: 'Mine' })
    const before = await counts()
    const secrets = join(folder, 'shown-once')
    const made = await apply('--secrets', secrets)
    assert.deepEqual([made.code, made.err], [0, ''], made.lines.join('\n'))
    assert.ok(made.lines.includes('kuma: 55 created.'))
    assert.ok(made.lines.includes('2 addresses now reach their monitors.'))
    assert.deepEqual(
      (await counts()).map((count, at) => count - (before[at] ?? 0)),
      [16, 32, 2, 5],
    )
    assert.ok(made.lines.includes('Brought 3 days of history.'))
    assert.equal(statSync(record).mode & 0o777, 0o600)
    assert.ok(!readFileSync(record, 'utf8').includes('syt_abcdefgh'))

    const token = kumaExample['monitor']?.find(({ name }) => name === 'Backup')?.['push_token']
    const url = `${root}/api/push/${token}?status=up&msg=OK&ping=`
    assert.equal((await promisify(execFile)('curl', ['-fsS', '-m', '20', url])).stdout, '{"ok":true}')
    const backup = (await workspace()).monitors.find(({ name }) => name === 'Backup')
    assert.deepEqual(heard, [backup?.id])

    const shop = (await workspace()).monitors.find(({ project }) => project?.key === 'shop')
    const { imported } = z
      .looseObject({ imported: z.looseObject({ source: z.string() }) })
      .parse((await api.get(`/monitors/${shop?.id}`)).body)
    assert.equal(imported.source, 'Uptime Kuma')

    const again = await apply('--secrets', secrets)
    assert.deepEqual([again.code, again.lines[0]], [0, 'kuma: no changes, the workspace matches the files.'])

    await api.request('PATCH', `/monitors/${backup?.id}`, { body: { name: 'Backup', interval_seconds: 7200 } })
    const undone = await undo()
    assert.deepEqual([undone.code, undone.err], [2, ''])
    assert.deepEqual(undone.lines.slice(-2), [
      '  monitors.backup was kept, because it was changed since: interval_seconds.',
      'kuma: 54 removed, 1 kept.',
    ])
    const left = (await workspace()).monitors.map(({ name }) => name)
    assert.deepEqual(left.toSorted(), ['Backup', 'Mine'])
    await api.request('DELETE', `/monitors/${backup?.id}`)
    assert.deepEqual((await undo()).lines, ['kuma: 0 removed, 0 kept.'])
    assert.deepEqual(await counts(), before)
    assert.ok((await workspace()).monitors.some(({ id }) => id === own.id))
  })

  it('goes on where it was ended, and makes nothing twice', async () => {
    const api = await testApi()
    const { apply, undo, counts, workspace } = await serve(api, [{ request: 22, moment: 'after' }])
    const before = await counts()
    const killed = await apply()
    assert.equal(killed.code, 'SIGKILL')
    const early = await undo()
    assert.deepEqual([early.code, early.lines], [1, []])
    assert.match(early.err, /^The import is not complete\./)
    const { code, lines } = await apply()
    assert.equal(code, 0, lines.join('\n'))
    const names = (await workspace()).monitors.map(({ project }) => project?.key)
    assert.equal(new Set(names).size, names.length)
    assert.deepEqual(
      (await counts()).map((count, at) => count - (before[at] ?? 0)),
      [16, 32, 2, 5],
    )
    assert.deepEqual([(await undo()).code, await counts()], [0, before])
  })

  it('refuses records of other things', async () => {
    const { apply, undo, record } = await serve(await testApi())
    writeFileSync(record, '{}')
    for (const { code, err } of [await apply(), await undo()])
      assert.deepEqual([code, err], [1, `${record} is not the record of an import.\n`])
    writeFileSync(record, JSON.stringify({ perigee_import: 1, project: 'other', before: [], made: null }))
    const other = await apply()
    assert.deepEqual([other.code, other.err], [1, `${record} is the record of another project, other.\n`])
    rmSync(record)
    assert.deepEqual((await undo()).err, `There is no file ${record}.\n`)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { engineBench, type Told } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { compareUnread, entryOf, publish, readFeeds, reportIn } from '../../test/support/software.ts'
import { until } from '../../test/support/until.ts'

const answered = z.object({ data: z.array(z.object({ details: z.record(z.string(), z.unknown()) })) })

describe('a result of a repository', async () => {
  const bench = await engineBench()
  const { api, database } = bench
  const { id } = await createMonitor(api, { kind: 'repository', url: 'https://git.example.com/example/shop' })
  const [told] = await bench.taken(id, ['amsterdam'])
  let rounds = 0

  /** Publishes a result as a prober does and returns what the API shows of it. */
  async function shownOf(details: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
    assert.ok(told !== undefined)
    const next: Told = { ...told, round: told.round + rounds * 1_000_000 }
    rounds += 1
    await bench.answer(next, { details })
    await until('the result', async () => bench.counts.stored === rounds)
    return answered.parse((await api.get(`/monitors/${id}/results`)).body).data[0]?.details
  }

  it('says how many packages and findings are known, null until the manifests and the feeds were read', async () => {
    assert.deepEqual(await shownOf({ branch: 'main', manifests: 1 }), {
      branch: 'main',
      manifests: 1,
      packages: null,
      findings: null,
    })
    await database.pool.query(`update software_scans set scanned_at = now(), scan_error = 'Timed out'`)
    assert.deepEqual(await shownOf({ manifests: 1 }), { manifests: 1, packages: null, findings: null })
    await publish(
      database,
      { id: 'CVE-2026-4101', product: 'npm:lodash', stretches: [{ fixed: '4.17.21' }] },
      { id: 'CVE-2026-4102', product: 'npm:lodash', stretches: [{ fixed: '4.17.21' }] },
      { id: 'CVE-2026-4103', product: 'npm:express', stretches: [{ fixed: '5.0.0' }] },
    )
    const content = 'npm:lodash 4.17.20\nnpm:express 4.0.0\nnpm:react 19.0.0\n'
    reportIn(await api.post(`/monitors/${id}/software/import`, { content }))
    await compareUnread(database)
    assert.deepEqual(await shownOf({ manifests: 1 }), { manifests: 1, packages: 3, findings: null }, 'no feed was read')
    await readFeeds(database)
    assert.deepEqual(await shownOf({ manifests: 1 }), { manifests: 1, packages: 3, findings: 3 })
  })

  it('says no number while a package waits to be compared for the first time', async () => {
    const importing = (content: string) => api.post(`/monitors/${id}/software/import`, { content, name: 'More' })
    reportIn(await importing('npm:left-pad 1.3.0'))
    assert.deepEqual(await shownOf({ manifests: 1 }), { manifests: 1, packages: 4, findings: null })
    await compareUnread(database)
    assert.deepEqual(await shownOf({ manifests: 1 }), { manifests: 1, packages: 4, findings: 3 })
    await publish(database, { id: 'CVE-2026-4104', product: 'npm:left-pad', stretches: [{}] })
    assert.deepEqual(await shownOf({ manifests: 1 }), { manifests: 1, packages: 4, findings: 3 }, 'newer data wait')
    await compareUnread(database)
    assert.deepEqual(await shownOf({ manifests: 1 }), { manifests: 1, packages: 4, findings: 4 })
    reportIn(await api.request('DELETE', `/monitors/${id}/software/import?file=More`))
  })

  it('counts nothing that is ignored, and keeps what it said before', async () => {
    const report = reportIn(await api.get(`/monitors/${id}/vulnerabilities`))
    const path = `/monitors/${id}/software/${entryOf(report, 'npm:lodash').id}`
    await api.request('PATCH', path, { body: { ignored: true } })
    assert.deepEqual(await shownOf({ manifests: 0 }), { manifests: 0, packages: 2, findings: 1 })
    const { data } = answered.parse((await api.get(`/monitors/${id}/results`)).body)
    assert.deepEqual(
      data.map(({ details }) => [details['packages'], details['findings']]),
      [
        [2, 1],
        [4, 4],
        [4, 3],
        [4, 3],
        [4, null],
        [3, 3],
        [3, null],
        [null, null],
        [null, null],
      ],
    )
  })

  it('that has read no manifests says nothing of them', async () => {
    assert.deepEqual(await shownOf({}), {})
  })
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { exportSchema } from '#core/projects/export-record.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'

const exported = z.object({ data: exportSchema })

describe('what keys of a project stand for', async () => {
  const api = await testApi()
  const [one, two, three, four] = await Promise.all(
    ['One', 'Two', 'Three', 'Four'].map((name) => createMonitor(api, { name })),
  )
  assert.ok(one && two && three && four)
  const own = (project: string, objects: { section?: string; key: string; id: string | null }[], token = api.token) =>
    api.post(
      '/project-objects',
      { project, objects: objects.map(({ section = 'monitors', key, id }) => ({ section, key, id })) },
      { token },
    )

  async function owners(): Promise<Record<string, string>> {
    const { monitors } = exported.parse((await api.get('/export')).body).data
    const told = monitors.flatMap(({ name, project }) =>
      project === null ? [] : [[name, `${project.id} ${project.key}`]],
    )
    return Object.fromEntries(told)
  }

  it('is told, changed and forgotten', async () => {
    const first = await own('shop', [
      { key: 'one', id: one.id },
      { key: 'two', id: two.id.toUpperCase() },
    ])
    assert.deepEqual([first.status, first.body], [200, { data: { project: 'shop', objects: 2 } }])
    assert.deepEqual(await owners(), { One: 'shop one', Two: 'shop two' })
    assert.equal((await own('shop', [{ key: 'one', id: one.id }])).status, 200)
    // Another key for the same, the same key for another, and a key for nothing.
    await own('shop', [{ key: 'uno', id: one.id }])
    await own('shop', [{ key: 'two', id: three.id }])
    assert.deepEqual(await owners(), { One: 'shop uno', Three: 'shop two' })
    await own('shop', [{ key: 'uno', id: null }])
    assert.deepEqual(await owners(), { Three: 'shop two' })
  })

  it('is one project at most, and nothing that is not there', async () => {
    await own('shop', [{ key: 'one', id: one.id }])
    const foreign = await createMonitor(api, {}, (await api.addWorkspace()).token)
    const wrong: [objects: Parameters<typeof own>[1], field: string][] = [
      [[{ key: 'one', id: one.id }], 'objects.0.id'],
      [[{ key: 'other', id: foreign.id }], 'objects.0.id'],
      [[{ key: 'none', id: randomUUID() }], 'objects.0.id'],
      [[{ section: 'contacts', key: 'two', id: two.id }], 'objects.0.id'],
      [
        [
          { key: 'two', id: two.id },
          { key: 'two', id: four.id },
        ],
        'objects.1.key',
      ],
      [
        [
          { key: 'two', id: two.id },
          { key: 'three', id: two.id },
        ],
        'objects.1.id',
      ],
      [[{ key: 'No key', id: two.id }], 'objects.0.key'],
    ]
    for (const [objects, field] of wrong)
      assert.deepEqual(refusalOf(await own('blog', objects)), [422, 'validation_failed', field])
    assert.deepEqual(refusalOf(await own('shop', [{ key: 'two', id: two.id }], api.readToken)), [
      403,
      'insufficient_scope',
    ])
  })

  it('goes with its object', async () => {
    const gone = await createMonitor(api, { name: 'Gone' })
    await own('old', [{ key: 'gone', id: gone.id }])
    await api.request('DELETE', `/monitors/${gone.id}`)
    const answer = await own('old', [{ key: 'two', id: two.id }])
    assert.deepEqual(answer.body, { data: { project: 'old', objects: 1 } })
  })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { operations } from '#operations/index.ts'
import { parameterNames } from '#operations/pipeline/query.ts'
import { testApi } from '../../test/support/api.ts'
import { addIncident, createMonitor } from '../../test/support/monitors.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

/** As clients that know no parameters have them, to the last character: a page would differ. */
describe('lists that are asked for nothing', async () => {
  const api = await testApi({ now: () => now })
  const { database } = api

  it('have all members of all monitors and incidents, in their order, and nothing beside them', async () => {
    const monitor = await createMonitor(api, { tags: ['Production'] })
    await addIncident(database, monitor, {
      startedAt: '2026-11-21T10:00:00.123456Z',
      resolvedAt: '2026-11-21T11:00:00.000Z',
    })
    const incident = (await database.query.selectFrom('incidents').select('id').executeTakeFirstOrThrow()).id
    const monitors = `{"data":[${JSON.stringify(monitor)}]}`
    const incidents =
      `{"data":[{"id":"${incident}","monitor_id":"${monitor.id}","monitor_name":"Shop","status":"resolved",` +
      '"title":"Shop is down","cause":null,"started_at":"2026-11-21T10:00:00.123Z",' +
      '"resolved_at":"2026-11-21T11:00:00.000Z","assignee":null,"by_hand":false}]}'
    for (const [path, text] of [
      ['/monitors', monitors],
      ['/incidents', incidents],
    ] as const)
      for (const [query, ignored] of [
        ['', null],
        ['?', null],
        ['?colour=red', 'colour'],
      ] as const) {
        const answer = await api.get(path + query)
        assert.equal(answer.text, text)
        assert.deepEqual([answer.headers.get('link'), answer.headers.get('ignored-parameters')], [null, ignored])
      }
  })
})

describe('the examples of lists in docs/api.md', async () => {
  const api = await testApi()
  const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
  const [, section = ''] = /\n## How do I ask for a part of a list\?\n([^]*?)\n## /.exec(page) ?? []
  const paths = [...section.matchAll(/"http:\/\/127\.0\.0\.1:3000\/api\/v1(\/[^"]+)"/g)].map(([, path = '']) => path)

  it('ask for what there is', async () => {
    assert.equal(paths.length, 2)
    for (const path of paths) {
      const { status, headers } = await api.get(path)
      assert.deepEqual([status, headers.get('ignored-parameters')], [200, null], path)
    }
  })

  it('name every parameter, and no other', () => {
    const cells = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell).join()
    const named = new Set([...cells.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
    const lists = operations.filter(({ name }) => name === 'list_monitors' || name === 'list_incidents')
    assert.deepEqual(named, new Set(lists.flatMap((list) => Array.from(parameterNames(list)))))
  })
})

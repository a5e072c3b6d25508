import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { pagesOf, partsSchema } from '../../../test/support/list-pages.ts'
import { addIncident, addRunningIncident, createMonitor, refusalOf } from '../../../test/support/monitors.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

const startedAt = (index: number) => new Date(now.getTime() - Math.floor(index / 4) * 60_000).toISOString()

describe('the list of incidents', async () => {
  const api = await testApi({ now: () => now })
  const { database } = api
  const shop = await createMonitor(api, { name: 'Shop', tags: ['Production'] })
  const mail = await createMonitor(api, {
    name: 'Mail',
    kind: 'tcp',
    url: 'mail.example:25',
    tags: ['production', 'Blue'],
  })
  const gone = await createMonitor(api, { name: 'Gone', tags: ['Production'] })
  await addIncident(database, gone, { startedAt: '2026-11-18T10:00:00Z', resolvedAt: '2026-11-18T11:00:00Z' })
  await addIncident(database, shop, { startedAt: '2026-11-19T10:00:00Z', resolvedAt: '2026-11-21T11:00:00Z' })
  await addIncident(database, mail, { startedAt: '2026-11-20T10:00:00Z', resolvedAt: '2026-11-20T11:00:00Z' })
  await addRunningIncident(database, shop, new Date('2026-11-21T09:00:00Z'))
  const acknowledged = await addRunningIncident(database, mail, new Date('2026-11-21T08:00:00Z'))
  await api.post(`/incidents/${acknowledged}/acknowledge`)
  await database.pool.query('delete from monitors where id = $1', [gone.id])
  await api.request('PATCH', `/monitors/${shop.id}`, { body: { name: 'Store' } })

  const days = async (query: string): Promise<string[]> => {
    const { data } = partsSchema.parse((await api.get(`/incidents?${query}`)).body)
    return data.map(({ monitor_name: name, started_at: at }) => `${String(name)} ${String(at).slice(8, 10)}`)
  }

  const filters: [query: string, ...found: string[]][] = [
    ['limit=500', 'Shop 21', 'Mail 21', 'Mail 20', 'Shop 19', 'Gone 18'],
    ['limit=2', 'Shop 21', 'Mail 21'],
    ['status=open', 'Shop 21'],
    ['status=open,acknowledged', 'Shop 21', 'Mail 21'],
    ['status=resolved', 'Mail 20', 'Shop 19', 'Gone 18'],
    ['status=resolved,open', 'Shop 21', 'Mail 20', 'Shop 19', 'Gone 18'],
    [`monitor_id=${mail.id.toUpperCase()}`, 'Mail 21', 'Mail 20'],
    [`monitor_id=${gone.id}`, 'Gone 18'],
    [`monitor_id=${acknowledged}`],
    ['kind=tcp', 'Mail 21', 'Mail 20'],
    ['tag=PRODUCTION', 'Shop 21', 'Mail 21', 'Mail 20', 'Shop 19'],
    ['tag=blue', 'Mail 21', 'Mail 20'],
    ['url=:25', 'Mail 21', 'Mail 20'],
    ['name=shop', 'Shop 21', 'Shop 19'],
    ['name=store'],
    ['name=gone', 'Gone 18'],
    ['since=2026-11-20T10:00:00Z', 'Shop 21', 'Mail 21', 'Mail 20'],
    ['since=2026-11-20T10:00:00.001Z', 'Shop 21', 'Mail 21'],
    ['until=2026-11-20T10:00:00Z', 'Shop 19', 'Gone 18'],
    ['since=2026-11-20T12:00:00%2B02:00&until=2026-11-21T08:00:00.001Z', 'Mail 21', 'Mail 20'],
    ['since=2026-11-20T10:00:00Z&until=2026-11-20T10:00:00Z'],
    ['since=0000-01-01T00:00:00Z&until=9999-12-31T23:59:59-23:59&kind=tcp', 'Mail 21', 'Mail 20'],
    ['tag=production&status=resolved&name=mail&since=2026-11-20T00:00:00Z', 'Mail 20'],
  ]
  for (const [query, ...found] of filters)
    it(`finds by ${query}`, async () => {
      assert.deepEqual(await days(query), found)
    })

  it('has the same items as without parameters, or the members that were asked for', async () => {
    const whole = partsSchema.parse((await api.get('/incidents')).body).data
    assert.deepEqual((await api.get('/incidents?limit=500')).body, { data: whole, next_cursor: null })
    const { text } = await api.get('/incidents?fields=status,id&status=acknowledged')
    assert.equal(text, `{"data":[{"id":"${acknowledged}","status":"acknowledged"}],"next_cursor":null}`)
  })

  it('shows nothing of other workspaces', async () => {
    const { token } = await api.addWorkspace()
    for (const query of ['limit=5', `monitor_id=${mail.id}`, 'tag=production', 'status=open'])
      assert.equal((await api.get(`/incidents?${query}`, { token })).text, '{"data":[],"next_cursor":null}', query)
  })

  const wrong: [query: string, field: string][] = [
    ['status=down', 'status'],
    ['monitor_id=1', 'monitor_id'],
    ['since=yesterday', 'since'],
    ['since=2026-11-20', 'since'],
    ['until=2026-11-20T10:00:00', 'until'],
    ['until=2026-13-20T10:00:00Z', 'until'],
    ['since=2026-11-20T10:00:00Z&since=2026-11-20T10:00:00Z', 'since'],
    ['fields=events', 'fields'],
    ['cursor=x', 'cursor'],
  ]
  for (const [query, field] of wrong)
    it(`is refused with ${query}`, async () => {
      assert.deepEqual(refusalOf(await api.get(`/incidents?${query}`)), [400, 'validation_failed', field])
    })
})

describe('the pages of incidents', async () => {
  const api = await testApi({ now: () => now })
  const monitor = await createMonitor(api, { tags: ['Production'] })
  for (let index = 0; index < 30; index += 1)
    await addIncident(api.database, monitor, { startedAt: startedAt(index), resolvedAt: now.toISOString() })

  it('have each once, those too that began together, newest first', async () => {
    const whole = await idsIn(api, '/incidents')
    assert.equal(whole.length, 30)
    for (const filter of ['', '&status=resolved', '&tag=production', '&name=shop', `&monitor_id=${monitor.id}`]) {
      const pages = await pagesOf(api, `/incidents?limit=7${filter}`)
      const seen = pages.flatMap(({ body }) => partsSchema.parse(body).data.map(({ id }) => id))
      assert.deepEqual([pages.length, seen], [5, whole], filter)
    }
  })

  it('lose none and repeat none while incidents come and go between them', async () => {
    const whole = await idsIn(api, '/incidents')
    const seen: unknown[] = []
    const gone: unknown[] = []
    await pagesOf(api, '/incidents?limit=6', async ({ body }) => {
      const shown = partsSchema.parse(body).data.map(({ id }) => id)
      seen.push(...shown)
      gone.push(shown.at(-1))
      await api.database.pool.query('delete from incidents where id = $1', [shown.at(-1)])
      await addIncident(api.database, monitor, { startedAt: now.toISOString(), resolvedAt: now.toISOString() })
    })
    assert.deepEqual(seen, whole)
    assert.equal(gone.length, 5)
  })
})

async function idsIn(api: TestApi, path: string): Promise<string[]> {
  const list = z.object({ data: z.array(z.object({ id: z.string() })) })
  return list.parse((await api.get(path)).body).data.map(({ id }) => id)
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { addMember } from '#store/people/members.ts'
import type { Answer } from '../../../test/support/api.ts'
import { nextAddress, pagesOf, partsSchema } from '../../../test/support/list-pages.ts'
import { addPendingMonitors } from '../../../test/support/many-monitors.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { peopleApi } from '../../../test/support/people.ts'

const namesIn = (answer: Answer): unknown[] => {
  assert.equal(answer.status, 200, answer.text)
  return partsSchema.parse(answer.body).data.map(({ name }) => name)
}

const messageSchema = z.object({ message: z.string() })
const idsOf = (pages: readonly Answer[]): unknown[] =>
  pages.flatMap(({ body }) => partsSchema.parse(body).data.map(({ id }) => id))

describe('the list of monitors', async () => {
  const people = await peopleApi()
  const { api } = people
  const { database, workspaceId } = api
  const ask = (query: string, token = api.token) => api.get(`/monitors?${query}`, { token })

  const shop = await createMonitor(api, {
    name: 'Shop Übersicht',
    tags: ['Production', 'Blue'],
    url: 'https://shop.example/A_b',
  })
  const mail = await createMonitor(api, {
    name: 'Mail 100%',
    kind: 'tcp',
    url: 'mail.example:25',
    tags: ['production'],
  })
  const beat = await createMonitor(api, { name: 'Backup', kind: 'heartbeat', url: undefined, request_body: 'password' })
  await api.post(`/monitors/${beat.id}/pause`)
  await setStatus(shop.id, 'up')
  await setStatus(mail.id, 'down')
  await setStatus(beat.id, 'down')

  async function setStatus(id: string, status: string): Promise<void> {
    await database.pool.query(
      `update monitor_state s set current_status = $2 from monitors m where m.key = s.monitor_key and m.id = $1`,
      [id, status],
    )
  }

  const filters: [query: string, ...found: string[]][] = [
    ['status=up', 'Shop Übersicht'],
    ['status=up,down', 'Shop Übersicht', 'Mail 100%'],
    ['status=down', 'Mail 100%'],
    ['status=paused', 'Backup'],
    ['status=paused,up', 'Shop Übersicht', 'Backup'],
    ['status=enabled', 'Shop Übersicht', 'Mail 100%'],
    ['status=degraded'],
    ['kind=tcp', 'Mail 100%'],
    ['kind=tcp,%20heartbeat', 'Mail 100%', 'Backup'],
    ['tag=PRODUCTION', 'Shop Übersicht', 'Mail 100%'],
    ['tag=blue,green', 'Shop Übersicht'],
    ['tag=prod'],
    ['name=shop', 'Shop Übersicht'],
    ['name=%C3%9CBER', 'Shop Übersicht'],
    ['name=%25', 'Mail 100%'],
    ['name=_'],
    ['url=EXAMPLE', 'Shop Übersicht', 'Mail 100%'],
    ['url=a_B', 'Shop Übersicht'],
    ['url=%5C'],
    ['tag=production&status=down', 'Mail 100%'],
    ['name=shop&kind=tcp'],
    ['limit=2', 'Shop Übersicht', 'Mail 100%'],
  ]
  for (const [query, ...found] of filters)
    it(`finds by ${query}`, async () => {
      assert.deepEqual(namesIn(await ask(query)), found)
    })

  it('has the same items as without parameters', async () => {
    const whole = partsSchema.parse((await api.get('/monitors')).body).data
    const page = await ask('limit=500')
    assert.deepEqual(page.body, { data: whole, next_cursor: null })
    assert.equal(page.headers.get('link'), null)
  })

  it('has the members that were asked for, in the order of the record', async () => {
    const { body } = await ask('fields=status,name,id&kind=tcp')
    assert.equal(
      JSON.stringify(body),
      `{"data":[{"id":"${mail.id}","name":"Mail 100%","status":"enabled"}],"next_cursor":null}`,
    )
  })

  it('has each member by itself as in the whole record', async () => {
    const whole = partsSchema.parse((await api.get('/monitors')).body).data
    for (const name of Object.keys(whole[0] ?? {}))
      assert.deepEqual(
        partsSchema.parse((await ask(`fields=${name}`)).body).data,
        whole.map((record) => ({ [name]: record[name] })),
        name,
      )
  })

  it('shows what monitors send to programs, and its mask to people who may look only', async () => {
    const { browser, personId } = await people.newcomer('viewer@example.com')
    await database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'viewer', at: new Date() }))
    const bodies = async (fields: string) => {
      const seen = await browser.api('GET', `/monitors?kind=heartbeat&${fields}`, { workspace: workspaceId })
      return [seen, await ask(`kind=heartbeat&${fields}`)].map(
        ({ body }) => partsSchema.parse(body).data[0]?.['request_body'],
      )
    }
    for (const fields of ['fields=request_body', 'limit=1'])
      assert.deepEqual(await bodies(fields), ['••••••••', 'password'])
  })

  const wrong: [query: string, field: string][] = [
    ['status=sleeping', 'status'],
    ['status=up,', 'status'],
    ['status=', 'status'],
    ['status=up&status=down', 'status'],
    ['kind=gopher', 'kind'],
    ['tag=', 'tag'],
    [`tag=${'a,'.repeat(20)}a`, 'tag'],
    [`tag=${'a'.repeat(51)}`, 'tag'],
    ['name=', 'name'],
    ['name=a&name=b', 'name'],
    [`name=${'a'.repeat(161)}`, 'name'],
    ['name=%00', 'name'],
    [`url=${'a'.repeat(2049)}`, 'url'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=ten', 'limit'],
    ['fields=', 'fields'],
    ['fields=id,colour', 'fields'],
    ['cursor=', 'cursor'],
    ['cursor=e30.e30', 'cursor'],
    [`cursor=${'a'.repeat(501)}`, 'cursor'],
  ]
  for (const [query, field] of wrong)
    it(`is refused with ${query.slice(0, 30)}`, async () => {
      assert.deepEqual(refusalOf(await ask(query)), [400, 'validation_failed', field])
    })

  it('says what can be asked for', async () => {
    assert.equal(
      messageSchema.parse((await ask('status=sleeping')).body).message,
      'status: Must be one or more of pending, up, down, degraded, enabled, paused, separated by commas.',
    )
    assert.equal(
      messageSchema.parse((await ask('tag=a&tag=b')).body).message,
      'tag: Must be given once; several values are separated by commas.',
    )
  })

  it('names all that is wrong at once, and what it does not know beside a page', async () => {
    assert.deepEqual(refusalOf(await ask('limit=0&status=x&colour=red')), [400, 'validation_failed', 'status', 'limit'])
    assert.equal((await ask('limit=1&colour=red')).headers.get('ignored-parameters'), 'colour')
  })
})

describe('the pages of monitors', async () => {
  const people = await peopleApi()
  const { api } = people
  const { database, workspaceId } = api
  const ids = await addPendingMonitors(database, { workspaceId, count: 120 })
  const ordered = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from monitors where workspace_id = $1 order by created_at, id',
      [workspaceId],
    )
    return rows.map(({ id }) => id)
  }

  it('have each monitor once, those too that were created together, by cursor and by link alike', async () => {
    const byCursor = await pagesOf(api, '/monitors?limit=7&name=monitor')
    assert.equal(byCursor.length, 18)
    assert.deepEqual(idsOf(byCursor), await ordered())
    const linked: Answer[] = []
    for (let path: string | null = '/monitors?limit=7&name=monitor&fields=id'; path !== null;) {
      const answer = await api.get(path)
      linked.push(answer)
      path = nextAddress(answer)
    }
    assert.deepEqual(idsOf(linked), idsOf(byCursor))
    assert.equal(linked.at(-1)?.headers.get('link'), null)
  })

  it('are of a hundred where nothing else is said', async () => {
    const pages = await pagesOf(api, '/monitors?fields=id')
    assert.deepEqual(
      pages.map((page) => idsOf([page]).length),
      [100, 20],
    )
  })

  it('say the address of the next one as a client would write it', async () => {
    const answer = await api.get('/monitors?limit=1&name=onitor%20&status=pending,up')
    const cursor = partsSchema.parse(answer.body).next_cursor
    assert.equal(
      answer.headers.get('link'),
      `<http://perigee.test/api/v1/monitors?status=pending%2Cup&name=onitor+&limit=1&cursor=${cursor}>; rel="next"`,
    )
  })

  it('lose none and repeat none while monitors come and go between them', async () => {
    const before = await ordered()
    const seen: unknown[] = []
    const gone: string[] = []
    let count = 0
    await pagesOf(api, '/monitors?limit=10&fields=id', async (page) => {
      const shown = idsOf([page])
      seen.push(...shown)
      const last = String(shown.at(-1))
      // The one at which the page ended, and one that would have come later.
      const later = before.findLast((id) => !gone.includes(id) && !seen.includes(id)) ?? last
      for (const id of new Set([last, later])) {
        gone.push(id)
        await database.pool.query('delete from monitors where id = $1', [id])
      }
      if (count < 3) await addPendingMonitors(database, { workspaceId, count: 2 })
      count += 1
    })
    assert.equal(new Set(seen).size, seen.length)
    const remained = before.filter((id) => !gone.includes(id))
    assert.deepEqual(
      remained.filter((id) => !seen.includes(id)),
      [],
    )
    assert.ok(ids.length > remained.length)
  })

  it('are refused to other filters, other lists, other workspaces, and to those who make cursors up', async () => {
    const cursor = z
      .string()
      .parse(partsSchema.parse((await api.get('/monitors?limit=1&name=monitor')).body).next_cursor)
    const { token } = await api.addWorkspace()
    const [place = '', signature = ''] = cursor.split('.')
    const refused = [400, 'validation_failed', 'cursor']
    const asks: [path: string, token?: string][] = [
      [`/monitors?cursor=${cursor}`],
      [`/monitors?name=monito&cursor=${cursor}`],
      [`/monitors?name=monitor&kind=http&cursor=${cursor}`],
      [`/incidents?name=monitor&cursor=${cursor}`],
      [`/monitors?name=monitor&cursor=${cursor}`, token],
      [`/monitors?name=monitor&cursor=${place}`],
      [`/monitors?name=monitor&cursor=${signature}`],
      [`/monitors?name=monitor&cursor=${Buffer.from('[]').toString('base64url')}.${signature}`],
      [`/monitors?name=monitor&cursor=${cursor.slice(0, -2)}`],
    ]
    for (const [path, other = api.token] of asks)
      assert.deepEqual(refusalOf(await api.get(path, { token: other })), refused, path)
    for (const more of ['', '&limit=3', '&fields=id'])
      assert.equal((await api.get(`/monitors?name=monitor&cursor=${cursor}${more}`)).status, 200)
  })
})

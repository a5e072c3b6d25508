import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { maxScreens, screenSchema } from '#core/screen.ts'
import { addMember } from '#store/people/members.ts'
import { type Browser, codeOf, peopleApi, statusesOf } from '../../../test/support/people.ts'
import { refusalOf } from '../../../test/support/monitors.ts'

const one = z.object({ data: screenSchema })
const made = z.object({ data: screenSchema, url: z.string() })
const listed = z.object({ data: z.array(screenSchema) })

describe('screens of a workspace', async () => {
  const people = await peopleApi({ maxConnections: 20 })
  const { database } = people.api
  const owner = await people.newcomer('owner@example.com', 'Olga')
  const callOf =
    ({ api }: Browser) =>
    (method: string, path: string, body?: unknown) =>
      api(method, path, { workspace: owner.workspaceId, ...(body === undefined ? {} : { body }) })
  const call = callOf(owner.browser)
  const screens = async () => listed.parse((await call('GET', '/screens')).body).data

  it('show their address once, of which the database has the hash alone', async () => {
    const answer = await call('POST', '/screens', { name: 'Office', tags: ['web'], look: 'light' })
    assert.equal(answer.status, 201, answer.text)
    const { data, url } = made.parse(answer.body)
    const [, token = ''] = /^http:\/\/perigee\.test\/screen\/open\/([\w-]{43})$/.exec(url) ?? assert.fail(url)
    const { rows } = await database.pool.query<{ hash: Buffer; row: string }>(
      'select token_hash as hash, to_json(s)::text as row from screens s where id = $1',
      [data.id],
    )
    assert.deepEqual(rows[0]?.hash, createHash('sha256').update(token).digest())
    assert.ok(rows[0]?.row.includes('Office') && !rows[0].row.includes(token))
    assert.deepEqual(await screens(), [data])
    const { name, tags, look, created_by: by, last_used_at: used } = data
    assert.deepEqual([name, tags, look, by, used], ['Office', ['web'], 'light', 'Olga', null])
    assert.doesNotMatch((await call('GET', '/screens')).text, new RegExp(token))
    assert.equal((await call('DELETE', `/screens/${data.id}`)).status, 204)
    assert.deepEqual(await screens(), [])
    assert.equal((await call('DELETE', `/screens/${data.id}`)).status, 404)
  })

  it('are dark and show everything unless told otherwise', async () => {
    const { data } = made.parse((await call('POST', '/screens', { name: 'Hall' })).body)
    assert.deepEqual([data.look, data.tags], ['dark', []])
    await call('DELETE', `/screens/${data.id}`)
  })

  it('need a name, and tags that are tags', async () => {
    const refused = await call('POST', '/screens', { name: '', tags: ['a', 'A'], look: 'pink' })
    assert.deepEqual(refusalOf(refused), [422, 'validation_failed', 'name', 'tags', 'look'])
  })

  it('are changed in name, tags and look, and keep their address', async () => {
    const { data, url } = made.parse((await call('POST', '/screens', { name: 'Office', tags: ['web'] })).body)
    const hashOf = async () =>
      (await database.pool.query('select token_hash from screens where id = $1', [data.id])).rows
    const hash = await hashOf()
    const renamed = await call('PATCH', `/screens/${data.id}`, { name: 'Hall' })
    assert.deepEqual([renamed.status, one.parse(renamed.body).data], [200, { ...data, name: 'Hall' }])
    const answer = await call('PATCH', `/screens/${data.id}`, { tags: [], look: 'auto' })
    assert.deepEqual(one.parse(answer.body).data, { ...data, name: 'Hall', tags: [], look: 'auto' })
    assert.deepEqual(await screens(), [one.parse(answer.body).data])
    assert.deepEqual(await hashOf(), hash)
    assert.ok(!answer.text.includes(url.slice(-43)), 'its address is shown only when it is made')
    await call('DELETE', `/screens/${data.id}`)
    assert.equal((await call('PATCH', `/screens/${data.id}`, { name: 'Hall' })).status, 404)
  })

  it('are not changed by nothing, nor to what they cannot be', async () => {
    const { data } = made.parse((await call('POST', '/screens', { name: 'Office' })).body)
    const change = async (body: unknown) => refusalOf(await call('PATCH', `/screens/${data.id}`, body))
    assert.deepEqual((await change({})).slice(0, 2), [422, 'validation_failed'])
    const wrong = await change({ name: '', tags: ['a', 'A'], look: 'pink' })
    assert.deepEqual(wrong, [422, 'validation_failed', 'name', 'tags', 'look'])
    assert.deepEqual((await change({ token_hash: 'x' })).slice(0, 2), [422, 'validation_failed'])
    assert.deepEqual(await screens(), [data])
    await call('DELETE', `/screens/${data.id}`)
  })

  it('are twenty at most, however many are asked for at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: maxScreens + 3 }, (_, index) => call('POST', '/screens', { name: `Screen ${index}` })),
    )
    const statuses = [...Array.from({ length: maxScreens }, () => 201), 422, 422, 422]
    assert.deepEqual(statusesOf(answers), statuses)
    const refused = answers.find(({ status }) => status === 422)
    assert.equal(refused && codeOf(refused), 'limit_reached')
    await Promise.all((await screens()).map(({ id }) => call('DELETE', `/screens/${id}`)))
  })

  it('are seen by viewers, made by members, and nothing of another workspace', async () => {
    const viewer = await people.newcomer('viewer@example.com')
    const { personId } = viewer
    const { workspaceId } = owner
    await database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'viewer', at: new Date() }))
    const { data } = made.parse((await call('POST', '/screens', { name: 'Office' })).body)
    const callAsViewer = callOf(viewer.browser)
    assert.equal((await callAsViewer('GET', '/screens')).status, 200)
    assert.equal((await callAsViewer('POST', '/screens', { name: 'Own' })).status, 403)
    assert.equal((await callAsViewer('PATCH', `/screens/${data.id}`, { name: 'Own' })).status, 403)
    assert.equal((await callAsViewer('DELETE', `/screens/${data.id}`)).status, 403)
    const elsewhere = { workspace: viewer.workspaceId }
    assert.equal((await viewer.browser.api('GET', '/screens', elsewhere)).text, '{"data":[]}')
    const renaming = { ...elsewhere, body: { name: 'Own' } }
    assert.equal((await viewer.browser.api('PATCH', `/screens/${data.id}`, renaming)).status, 404)
    assert.equal((await viewer.browser.api('DELETE', `/screens/${data.id}`, elsewhere)).status, 404)
    assert.equal((await call('DELETE', `/screens/${randomUUID()}`)).status, 404)
    assert.deepEqual(await screens(), [data])
  })
})

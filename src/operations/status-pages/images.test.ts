import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { z } from 'zod'
import { statusPageSchema } from '#core/status-pages/status-page.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { until } from '../../../test/support/until.ts'
import { testApi } from '../../../test/support/api.ts'
import { refusalOf } from '../../../test/support/monitors.ts'
import { peopleApi } from '../../../test/support/people.ts'
import { iconPicture, jpegPicture, pngPicture } from '../../../test/support/pictures.ts'
import { addPage } from '../../../test/support/status.ts'

const pageOf = z.object({ data: statusPageSchema })
const imagesOf = z.object({ data: z.strictObject({ logo: z.string().nullable(), favicon: z.string().nullable() }) })
const at = (field: string): unknown[] => [422, 'validation_failed', field]
const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

describe('the looks of a status page', async () => {
  const api = await testApi({ maxConnections: 5 })
  const { database, workspaceId } = api
  const put = (id: string, kind: string, body: object) => api.request('PUT', `/status-pages/${id}/${kind}`, { body })

  afterEach(() => database.pool.query('delete from status_pages'))

  it('are those of every page until something is chosen', async () => {
    const made = await api.request('POST', '/status-pages', {
      body: { slug: 'plain', title: 'Plain', visibility: 'draft' },
    })
    const { accent, layout, logo, favicon } = pageOf.parse(made.body).data
    assert.deepEqual([accent, layout, logo, favicon], [null, 'list', null, null])
  })

  it('are an accent, a layout and a language', async () => {
    const { id } = await addPage(database, { workspaceId, slug: 'acme' })
    const change = (body: object) => api.request('PATCH', `/status-pages/${id}`, { body })
    const looksOf = async (body: object) => {
      const { accent, layout } = pageOf.parse((await change(body)).body).data
      return [accent, layout]
    }
    assert.deepEqual(await looksOf({ accent: '#FFCC00', layout: 'compact' }), ['#ffcc00', 'compact'])
    assert.deepEqual(await looksOf({ title: 'Other' }), ['#ffcc00', 'compact'])
    assert.deepEqual(await looksOf({ accent: null }), [null, 'compact'])
    for (const accent of ['red', '#fff', '#ffcc0g', '#ffcc00;}', 1])
      assert.deepEqual(refusalOf(await change({ accent })), [422, 'validation_failed', 'accent'], String(accent))
    assert.deepEqual(refusalOf(await change({ layout: 'wide' })), [422, 'validation_failed', 'layout'])
    const languageOf = async (body: object) => pageOf.parse((await change(body)).body).data.language
    assert.deepEqual([await languageOf({}), await languageOf({ language: 'auto' })], ['en', 'auto'])
    assert.equal(await languageOf({ title: 'Acme' }), 'auto')
    for (const language of ['nl', 'DE', '', null])
      assert.deepEqual(refusalOf(await change({ language })), [422, 'validation_failed', 'language'], String(language))
  })

  it('are a logo and an icon, whose metadata are gone', async () => {
    const { id } = await addPage(database, { workspaceId, slug: 'acme' })
    const comment = Buffer.concat([jpegPicture().subarray(0, 2), Buffer.from('\xff\xfe\x00\x08secret', 'latin1')])
    const jpeg = Buffer.concat([comment, jpegPicture().subarray(2)])
    const answer = await put(id, 'logo', { image: encoded(jpeg), alt: 'Acme' })
    assert.equal(answer.status, 200, answer.text)
    const { logo } = pageOf.parse(answer.body).data
    assert.match(logo?.url ?? '', /^http:\/\/perigee\.test\/status\/acme\/images\/[\da-f]{32}\.jpg$/)
    // Chromium gave it a colour profile.
    const kept = 487
    assert.deepEqual(
      { ...logo, url: '' },
      { url: '', media_type: 'image/jpeg', width: 48, height: 24, bytes: kept, alt: 'Acme' },
    )
    const next = pageOf.parse((await put(id, 'logo', { image: encoded(pngPicture()) })).body).data.logo
    assert.deepEqual([next?.media_type, next?.alt], ['image/png', ''])
    assert.equal((await put(id, 'favicon', { image: encoded(iconPicture()) })).status, 200)
    const { rows } = await database.pool.query('select count(*)::integer as count from status_page_images')
    assert.deepEqual(rows, [{ count: 2 }])
    for (const _ of ['gone', 'gone already'])
      assert.equal((await api.request('DELETE', `/status-pages/${id}/logo`)).status, 204)
    const left = pageOf.parse((await api.request('GET', `/status-pages/${id}`)).body).data
    assert.deepEqual([left.logo, left.favicon?.width], [null, 32])
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 10 })
    assert.deepEqual(entries.map(({ action, details }) => [action, details]).slice(0, 2), [
      ['delete_status_page_logo', { kind: 'logo' }],
      ['set_status_page_favicon', { fields: ['image'], kind: 'favicon' }],
    ])
  })

  it('are refused at the field that is wrong', async () => {
    const { id } = await addPage(database, { workspaceId, slug: 'acme' })
    const refused = async (kind: string, body: object) => refusalOf(await put(id, kind, body))
    const svg = encoded(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    assert.deepEqual(await refused('logo', { image: svg }), at('image'))
    assert.deepEqual(await refused('logo', { image: 'not base64!' }), at('image'))
    assert.deepEqual(await refused('logo', { image: encoded(Buffer.alloc(204_801)) }), at('image'))
    assert.deepEqual(await refused('logo', { image: encoded(Buffer.alloc(300_000)) }), at('image'))
    assert.deepEqual(await refused('favicon', { image: encoded(pngPicture()) }), at('image'))
    assert.deepEqual(await refused('logo', { image: encoded(pngPicture()), alt: 'a'.repeat(161) }), at('alt'))
    assert.deepEqual(await refused('favicon', { image: encoded(iconPicture()), alt: 'Acme' }), at('alt'))
  })

  it('are for nothing where the page is deleted meanwhile', async () => {
    const { id } = await addPage(database, { workspaceId, slug: 'fleeting' })
    const putting = database.transaction(async ({ client }) => {
      await client.query('delete from status_pages where id = $1', [id])
      const answer = put(id, 'logo', { image: encoded(pngPicture()) })
      await until('the picture waits', async () => {
        const waiting = await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.rows.length > 0
      })
      return { answer }
    })
    const { answer } = await putting
    assert.equal((await answer).status, 404)
  })

  it('are of their workspace alone', async () => {
    const { id } = await addPage(database, { workspaceId, slug: 'acme' })
    const { token } = await api.addWorkspace()
    const body = { image: encoded(pngPicture()) }
    for (const [method, asked] of [
      ['PUT', { token, body }],
      ['DELETE', { token }],
    ] as const)
      assert.equal((await api.request(method, `/status-pages/${id}/logo`, asked)).status, 404)
  })
})

describe('the pictures of a draft', async () => {
  const people = await peopleApi()
  const { database } = people.api

  it('are seen by members, in the console and in its preview', async () => {
    const olivia = await people.newcomer('olivia@example.com', 'Olivia')
    const { workspaceId } = olivia
    const ask = (method: string, path: string, body?: unknown) =>
      olivia.browser.api(method, path, { workspace: workspaceId, ...(body === undefined ? {} : { body }) })
    const { id } = await addPage(database, { workspaceId, slug: 'soon', visibility: 'draft' })
    await ask('PUT', `/status-pages/${id}/logo`, { image: encoded(pngPicture()) })
    const address = `data:image/png;base64,${encoded(pngPicture())}`
    const { logo, favicon } = imagesOf.parse((await ask('GET', `/status-pages/${id}/images`)).body).data
    assert.deepEqual([logo, favicon], [address, null])
    const preview = await ask('GET', `/status-pages/${id}/preview`)
    assert.ok(preview.text.includes(address))
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { addMember } from '#store/people/members.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { peopleApi } from '../../../test/support/people.ts'
import { addImage, addPage } from '../../../test/support/status.ts'

const shown = z.object({ data: z.strictObject({ html: z.string() }) })
const accents = z.object({
  data: z.record(
    z.enum(['light', 'dark']),
    z.strictObject({ ground: z.string(), colour: z.string(), contrast: z.number(), is_as_chosen: z.boolean() }),
  ),
})

describe('a status page that is being written', async () => {
  const people = await peopleApi()
  const { api } = people
  const { database, workspaceId } = api
  const olivia = await people.newcomer('olivia@example.com', 'Olivia')
  await database.transaction((tx) =>
    addMember(tx, { workspaceId, personId: olivia.personId, role: 'viewer', at: new Date() }),
  )
  const ask = (method: string, path: string, body?: object) =>
    olivia.browser.api(method, path, { workspace: workspaceId, ...(body === undefined ? {} : { body }) })
  const draw = (draft: object) => ask('POST', '/status-page-drafts/preview', { page: null, title: 'Acme', ...draft })
  const htmlOf = async (draft: object) => {
    const answer = await draw(draft)
    assert.equal(answer.status, 200, answer.text)
    return shown.parse(answer.body).data.html
  }
  const shop = await createMonitor(api, { name: 'Shop' })
  const blog = await createMonitor(api, { name: 'Blog', tags: ['Web'] })
  const mail = await createMonitor(api, { name: 'Mail', tags: ['web'] })
  const other = await api.addWorkspace()
  const foreign = await createMonitor(api, { name: 'Foreign', tags: ['web'] }, other.token)

  it('is shown as readers would see it, and stored nowhere', async () => {
    const sections = [
      { name: 'Second', monitors: [] },
      { name: 'First', monitors: [{ monitor_id: shop.id, name: 'Our <shop>' }, { monitor_id: blog.id }] },
    ]
    const html = await htmlOf({ sections, monitor_tags: ['WEB'], layout: 'compact', accent: '#8a2be2' })
    assert.deepEqual(headings(html).slice(0, 5), ['First', 'Our &lt;shop&gt;', 'Blog', 'Systems', 'Mail'])
    assert.match(
      html,
      /<ul class="c g">[^]*\/status-assets\/accent-8a2be2|\/status-assets\/accent-8a2be2[^]*<ul class="c g">/,
    )
    assert.doesNotMatch(html, /<script/)
    assert.match(await htmlOf({ sections, language: 'ja' }), /<html lang="ja">[^]*更新情報を受け取る/)
    assert.match(await htmlOf({ sections, language: 'auto' }), /<html lang="en">/)
    const { rows } = await database.pool.query('select count(*)::integer as count from status_pages')
    assert.deepEqual(rows, [{ count: 0 }])
  })

  it('has the pictures and the announcements of the page that it is a change of', async () => {
    const page = await addPage(database, { workspaceId, slug: 'acme', monitorIds: [shop.id], description: 'Old' })
    await addImage(database, page, 'logo')
    const html = await htmlOf({
      page: page.id,
      description: 'New',
      sections: [{ monitors: [{ monitor_id: mail.id }] }],
    })
    assert.match(html, /src="data:image\/png;base64,/)
    assert.match(html, /New/)
    assert.match(html, /<h3>Mail/)
    assert.doesNotMatch(html, /<h3>Shop|Old/)
    await database.pool.query('delete from status_pages')
  })

  it('shows nothing of other workspaces', async () => {
    const sections = [{ monitors: [{ monitor_id: foreign.id }] }]
    assert.doesNotMatch(await htmlOf({ sections, monitor_tags: ['web'] }), /Foreign/)
    const page = await addPage(database, { workspaceId: other.workspaceId, slug: 'theirs' })
    assert.deepEqual(refusalOf(await draw({ page: page.id })), [404, 'not_found'])
  })

  it('is refused at the field that is wrong, and drawn for people alone', async () => {
    assert.deepEqual(refusalOf(await draw({ accent: 'red' })), [422, 'validation_failed', 'accent'])
    assert.deepEqual(refusalOf(await draw({ slug: 'acme' })), [422, 'validation_failed', 'slug'])
    const body = { page: null, title: 'Acme' }
    assert.equal((await api.request('POST', '/status-page-drafts/preview', { body })).status, 401)
  })

  it('is told which colours its accent would be', async () => {
    const answer = await ask('GET', `/status-accents?accent=${encodeURIComponent('#FFCC00')}`)
    assert.deepEqual(accents.parse(answer.body).data, {
      light: { ground: '#f6f7f9', colour: '#896e00', contrast: 4.5, is_as_chosen: false },
      dark: { ground: '#0f1215', colour: '#ffcc00', contrast: 11.4, is_as_chosen: true },
    })
    assert.equal((await ask('GET', '/status-accents?accent=red')).status, 422)
  })
})

/** But for that of the overall state. */
function headings(html: string): (string | undefined)[] {
  return [...html.matchAll(/<h[23](?: class="vh")?>([^<]*)</g)].map(([, text]) => text).slice(1)
}

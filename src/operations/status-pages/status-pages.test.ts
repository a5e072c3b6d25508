import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, it } from 'node:test'
import { z } from 'zod'
import { postSchema, statusLimits, statusPageSchema, subscriberSchema } from '#core/status-pages/status-page.ts'
import { listAuditEntries } from '#store/workspaces/audit.ts'
import { addMember } from '#store/people/members.ts'
import { createMonitor, refusalOf, addRunningIncident } from '../../../test/support/monitors.ts'
import { peopleApi, statusesOf } from '../../../test/support/people.ts'
import { visit } from '../../../test/support/status.ts'

const pageOf = z.object({ data: statusPageSchema })
const pagesOf = z.object({ data: z.array(statusPageSchema) })
const postOf = z.object({ data: postSchema })
const postsOf = z.object({ data: z.array(postSchema) })

describe('status pages in the console', async () => {
  const people = await peopleApi({ services: { isForbiddenAddress: (host) => host === '192.168.0.1' } })
  const { api } = people
  const { database, workspaceId } = api
  const olivia = await people.newcomer('olivia@example.com', 'Olivia')
  await database.transaction((tx) =>
    addMember(tx, { workspaceId, personId: olivia.personId, role: 'member', at: new Date() }),
  )
  const ask = (method: string, path: string, body?: unknown) =>
    olivia.browser.api(method, path, { workspace: workspaceId, ...(body === undefined ? {} : { body }) })
  const make = async (body: Record<string, unknown>) => {
    const answer = await ask('POST', '/status-pages', { title: 'Acme', ...body })
    assert.equal(answer.status, 201, answer.text)
    return pageOf.parse(answer.body).data
  }
  const shop = await createMonitor(api, { name: 'Shop' })
  const blog = await createMonitor(api, { name: 'Blog' })
  const other = await api.addWorkspace()
  const foreign = await createMonitor(api, { name: 'Foreign' }, other.token)

  afterEach(() => database.pool.query('delete from status_pages'))

  it('show monitors by tags, beside those of their sections', async () => {
    await database.pool.query(`update monitors set tags = '{Web}' where id = $1`, [blog.id])
    const sections = [{ name: '', monitors: [{ monitor_id: shop.id }] }]
    const made = await make({ slug: 'acme', sections, monitor_tags: ['web'] })
    assert.deepEqual([made.monitor_tags, made.monitors, made.sections[0]?.monitors.length], [['web'], 2, 1])
    const change = async (body: object) => {
      const answer = await ask('PATCH', `/status-pages/${made.id}`, body)
      const { monitor_tags: tags, monitors } = pageOf.parse(answer.body).data
      return [tags, monitors]
    }
    assert.deepEqual(await change({ sections: [] }), [['web'], 1])
    assert.deepEqual(await change({ monitor_tags: ['other'] }), [['other'], 0])
    assert.deepEqual(await change({ monitor_tags: [], sections }), [[], 1])
    assert.deepEqual(
      refusalOf(await ask('PATCH', `/status-pages/${made.id}`, { monitor_tags: ['a,b'] })),
      at('monitor_tags.0'),
    )
    await database.pool.query(`update monitors set tags = '{}'`)
  })

  it('have tags, which no reader sees', async () => {
    const made = await make({ slug: 'acme', tags: ['Team Blue'] })
    assert.deepEqual(made.tags, ['Team Blue'])
    const change = async (body: object) =>
      pageOf.parse((await ask('PATCH', `/status-pages/${made.id}`, body)).body).data
    assert.deepEqual(await change({ title: 'Acme Ltd' }), { ...made, title: 'Acme Ltd' })
    assert.deepEqual((await change({ tags: ['Customers'] })).tags, ['Customers'])
    for (const path of ['/status/acme', '/status/acme.json', '/status/acme/feed.atom'])
      assert.ok(!(await visit(api, path)).text.includes('Customers'), path)
    const refused = await ask('PATCH', `/status-pages/${made.id}`, { tags: ['a,b'] })
    assert.deepEqual(refusalOf(refused), at('tags.0'))
  })

  it('are made, listed, changed and deleted', async () => {
    const sections = [
      { name: 'Shop', monitors: [{ monitor_id: shop.id, name: 'Our shop' }] },
      { name: '', monitors: [{ monitor_id: blog.id }] },
    ]
    const made = await make({ slug: 'acme', sections, domain: 'Status.Acme.example', password: 'open sesame' })
    assert.deepEqual(made.sections, [
      { name: 'Shop', monitors: [{ monitor_id: shop.id, monitor_name: 'Shop', name: 'Our shop' }] },
      { name: '', monitors: [{ monitor_id: blog.id, monitor_name: 'Blog', name: null }] },
    ])
    assert.deepEqual(
      [made.url, made.domain, made.has_password, made.monitors, made.subscribers, made.visibility],
      ['http://perigee.test/status/acme', 'status.acme.example', true, 2, 0, 'public'],
    )
    assert.deepEqual(pagesOf.parse((await ask('GET', '/status-pages')).body).data, [made])
    const changed = await ask('PATCH', `/status-pages/${made.id}`, {
      title: 'Acme Ltd',
      domain: null,
      password: null,
      sections: [{ name: 'All', monitors: [{ monitor_id: blog.id }, { monitor_id: shop.id }] }],
    })
    const after = pageOf.parse(changed.body).data
    assert.deepEqual([after.title, after.domain, after.has_password, after.slug], ['Acme Ltd', null, false, 'acme'])
    assert.deepEqual(
      after.sections[0]?.monitors.map(({ monitor_id: id }) => id),
      [blog.id, shop.id],
    )
    assert.deepEqual(pageOf.parse((await ask('GET', `/status-pages/${made.id}`)).body).data, after)
    assert.deepEqual(pageOf.parse((await ask('PATCH', `/status-pages/${made.id}`, {})).body).data, after)
    assert.equal((await visit(api, '/status/acme')).status, 200)
    assert.equal((await ask('DELETE', `/status-pages/${made.id}`)).status, 204)
    assert.equal((await ask('GET', `/status-pages/${made.id}`)).status, 404)
    const { entries } = await listAuditEntries(database, { workspaceId, before: null, limit: 100 })
    assert.deepEqual(
      entries.filter(({ target }) => target.id === made.id).map(({ action, target }) => [action, target.name]),
      [
        ['delete_status_page', 'Acme Ltd'],
        ['update_status_page', 'Acme Ltd'],
        ['update_status_page', 'Acme'],
        ['create_status_page', 'Acme'],
      ],
    )
  })

  it('are refused at the field that is wrong', async () => {
    const kept = await make({ slug: 'taken', domain: 'taken.example.com' })
    const refused = async (body: Record<string, unknown>) =>
      refusalOf(await ask('POST', '/status-pages', { slug: `s-${randomUUID()}`, title: 'Acme', ...body }))
    assert.deepEqual(await refused({ slug: 'taken' }), at('slug'))
    assert.deepEqual(await refused({ slug: 'taken', domain: 'taken.example.com' }), at('slug', 'domain'))
    assert.deepEqual(await refused({ slug: 'api' }), at('slug'))
    assert.deepEqual(await refused({ domain: 'perigee.test' }), at('domain'))
    assert.deepEqual(await refused({ visibility: 'password' }), at('password'))
    assert.deepEqual(await refused({ unknown: 1 }), at('unknown'))
    const of = (...ids: string[]) => [
      { monitors: [{ monitor_id: shop.id }] },
      { monitors: ids.map((id) => ({ monitor_id: id })) },
    ]
    for (const id of [foreign.id, randomUUID()])
      assert.deepEqual(await refused({ sections: of(blog.id, id) }), at('sections.1.monitors.1.monitor_id'))
    assert.deepEqual(await refused({ sections: of(blog.id, shop.id) }), at('sections.1.monitors.1.monitor_id'))
    const many = Array.from({ length: 101 }, () => ({ monitor_id: randomUUID() }))
    assert.deepEqual(await refused({ sections: [{ monitors: many }, { monitors: many }] }), at('sections'))
    const change = async (body: Record<string, unknown>) =>
      refusalOf(await ask('PATCH', `/status-pages/${kept.id}`, body))
    assert.deepEqual(await change({ visibility: 'password' }), at('password'))
    assert.deepEqual(await change({ slug: 'admin' }), at('slug'))
    assert.equal(
      (await ask('PATCH', `/status-pages/${kept.id}`, { visibility: 'password', password: 'open sesame' })).status,
      200,
    )
    assert.deepEqual(await change({ password: null }), at('password'))
    assert.equal(
      (await ask('PATCH', `/status-pages/${kept.id}`, { slug: 'taken', domain: 'taken.example.com' })).status,
      200,
    )
  })

  it('take one name once, however many want it at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => ask('POST', '/status-pages', { slug: 'wanted', title: 'Wanted' })),
    )
    assert.deepEqual(statusesOf(answers), [201, 422, 422, 422])
  })

  it('are of their workspace alone', async () => {
    const page = await make({ slug: 'ours' })
    const stranger = await people.newcomer('stranger@example.com')
    for (const [method, path, body] of [
      ['GET', `/status-pages/${page.id}`, undefined],
      ['PATCH', `/status-pages/${page.id}`, { title: 'Mine' }],
      ['DELETE', `/status-pages/${page.id}`, undefined],
      ['GET', `/status-pages/${page.id}/announcements`, undefined],
      ['GET', `/status-pages/${page.id}/subscribers`, undefined],
    ] as const) {
      const answer = await stranger.browser.api(method, path, { workspace: stranger.workspaceId, body })
      assert.equal(answer.status, 404, `${method} ${path}`)
    }
    assert.deepEqual(
      pagesOf.parse((await stranger.browser.api('GET', '/status-pages', { workspace: stranger.workspaceId })).body)
        .data,
      [],
    )
  })

  it('number at most twenty', async () => {
    for (let count = 0; count < statusLimits.pages; count += 1) await make({ slug: `page-${count}` })
    const beyond = await ask('POST', '/status-pages', { slug: 'one-more', title: 'Acme' })
    assert.deepEqual(refusalOf(beyond), [422, 'limit_reached'])
  })

  it('are seen as drafts by members alone, as readers will see them', async () => {
    const sections = [{ monitors: [{ monitor_id: shop.id, name: 'Our <shop>' }] }]
    const { id } = await make({ slug: 'hidden', visibility: 'draft', description: 'Soon.', sections })
    const path = `/status-pages/${id}/preview`
    const answer = await ask('GET', path)
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store'], answer.text)
    const { html } = z.object({ data: z.strictObject({ html: z.string() }) }).parse(answer.body).data
    assert.match(html, /Our &lt;shop&gt;/)
    const ofMakers = '<meta name="robots" content="noindex"><base target="_blank">'
    assert.ok(html.includes(ofMakers))
    assert.doesNotMatch(html, /<script/)
    assert.equal((await visit(api, '/status/hidden')).status, 404)
    const published = await make({ slug: 'shown', description: 'Soon.', sections })
    const { text } = await visit(api, '/status/shown')
    assert.equal(
      withoutTimes(html.replace(ofMakers, '').replaceAll('/status/hidden', '/status/shown')),
      withoutTimes(text.replace(/<script.*<\/script>/, '').replaceAll(/<link rel="alternate" hreflang.*\n/g, '')),
    )
    const stranger = await people.newcomer('preview@example.com')
    const asStranger = (workspace: string) => stranger.browser.api('GET', path, { workspace })
    assert.equal((await asStranger(stranger.workspaceId)).status, 404)
    assert.equal((await asStranger(workspaceId)).status, 401)
    assert.equal((await api.request('GET', path)).status, 401, 'a token is no session')
    assert.equal((await visit(api, `/api/v1${path}`)).status, 401)
    for (const each of [id, published.id]) await ask('DELETE', `/status-pages/${each}`)
    assert.equal((await ask('GET', path)).status, 404)
  })

  it('lose a monitor that is deleted', async () => {
    const gone = await createMonitor(api, { name: 'Gone' })
    const page = await make({
      slug: 'losing',
      sections: [{ monitors: [{ monitor_id: gone.id }, { monitor_id: shop.id }] }],
    })
    assert.equal((await api.request('DELETE', `/monitors/${gone.id}`)).status, 204)
    const { data } = pageOf.parse((await ask('GET', `/status-pages/${page.id}`)).body)
    assert.deepEqual(
      data.sections[0]?.monitors.map(({ monitor_id: id }) => id),
      [shop.id],
    )
  })

  it('say what people write about an incident, and let them change it', async () => {
    await make({ slug: 'posts', sections: [{ monitors: [{ monitor_id: shop.id }] }] })
    const startedAt = new Date(Date.now() - 3_600_000)
    const incidentId = await addRunningIncident(database, shop, startedAt)
    const path = `/incidents/${incidentId}/posts`
    const first = await ask('POST', path, { state: 'investigating', body: 'We look.' })
    const { data: post } = postOf.parse(first.body)
    assert.deepEqual(
      [first.status, post.author, post.incident_id, post.page_id, post.edited_at],
      [201, 'Olivia', incidentId, null, null],
    )
    const older = await ask('POST', path, {
      state: 'identified',
      body: 'Early.',
      posted_at: new Date(startedAt.getTime() + 1000).toISOString(),
    })
    assert.equal(older.status, 201)
    assert.deepEqual(
      postsOf.parse((await ask('GET', path)).body).data.map(({ body }) => body),
      ['We look.', 'Early.'],
    )
    const changed = postOf.parse(
      (await ask('PATCH', `/status-posts/${post.id}`, { state: 'resolved', body: 'Done.' })).body,
    ).data
    assert.deepEqual([changed.state, changed.body, changed.posted_at], ['resolved', 'Done.', post.posted_at])
    assert.ok(changed.edited_at !== null)
    assert.match((await visit(api, '/status/posts')).text, /<strong>Resolved<\/strong>.*Done\./)
    const soon = new Date(Date.now() + 600_000).toISOString()
    const before = new Date(startedAt.getTime() - 1000).toISOString()
    for (const posted_at of [soon, before])
      assert.deepEqual(refusalOf(await ask('POST', path, { state: 'resolved', body: 'x', posted_at })), at('posted_at'))
    assert.deepEqual(refusalOf(await ask('PATCH', `/status-posts/${post.id}`, { posted_at: before })), at('posted_at'))
    assert.deepEqual(
      refusalOf(await ask('PATCH', `/status-posts/${post.id}`, { title: 'x', ends_at: null })),
      at('title', 'ends_at'),
    )
    assert.deepEqual(refusalOf(await ask('POST', path, { state: 'resolved', body: '' })), at('body'))
    assert.equal((await ask('DELETE', `/status-posts/${post.id}`)).status, 204)
    assert.equal((await ask('DELETE', `/status-posts/${post.id}`)).status, 404)
    assert.equal(postsOf.parse((await ask('GET', path)).body).data.length, 1)
    for (const unknown of [`/incidents/${randomUUID()}/posts`, `/status-pages/${randomUUID()}/announcements`])
      assert.equal((await ask('GET', unknown)).status, 404)
    await database.pool.query(
      `insert into status_posts (id, workspace_id, incident_id, state, body, posted_at, author)
      select gen_random_uuid(), $1, $2, 'monitoring', 'x', now(), 'x' from generate_series(1, $3)`,
      [workspaceId, incidentId, statusLimits.posts - 1],
    )
    assert.deepEqual(refusalOf(await ask('POST', path, { state: 'resolved', body: 'x' })), [422, 'limit_reached'])
  })

  it('announce what is no incident', async () => {
    const page = await make({ slug: 'news' })
    const path = `/status-pages/${page.id}/announcements`
    const made = postOf.parse((await ask('POST', path, { title: 'Moved', body: 'We are elsewhere.' })).body).data
    assert.deepEqual([made.title, made.page_id, made.incident_id, made.state], ['Moved', page.id, null, null])
    const text = async () => (await visit(api, '/status/news')).text
    assert.match(await text(), /<h2>Announcements<\/h2>\s*<article[^>]*><div><h3>Moved/)
    const past = new Date(Date.now() - 1000).toISOString()
    assert.deepEqual(refusalOf(await ask('POST', path, { title: 'x', body: 'x', ends_at: past })), at('ends_at'))
    assert.deepEqual(refusalOf(await ask('PATCH', `/status-posts/${made.id}`, { state: 'resolved' })), at('state'))
    const yesterday = new Date(Date.now() - 86_400_000).toISOString()
    const ended = await ask('PATCH', `/status-posts/${made.id}`, { posted_at: yesterday, ends_at: past })
    assert.equal(ended.status, 200, ended.text)
    assert.deepEqual(
      postsOf.parse((await ask('GET', path)).body).data.map(({ ends_at: end }) => end),
      [past],
    )
    const again = await make({ slug: 'news-again' })
    assert.equal(
      (
        await ask('POST', `/status-pages/${again.id}/announcements`, {
          title: 'x',
          body: 'x',
          ends_at: new Date(Date.now() + 60_000).toISOString(),
        })
      ).status,
      201,
    )
    assert.match((await visit(api, '/status/news-again')).text, /<h2>Announcements/)
  })

  it('tell webhooks, which members add', async () => {
    const page = await make({ slug: 'hooks' })
    const path = `/status-pages/${page.id}/subscribers`
    const answer = await ask('POST', path, { destination: 'https://hooks.example.com/in' })
    const shape = z.object({ data: subscriberSchema, signing_secret: z.string().startsWith('whsec_') })
    const { data: hook } = shape.parse(answer.body)
    assert.deepEqual([answer.status, hook.kind, hook.confirmed], [201, 'webhook', true])
    assert.doesNotMatch((await ask('GET', path)).text, /whsec_/)
    for (const destination of ['https://HOOKS.example.com/in', 'http://hooks.example.com', 'https://192.168.0.1/', 'x'])
      assert.deepEqual(refusalOf(await ask('POST', path, { destination })), at('destination'), destination)
    assert.equal(pageOf.parse((await ask('GET', `/status-pages/${page.id}`)).body).data.subscribers, 1)
    await database.pool.query(
      `insert into status_subscribers (id, page_id, kind, destination, created_at)
      select gen_random_uuid(), $1, 'email', n || '@example.com', now() from generate_series(2, $2) as n`,
      [page.id, statusLimits.subscribers],
    )
    assert.deepEqual(refusalOf(await ask('POST', path, { destination: 'https://more.example.com' })), [
      422,
      'limit_reached',
    ])
    const stranger = await people.newcomer('another@example.com')
    assert.equal(
      (await stranger.browser.api('DELETE', `/status-subscribers/${hook.id}`, { workspace: stranger.workspaceId }))
        .status,
      404,
    )
    assert.equal((await ask('DELETE', `/status-subscribers/${hook.id}`)).status, 204)
    assert.equal((await ask('DELETE', `/status-subscribers/${hook.id}`)).status, 404)
  })
})

function at(...fields: string[]): (string | number)[] {
  return [422, 'validation_failed', ...fields]
}

function withoutTimes(html: string): string {
  return html.replaceAll(/<time.*?<\/time>/g, '')
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { maxSavedViews, savedViewSchema } from '#core/saved-view.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'

const one = z.object({ data: savedViewSchema })
const all = z.object({ data: z.array(savedViewSchema) })
const refusal = z.object({ fields: z.record(z.string(), z.array(z.string())) })

describe('saved views', async () => {
  const people = await peopleApi()
  const { browser, workspaceId: workspace } = await people.newcomer('owner@example.com', 'Olga')
  const call = (method: string, path = '/saved-views', body?: unknown) =>
    browser.api(method, path, { workspace, ...(body === undefined ? {} : { body }) })
  const make = async (name: string, view: unknown = {}) =>
    one.parse((await call('POST', undefined, { name, view })).body).data
  const names = async () => all.parse((await call('GET')).body).data.map(({ name }) => name)

  it('are made, listed by name, changed and deleted', async () => {
    const till = await make('Tills', { q: 'till', state: 'down', group: 'location', layout: 'wall', sort: 'name' })
    await make('abroad', { kind: 'http' })
    assert.equal(till.made_by, 'Olga')
    assert.deepEqual(await names(), ['abroad', 'Tills'])
    const path = `/saved-views/${till.id}`
    const renamed = one.parse((await call('PATCH', path, { name: 'TILLS' })).body).data
    assert.deepEqual([renamed.name, renamed.view], ['TILLS', till.view])
    const changed = one.parse((await call('PATCH', path, { view: { state: 'degraded' } })).body).data
    assert.deepEqual([changed.name, changed.view], ['TILLS', { state: 'degraded' }])
    assert.equal((await call('DELETE', path)).status, 204)
    assert.equal((await call('DELETE', path)).status, 404)
    assert.equal((await call('PATCH', path, { name: 'x' })).status, 404)
    assert.equal((await call('PATCH', `/saved-views/${randomUUID()}`, { name: 'x' })).status, 404)
    assert.deepEqual(await names(), ['abroad'])
  })

  const wrong: readonly [what: string, body: unknown, field: string][] = [
    ['without a name', { name: '', view: {} }, 'name'],
    ['with a name of white space', { name: ' ', view: {} }, 'name'],
    ['with a name of two lines', { name: 'a\nb', view: {} }, 'name'],
    ['with a name that is too long', { name: 'x'.repeat(61), view: {} }, 'name'],
    ['with a name that another one has', { name: 'ABROAD', view: {} }, 'name'],
    ['without a view', { name: 'x' }, 'view'],
    ['with an order that there is not', { name: 'x', view: { sort: 'luck' } }, 'view.sort'],
    ['with a long search', { name: 'x', view: { q: 'x'.repeat(201) } }, 'view.q'],
  ]
  for (const [what, body, field] of wrong)
    it(`are refused ${what}`, async () => {
      const answer = await call('POST', undefined, body)
      assert.deepEqual([answer.status, Object.keys(refusal.parse(answer.body).fields)], [422, [field]])
    })

  it('refuse members that they do not know, and a change of nothing', async () => {
    assert.equal((await call('POST', undefined, { name: 'x', view: { saved: 'x' } })).status, 422)
    const { id } = await make('Mine')
    assert.equal((await call('PATCH', `/saved-views/${id}`, {})).status, 422)
    const taken = await call('PATCH', `/saved-views/${id}`, { name: 'Abroad' })
    assert.equal(taken.status, 422)
    await call('DELETE', `/saved-views/${id}`)
  })

  it('are for viewers to choose and not to change, and for no other workspace', async () => {
    const [own] = all.parse((await call('GET')).body).data
    const guest = await people.newcomer('guest@example.com', 'Gus')
    const path = `/saved-views/${own?.id ?? ''}`
    const foreign = await guest.browser.api('PATCH', path, { workspace: guest.workspaceId, body: { name: 'x' } })
    assert.equal(foreign.status, 404)
    await call('POST', '/invitations', { email: 'guest@example.com', role: 'viewer' })
    const { parameters } = await people.mailTo('guest@example.com', /You have been invited/)
    await guest.browser.api('POST', '/invitations/accept', { body: { token: parameters.get('token') ?? '' } })
    const asViewer = (method: string, at: string, body?: unknown) =>
      guest.browser.api(method, at, { workspace, ...(body === undefined ? {} : { body }) })
    assert.equal(all.parse((await asViewer('GET', '/saved-views')).body).data.length, 1)
    assert.equal((await asViewer('POST', '/saved-views', { name: 'x', view: {} })).status, 403)
    assert.equal((await asViewer('PATCH', path, { name: 'x' })).status, 403)
    assert.equal((await asViewer('DELETE', path)).status, 403)
  })

  it('are at most fifty, also when they are made at once', async () => {
    const had = (await names()).length
    const made = await Promise.all(
      Array.from({ length: maxSavedViews - had + 3 }, (_, index) =>
        call('POST', undefined, { name: `v${index}`, view: {} }),
      ),
    )
    assert.equal(made.filter(({ status }) => status === 201).length, maxSavedViews - had)
    assert.deepEqual([...new Set(made.filter(({ status }) => status !== 201).map(codeOf))], ['limit_reached'])
    assert.equal((await names()).length, maxSavedViews)
  })
})

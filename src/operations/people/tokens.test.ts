import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { apiTokenSchema } from '#core/people/access.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const made = z.object({ data: apiTokenSchema, token: z.string() })
const list = z.object({ data: z.array(apiTokenSchema) })

describe('API tokens in the console', async () => {
  const people = await peopleApi({ maxConnections: 20 })
  const { api } = people
  const { browser, workspaceId: workspace } = await people.newcomer('owner@example.com')
  const call = (method: string, path: string, body?: unknown) =>
    browser.api(method, path, { workspace, ...(body === undefined ? {} : { body }) })
  const create = async (body: Record<string, unknown> = {}) => {
    const answer = await call('POST', '/api-tokens', { name: 'CI', scope: 'read', ...body })
    assert.equal(answer.status, 201, answer.text)
    return made.parse(answer.body)
  }

  it('are shown once, work at once, and tell when they were used', async () => {
    const { data, token } = await create({ scope: 'write' })
    assert.deepEqual([data.state, data.scope, data.last_used_at, data.expires_at], ['active', 'write', null, null])
    assert.match(token, /^pgk_[A-Za-z0-9]{40}$/)
    const listed = await call('GET', '/api-tokens')
    assert.doesNotMatch(listed.text, new RegExp(token.slice(4)))
    assert.equal((await api.get('/monitors', { token })).status, 200)
    // The use is noted beside the answer.
    await until('its use is told', async () => {
      const [first] = list.parse((await call('GET', '/api-tokens')).body).data
      assert.equal(first?.id, data.id)
      return Date.now() - Date.parse(first?.last_used_at ?? '') < 60_000
    })
  })

  it('stop at once when they are revoked, and stay in the list', async () => {
    const { data, token } = await create()
    assert.equal((await api.get('/monitors', { token })).status, 200)
    assert.equal((await call('DELETE', `/api-tokens/${data.id}`)).status, 204)
    const refused = await api.get('/monitors', { token })
    assert.deepEqual([refused.status, codeOf(refused)], [401, 'invalid_api_key'])
    assert.equal((await call('DELETE', `/api-tokens/${data.id}`)).status, 204)
    const shown = list.parse((await call('GET', '/api-tokens')).body).data.find(({ id }) => id === data.id)
    assert.equal(shown?.state, 'revoked')
  })

  it('end when they say so', async () => {
    const past = await call('POST', '/api-tokens', { name: 'x', scope: 'read', expires_at: '2020-01-01T00:00:00Z' })
    assert.deepEqual([past.status, codeOf(past)], [422, 'validation_failed'])
    const { data, token } = await create({ expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    assert.equal((await api.get('/monitors', { token })).status, 200)
    await api.database.pool.query(`update api_tokens set expires_at = now() - interval '1 second' where id = $1`, [
      data.id,
    ])
    const refused = await api.get('/monitors', { token })
    assert.deepEqual([refused.status, codeOf(refused)], [401, 'token_expired'])
    const shown = list.parse((await call('GET', '/api-tokens')).body).data.find(({ id }) => id === data.id)
    assert.equal(shown?.state, 'expired')
  })

  it('of other workspaces are not found', async () => {
    const other = await people.newcomer('other@example.com')
    const { data, token } = await create()
    const path = `/api-tokens/${data.id}`
    assert.equal((await other.browser.api('DELETE', path, { workspace: other.workspaceId })).status, 404)
    assert.equal((await call('DELETE', `/api-tokens/${randomUUID()}`)).status, 404)
    assert.equal((await api.get('/monitors', { token })).status, 200)
  })

  it('are fifty at most, however many are asked for at once', async () => {
    const { browser: other, workspaceId } = await people.newcomer('many@example.com')
    const make = (name: string) =>
      other.api('POST', '/api-tokens', { workspace: workspaceId, body: { name, scope: 'read' } })
    // So that the limit is not met between two turns of the connections, which would hide a wrong count.
    for (let count = 0; count < 3; count += 1) assert.equal((await make(`first ${count}`)).status, 201)
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => make(`${index}`)))
    const created = answers.filter(({ status }) => status === 201)
    const refused = answers.filter((answer) => answer.status === 422 && codeOf(answer) === 'limit_reached')
    assert.deepEqual([created.length, refused.length], [47, 13])
    const { rows } = await api.database.pool.query<{ tokens: string; entries: string }>(
      `select (select count(*) from api_tokens where workspace_id = $1) as tokens,
        (select count(*) from audit_entries where workspace_id = $1 and action = 'create_api_token') as entries`,
      [workspaceId],
    )
    assert.deepEqual(rows, [{ tokens: '50', entries: '50' }])
    const [first] = created
    const { id } = made.parse(first?.body).data
    await other.api('DELETE', `/api-tokens/${id}`, { workspace: workspaceId })
    const again = await make('free')
    assert.equal(again.status, 201)
  })
})

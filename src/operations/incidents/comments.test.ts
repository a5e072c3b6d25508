import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { commentLimits, commentSchema } from '#core/incidents/comment.ts'
import { incidentDetailSchema, incidentSchema } from '#core/incidents/incident.ts'
import type { Answer } from '../../../test/support/api.ts'
import { codeOf, peopleApi } from '../../../test/support/people.ts'

const one = z.object({ data: commentSchema })
const many = z.object({ data: z.array(commentSchema) })
const incidents = z.object({ data: z.array(incidentSchema) })
const made = z.object({ data: z.object({ id: z.uuid() }) })

function refused(answer: Answer): unknown[] {
  return [answer.status, codeOf(answer)]
}

describe('what members do with an incident', async () => {
  const people = await peopleApi()
  const { api } = people
  const { browser, workspaceId: workspace, personId } = await people.newcomer('owner@example.com', 'Olga')
  const call = (method: string, path: string, body?: unknown) =>
    browser.api(method, path, { workspace, ...(body === undefined ? {} : { body }) })
  const joined = async (email: string, role: 'member' | 'viewer') => {
    const person = await people.newcomer(email, email.split('@')[0] ?? '')
    await call('POST', '/invitations', { email, role })
    const { parameters } = await people.mailTo(email, /You have been invited/)
    await person.browser.api('POST', '/invitations/accept', { body: { token: parameters.get('token') ?? '' } })
    return person
  }
  const monitor = { name: 'Shop', kind: 'http', url: 'https://shop.example/' }
  const monitorId = made.parse((await call('POST', '/monitors', monitor)).body).data.id
  const opened = async (): Promise<string> => {
    const id = randomUUID()
    await api.database.pool.query(`update incidents set status = 'resolved', resolved_at = now()`)
    await api.database.pool.query(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at)
      values ($1, $2, $3, 'Shop', 'open', 'Shop is down', now())`,
      [id, workspace, monitorId],
    )
    return id
  }

  it('is written in Markdown, in order, by people and programs', async () => {
    const path = `/incidents/${await opened()}/comments`
    const { token } = z
      .object({ token: z.string() })
      .parse((await call('POST', '/api-tokens', { name: 'Bot', scope: 'write' })).body)
    const first = await call('POST', path, { body: 'It is the **disk**.\n\n- replaced' })
    assert.equal(first.status, 201)
    assert.equal((await api.post(path, { body: 'Ticket 12 is open.' }, { token })).status, 201)
    const { data } = many.parse((await call('GET', path)).body)
    assert.deepEqual(
      data.map(({ author, body, edited_at: editedAt, is_own: isOwn }) => [author, body, editedAt, isOwn]),
      [
        ['Olga', 'It is the **disk**.\n\n- replaced', null, true],
        ['Bot', 'Ticket 12 is open.', null, false],
      ],
    )
  })

  it('is changed and deleted by its author only', async () => {
    const path = `/incidents/${await opened()}/comments`
    const { id } = one.parse((await call('POST', path, { body: 'Firts' })).body).data
    const other = await joined('mia@example.com', 'member')
    const viewer = await joined('vera@example.com', 'viewer')
    const their = (who: typeof other, method: string, body?: unknown) =>
      who.browser.api(method, `${path}/${id}`, { workspace, ...(body === undefined ? {} : { body }) })
    assert.deepEqual(refused(await their(other, 'PATCH', { body: 'x' })), [403, 'wrong_person'])
    assert.deepEqual(refused(await their(other, 'DELETE')), [403, 'wrong_person'])
    assert.deepEqual(refused(await their(viewer, 'DELETE')), [403, 'insufficient_scope'])
    const read = await viewer.browser.api('GET', path, { workspace })
    assert.equal(many.parse(read.body).data[0]?.is_own, false)
    const changed = one.parse((await call('PATCH', `${path}/${id}`, { body: 'First' })).body).data
    assert.equal(changed.body, 'First')
    assert.notEqual(changed.edited_at, null)
    assert.equal((await call('DELETE', `${path}/${id}`)).status, 204)
    assert.deepEqual(many.parse((await call('GET', path)).body).data, [])
    assert.equal((await call('DELETE', `${path}/${id}`)).status, 404)
  })

  it('has limits, and belongs to its own incident and workspace', async () => {
    const incidentId = await opened()
    const path = `/incidents/${incidentId}/comments`
    for (const body of ['', ' \n', 'x'.repeat(4001), 7, null])
      assert.equal((await call('POST', path, { body })).status, 422, String(body))
    const { id } = one.parse((await call('POST', path, { body: 'x'.repeat(4000) })).body).data
    assert.equal((await call('PATCH', `/incidents/${await opened()}/comments/${id}`, { body: 'x' })).status, 404)
    const stranger = await people.newcomer('stranger@example.com')
    const foreign = await stranger.browser.api('GET', path, { workspace: stranger.workspaceId })
    assert.equal(foreign.status, 404)
    await api.database.pool.query(
      `insert into incident_comments (id, incident_id, author, author_kind, body, created_at)
      select gen_random_uuid(), $1, 'a', 'operator', 'b', now() from generate_series(2, $2)`,
      [incidentId, commentLimits.comments],
    )
    assert.deepEqual(refused(await call('POST', path, { body: 'One more' })), [422, 'limit_reached'])
  })

  it('has a member who looks after it, who is told by mail and shown in lists', async () => {
    const incidentId = await opened()
    const path = `/incidents/${incidentId}/assignee`
    const max = await joined('max@example.com', 'member')
    const answer = await call('PUT', path, { person_id: max.personId })
    const assignee = { id: max.personId, name: 'max' }
    assert.deepEqual(z.object({ data: incidentSchema }).parse(answer.body).data.assignee, assignee)
    const mail = await people.mailTo('max@example.com', /Assigned to you: Shop is down/)
    assert.ok(mail)
    for (const list of ['/incidents', '/incidents?limit=1', '/incident-pages'])
      assert.deepEqual(incidents.parse((await call('GET', list)).body).data[0]?.assignee, assignee, list)
    const detail = z.object({ data: incidentDetailSchema }).parse((await call('GET', `/incidents/${incidentId}`)).body)
    assert.equal(detail.data.events.at(-1)?.message, 'Assigned to max by Olga.')
    await call('PUT', path, { person_id: max.personId })
    const again = z.object({ data: incidentDetailSchema }).parse((await call('GET', `/incidents/${incidentId}`)).body)
    assert.equal(again.data.events.length, detail.data.events.length, 'nothing changed')
    await call('DELETE', `/members/${max.personId}`)
    assert.equal(incidents.parse((await call('GET', '/incidents')).body).data[0]?.assignee, null, 'left')
    await call('PUT', path, { person_id: personId })
    const freed = await call('PUT', path, { person_id: null })
    assert.equal(z.object({ data: incidentSchema }).parse(freed.body).data.assignee, null)
  })

  it('is given to members only', async () => {
    const path = `/incidents/${await opened()}/assignee`
    const stranger = await people.newcomer('someone@example.com')
    for (const id of [stranger.personId, randomUUID(), 'me', 7])
      assert.deepEqual(refused(await call('PUT', path, { person_id: id })), [422, 'validation_failed'], String(id))
  })
})

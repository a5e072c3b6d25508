import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { mask } from '#core/language/mask.ts'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { addMember } from '#store/people/members.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { peopleApi } from '../../../test/support/people.ts'

const listed = z.object({ data: z.array(monitorSchema) })
const login = { url: '/login', method: 'POST', body: 'pin=hunter2' }
const input = {
  kind: 'transaction',
  request_body: 'key=hunter2',
  check_options: { steps: [{ url: '/' }, login] },
} as const
const masked = { request_body: mask, steps: [{ url: '/' }, { ...login, body: mask }] }
const whole = { request_body: 'key=hunter2', steps: input.check_options.steps }

describe('what a monitor sends', async () => {
  const people = await peopleApi()
  const { api } = people
  const viewer = await people.newcomer('viewer@example.com')
  const member = await people.newcomer('member@example.com')
  const { workspaceId } = api
  for (const [{ personId }, role] of [
    [viewer, 'viewer'],
    [member, 'member'],
  ] as const)
    await api.database.transaction((tx) => addMember(tx, { workspaceId, personId, role, at: new Date() }))
  const monitor = await createMonitor(api, input)
  const path = `/monitors/${monitor.id}`

  async function inClear(): Promise<string> {
    const { rows } = await api.database.pool.query<{ row: string }>(
      `select monitors::text as row from monitors
      union all
      select idempotency_keys::text from idempotency_keys`,
    )
    return rows.map(({ row }) => row).join('\n')
  }
  const sent = async (id = monitor.id): Promise<unknown> => {
    const [check] = await readCheckConfigurations(api.database, api.services.secrets, { location: null, ids: [id] })
    return { request_body: check?.requestBody, steps: check?.options['steps'] }
  }
  const contentOf = ({ request_body: body, check_options: { steps } }: typeof monitor): unknown => ({
    request_body: body,
    steps,
  })

  it('is encrypted in the database, and given to the prober', async () => {
    assert.doesNotMatch(await inClear(), /hunter2/)
    assert.deepEqual(await sent(), whole)
  })

  it('stays encrypted through changes, and goes with null', async () => {
    const { id } = await createMonitor(api, input)
    const change = (body: object) => api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', ...body } })
    assert.deepEqual(contentOf(monitorOf(await change({ keyword: 'ok' }))), whole)
    const steps = [{ ...login, body: 'pin=hunter2&twice' }]
    assert.deepEqual(contentOf(monitorOf(await change({ check_options: { steps } }))), { ...whole, steps })
    assert.doesNotMatch(await inClear(), /hunter2/)
    assert.deepEqual(await sent(id), { ...whole, steps })
    const { request_body: cleared } = monitorOf(await change({ request_body: null }))
    assert.equal(cleared, null)
    assert.deepEqual(await sent(id), { request_body: null, steps })
  })

  const readers = [
    ['a write token', () => api.get(path), () => api.get('/monitors'), whole],
    [
      'a read token',
      () => api.get(path, { token: api.readToken }),
      () => api.get('/monitors', { token: api.readToken }),
      whole,
    ],
    [
      'a member',
      () => member.browser.api('GET', path, { workspace: workspaceId }),
      () => member.browser.api('GET', '/monitors', { workspace: workspaceId }),
      whole,
    ],
    [
      'a viewer',
      () => viewer.browser.api('GET', path, { workspace: workspaceId }),
      () => viewer.browser.api('GET', '/monitors', { workspace: workspaceId }),
      masked,
    ],
  ] as const
  for (const [who, get, list, expected] of readers)
    it(`is shown to ${who} ${expected === whole ? 'as it is' : 'as a mask'}`, async () => {
      assert.deepEqual(contentOf(monitorOf(await get())), expected)
      const found = listed.parse((await list()).body).data.find(({ id }) => id === monitor.id)
      assert.deepEqual(found === undefined ? null : contentOf(found), expected)
    })

  it('is refused where a mask is sent back, by the name of its field', async () => {
    const body = { name: 'Shop', request_body: mask, check_options: { steps: masked.steps } }
    const refusal = [422, 'validation_failed', 'request_body', 'check_options.steps.1.body']
    assert.deepEqual(refusalOf(await api.request('PATCH', path, { body })), refusal)
    assert.deepEqual(refusalOf(await api.post(`${path}/quote`, body)), refusal)
    const fresh = { ...body, kind: 'transaction', url: 'https://example.com' }
    assert.deepEqual(refusalOf(await api.post('/monitors', fresh)), refusal)
    assert.deepEqual(await sent(), whole)
  })

  it('is answered again, from what lies encrypted, when the monitor was deleted', async () => {
    const request = {
      body: { name: 'Shop', url: 'https://example.com', ...input },
      headers: { 'Idempotency-Key': 'once' },
    }
    const { id } = monitorOf(await api.request('POST', '/monitors', request))
    assert.equal((await api.request('DELETE', `/monitors/${id}`)).status, 204)
    assert.doesNotMatch(await inClear(), /hunter2/)
    const again = await api.request('POST', '/monitors', request)
    assert.equal(again.status, 200)
    assert.deepEqual(contentOf(monitorOf(again)), whole)
  })
})

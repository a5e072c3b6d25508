import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor, monitorOf, refusalOf } from '../../../test/support/monitors.ts'
import { monitorOperations } from './monitors.ts'

const login = { url: '/login', method: 'POST', headers: { authorization: 'Bearer hunter2' } }
const { headers, ...publicLogin } = login

describe('the headers of the steps of a transaction', async () => {
  const api = await testApi({
    operations: monitorOperations,
    services: { isForbiddenAddress: (host) => host === '127.0.0.1' || host === '[::1]' },
  })
  const patch = (id: string, steps: unknown) =>
    api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', check_options: { steps } } })
  async function sentSteps(id: string): Promise<unknown> {
    const request = { location: null, ids: [id] }
    const [configuration] = await readCheckConfigurations(api.database, api.services.secrets, request)
    return configuration?.options['steps']
  }

  it('are never returned, encrypted in the database and given to the prober', async () => {
    const { id, check_options: options } = await createMonitor(api, {
      kind: 'transaction',
      check_options: { steps: [{ url: '/' }, login] },
    })
    assert.deepEqual(options, { steps: [{ url: '/' }, publicLogin] })
    const { text } = await api.get(`/monitors/${id}`)
    assert.doesNotMatch(text, /hunter2|"headers"/)
    const sql = 'select monitors::text as row from monitors where id = $1'
    const { rows } = await api.database.pool.query<{ row: string }>(sql, [id])
    assert.doesNotMatch(rows[0]?.row ?? 'hunter2', /hunter2/)
    assert.deepEqual(await sentSteps(id), [{ url: '/' }, login])
  })

  it('stay in a change that leaves them out, and go with null', async () => {
    const { id } = await createMonitor(api, { kind: 'transaction', check_options: { steps: [login] } })
    const changed = monitorOf(await patch(id, [{ url: '/' }, { ...publicLogin, keyword: 'Hello' }]))
    assert.deepEqual(changed.check_options, { steps: [{ url: '/' }, { ...publicLogin, keyword: 'Hello' }] })
    assert.deepEqual(await sentSteps(id), [{ url: '/' }, { ...publicLogin, keyword: 'Hello', headers }])
    assert.equal((await patch(id, [{ ...publicLogin, headers: null }])).status, 200)
    assert.deepEqual(await sentSteps(id), [publicLogin])
  })

  it('are named by their step when they are wrong', async () => {
    const { id } = await createMonitor(api, { kind: 'transaction', check_options: { steps: [login] } })
    assert.deepEqual(refusalOf(await patch(id, [{ url: '/' }, { headers: { a: 'b\n' } }])), [
      422,
      'validation_failed',
      'check_options.steps.1.headers.a',
    ])
    assert.deepEqual(refusalOf(await patch(id, [{ colour: 'red' }])), [
      422,
      'validation_failed',
      'check_options.steps.0.colour',
    ])
  })

  it('go nowhere that a target may not lead', async () => {
    const steps = [{ url: '/' }, { url: 'http://127.0.0.1/' }, { url: 'https://[::1]:8443/' }]
    const body = { name: 'Shop', url: 'https://example.com', kind: 'transaction', check_options: { steps } }
    assert.deepEqual(refusalOf(await api.post('/monitors', body)), [
      422,
      'validation_failed',
      'check_options.steps.1.url',
      'check_options.steps.2.url',
    ])
  })
})

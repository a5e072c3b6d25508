import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'

const database = { kind: 'postgresql', url: 'postgresql://db.example.com/shop' } as const
const access = { username: 'ann', password: 'secret' }
const statement = 'SELECT count(*) FROM jobs'

describe('a statement of its own', () => {
  it('may be asked of a database where nobody else has monitors', async () => {
    const api = await testApi()
    const { check_options: shown } = await createMonitor(api, { ...database, check_options: { ...access, statement } })
    assert.deepEqual(shown, { security: 'tls', statement })
  })

  it('is refused where strangers have monitors, also in a trial, and everything else is taken', async () => {
    const api = await testApi({ services: { allowsStatements: false } })
    const given = { name: 'Database', ...database, check_options: { ...access, statement } }
    const expected = [422, 'validation_failed', 'check_options.statement']
    const refused = await api.post('/monitors', given)
    assert.deepEqual(refusalOf(refused), expected)
    assert.match(refused.text, /Strangers use this installation, so that only SELECT 1 is run here\./)
    assert.deepEqual(refusalOf(await api.post('/monitors/try', given)), expected)
    const { id } = await createMonitor(api, { ...database, check_options: access })
    const change = { name: 'Database', check_options: { statement } }
    assert.deepEqual(refusalOf(await api.request('PATCH', `/monitors/${id}`, { body: change })), expected)
  })
})

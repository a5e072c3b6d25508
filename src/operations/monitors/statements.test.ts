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

describe('a script of a visit', () => {
  const given = { name: 'Shop', kind: 'browser', url: 'https://shop.example.com/' } as const
  const script = "await page.click('text=Pay')"

  it('is taken where the operator allows it, and a mistake in it is refused', async () => {
    const api = await testApi()
    const { check_options: shown } = await createMonitor(api, { ...given, check_options: { script } })
    assert.deepEqual(shown['script'], script)
    const refused = await api.post('/monitors', { ...given, check_options: { script: 'await page.click(' } })
    assert.deepEqual(refusalOf(refused), [422, 'validation_failed', 'check_options.script'])
    assert.match(refused.text, /Cannot be read as JavaScript: /)
  })

  it('is refused elsewhere, also in a trial', async () => {
    const api = await testApi({ services: { allowsScripts: false } })
    const expected = [422, 'validation_failed', 'check_options.script']
    for (const path of ['/monitors', '/monitors/try']) {
      const refused = await api.post(path, { ...given, check_options: { script } })
      assert.deepEqual(refusalOf(refused), expected)
      assert.match(refused.text, /The operator of this installation lets visits run no scripts\./)
    }
    assert.equal((await api.post('/monitors', given)).status, 201)
  })
})

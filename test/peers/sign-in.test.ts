import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { http } from '#kinds/web/http.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startApache } from '../support/peers/web-servers.ts'

const skip = skipReason(['apache2'])

describe('a website of Apache that lets in by digest', { skip }, async () => {
  const files = { 'index.html': 'hello', 'a b.html': 'spaced' }
  const port = await startApache(files, { digest: { name: 'Ann', secret: 'open sesame', realm: 'inner circle' } })
  const signIn = { sign_in: 'digest', sign_in_name: 'Ann', sign_in_secret: 'open sesame' }

  function check(path: string, options: object): Promise<Verdict> {
    return checkOnce(http, { url: `http://127.0.0.1:${port}${path}`, options: { ...options } })
  }

  for (const path of ['/', '/index.html?a=1&b="2"', '/a%20b.html'])
    it(`is up at ${path}`, async () => {
      const { status, error } = await check(path, signIn)
      assert.deepEqual([status, error], ['up', null])
    })

  it('is down with another password, and without one', async () => {
    const wrong = await check('/', { ...signIn, sign_in_secret: 'close' })
    assert.match(wrong.error ?? '', /^HTTP status 401/)
    const none = await check('/', {})
    assert.match(none.error ?? '', /^HTTP status 401/)
  })

  it('lets in each step of a transaction', async () => {
    const steps = [{ keyword: 'hello' }, { url: '/a%20b.html', keyword: 'spaced' }]
    const url = `http://127.0.0.1:${port}/`
    const { status, error } = await checkOnce(transaction, { url, options: { ...signIn, steps } })
    assert.deepEqual([status, error], ['up', null])
  })
})

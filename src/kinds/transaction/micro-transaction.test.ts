import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { stepLimits } from '../../../test/support/steps.ts'
import { microTransaction } from './micro-transaction.ts'

describe('a check of kind micro_transaction', async () => {
  const { port } = await httpServer((request, response) => {
    const count = Number(/n=(\d+)/.exec(request.headers.cookie ?? '')?.[1] ?? 0) + 1
    response.setHeader('set-cookie', `n=${count}`).end(`visit ${count}.`)
  })

  it('makes its three steps as one visitor', async () => {
    const steps = Array.from({ length: 3 }, (_, index) => ({ keyword: `visit ${index + 1}.` }))
    const verdict = await checkOnce(microTransaction, { url: `http://127.0.0.1:${port}/`, options: { steps } })
    assert.deepEqual([verdict.status, verdict.error], ['up', null])
  })

  it('takes at most three steps, and at least one', () => {
    assert.deepEqual(stepLimits(microTransaction, 3), [false, true, true, false])
  })
})

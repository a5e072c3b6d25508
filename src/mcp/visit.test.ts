import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Scope } from '#operations/pipeline/operation.ts'
import { isOpenTo } from './visit.ts'

const run = (): Promise<never> => Promise.reject(new Error('No test calls it.'))

function operationOf(scope: Scope, isForStrangers: boolean) {
  return defineOperation({
    name: 'make_thing',
    method: 'POST',
    path: '/things',
    scope,
    tag: 'Account',
    summary: 'Makes a thing',
    errors: [],
    success: { status: 200, description: 'Made.' },
    run,
    ...(isForStrangers ? { runForStranger: run } : {}),
  })
}

describe('an operation', () => {
  const cases: [scope: Scope, isForStrangers: boolean, openTo: (Scope | null)[]][] = [
    ['read', false, ['read', 'write']],
    ['write', false, ['write']],
    ['read', true, [null, 'read', 'write']],
    ['write', true, [null, 'write']],
  ]
  for (const [scope, isForStrangers, openTo] of cases)
    it(`that needs ${scope}, ${isForStrangers ? 'also' : 'not'} for strangers, is open to ${openTo.join()}`, () => {
      const visitors = [null, 'read', 'write'] as const
      const operation = operationOf(scope, isForStrangers)
      assert.deepEqual(
        visitors.filter((visitor) => isOpenTo({ scope: visitor }, operation)),
        openTo,
      )
    })
})

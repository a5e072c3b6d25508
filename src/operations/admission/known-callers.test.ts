import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Credentials } from '#operations/pipeline/authenticate.ts'
import { createKnownCallers } from './known-callers.ts'

const address = '192.0.2.1'

function withTokens(...tokens: string[]): Credentials {
  return { tokens, isNamed: true, session: null, address, audience: 'api' }
}

function withSession(cookie: string, workspace: string): Credentials {
  return {
    tokens: [],
    isNamed: true,
    session: { headers: new Headers({ cookie }), workspace, isOwnOrigin: true },
    address,
    audience: 'api',
  }
}

describe('callers', () => {
  it('count as their address until their credential was good, whatever they make up', () => {
    const { callerOf, know } = createKnownCallers()
    assert.deepEqual(
      [callerOf(withTokens('one')), callerOf(withTokens('two')), callerOf(withTokens())],
      [address, address, address],
    )
    know(withTokens('one', 'beside'), 'workspace')
    assert.deepEqual(
      [callerOf(withTokens('one')), callerOf(withTokens('two')), callerOf(withTokens('beside'))],
      ['workspace', address, address],
    )
    know(withTokens(), 'nobody')
    assert.equal(callerOf(withTokens()), address)
  })

  it('are told apart by cookies and workspace where they have a session', () => {
    const { callerOf, know } = createKnownCallers()
    know(withSession('a=1', 'w'), 'workspace')
    assert.equal(callerOf(withSession('a=1', 'w')), 'workspace')
    assert.deepEqual([callerOf(withSession('a=2', 'w')), callerOf(withSession('a=1', 'v'))], [address, address])
  })

  it('are forgotten in the order in which they were last seen, beyond as many as are kept', () => {
    const { callerOf, know } = createKnownCallers(2)
    know(withTokens('one'), '1')
    know(withTokens('two'), '2')
    know(withTokens('one'), '1')
    know(withTokens('three'), '3')
    assert.deepEqual(
      ['one', 'two', 'three'].map((token) => callerOf(withTokens(token))),
      ['1', address, '3'],
    )
  })
})

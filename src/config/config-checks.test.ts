import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { examineConfig } from './config.ts'

describe('scripts of monitors', () => {
  const cases: [what: string, environment: Record<string, string>, isRefused: boolean][] = [
    ['where people are invited', {}, false],
    ['where payments are tried out', { PERIGEE_PAYMENTS: 'sandbox' }, false],
    ['where everybody may sign up', { PERIGEE_SIGN_UP: 'open' }, true],
    ['where everybody may buy', { PERIGEE_PAYMENTS: 'live' }, true],
  ]
  for (const [what, environment, isRefused] of cases)
    it(`may${isRefused ? ' not' : ''} run ${what}`, () => {
      const { problems } = examineConfig({ ...environment, PERIGEE_BROWSER_SCRIPTS: 'on' })
      const ofScripts = problems.filter((problem) => problem.includes('PERIGEE_BROWSER_SCRIPTS'))
      assert.equal(ofScripts.length, isRefused ? 1 : 0, problems.join('\n'))
    })
})

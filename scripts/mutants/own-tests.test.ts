import assert from 'node:assert/strict'
import { it } from 'node:test'
import { importedValues, productFiles } from './own-tests.ts'

const testsOf = new Map(productFiles().map(({ file, tests }) => [file, tests]))

it('the test of the same name comes first, then those of the folder that import the file, then those that reach it', () => {
  const [first, ...others] = testsOf.get('src/core/results/latency-histogram.ts') ?? []
  assert.equal(first, 'src/core/results/latency-histogram.test.ts')
  assert.deepEqual(others, [
    'src/core/results/latency-day.test.ts',
    'src/core/results/response-buckets.test.ts',
    'src/core/results/usual.test.ts',
    'src/core/results/uptime-bars.test.ts',
  ])
})

it('without one, the tests of the folder count that import the file', () => {
  assert.deepEqual(testsOf.get('src/core/language/mask.ts'), ['src/core/language/redact.test.ts'])
})

it('what a test of the folder reaches by another file of it is tested there', () => {
  assert.ok(testsOf.get('src/kinds/email-auth/dmarc.ts')?.includes('src/kinds/email-auth/email-auth.test.ts'))
})

it('a test leads to the file of its name, also where it reaches it by what test/support has', () => {
  assert.ok(testsOf.get('src/net/http/http-exchange.ts')?.includes('src/net/http/http.test.ts'))
})

it('a file that no test of its folder reaches has none', () => {
  assert.deepEqual(testsOf.get('src/core/language/error.ts'), [])
})

it('tests and generated files are not changed', () => {
  assert.ok(!testsOf.has('src/core/results/uptime.test.ts'))
  assert.ok(!testsOf.has('src/kinds/domain/whois-servers.ts'))
})

it('of imports, those of values of this project are followed', () => {
  const source = [
    "import { a } from './a.ts'",
    "import { type B } from './b.ts'",
    "import type { C } from './c.ts'",
    "import { type D, d } from '#core/d.ts'",
    "import e from 'node:test'",
  ].join('\n')
  assert.deepEqual(importedValues('src/kinds/x.test.ts', source), ['src/kinds/a.ts', 'src/core/d.ts'])
})

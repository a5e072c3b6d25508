// What npm writes was recorded with npm 11.19 from a registry of ours, which answered with two advisories and with none.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { advisoriesOf, advisoryProblems, NoReport } from './advisories.ts'

const asn1 = {
  source: 1_099_999,
  name: 'asn1.js',
  dependency: 'asn1.js',
  title: 'asn1.js reads too far',
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  severity: 'high',
  cwe: ['CWE-125'],
  cvss: { score: 7.5, vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H' },
  range: '<6.0.0',
}
const semver = {
  ...asn1,
  name: 'semver',
  title: 'semver is slow',
  url: 'https://github.com/advisories/GHSA-dddd-eeee-ffff',
  severity: 'moderate',
  range: '<99',
}
const entry = (name: string, via: readonly unknown[]) => ({
  name,
  severity: 'high',
  isDirect: false,
  via,
  effects: [],
  range: '',
  nodes: [`node_modules/${name}`],
  fixAvailable: false,
})
const report = (vulnerabilities: Readonly<Record<string, unknown>>) => ({
  auditReportVersion: 2,
  vulnerabilities,
  metadata: {
    vulnerabilities: { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: Object.keys(vulnerabilities).length },
    dependencies: { prod: 198, dev: 470, optional: 143, peer: 0, peerOptional: 0, total: 695 },
  },
})
const recorded = report({
  'asn1.js': entry('asn1.js', [asn1]),
  '@babel/core': entry('@babel/core', ['semver']),
  semver: entry('semver', [semver, asn1]),
  'web-push': entry('web-push', ['asn1.js']),
})
const unanswered = {
  message: '405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security/advisories/bulk',
  method: 'POST',
  statusCode: 405,
  body: '',
  error: { summary: '', detail: '' },
}

describe('the report of npm', () => {
  it('has each advisory once, by the identifier in its address', () => {
    assert.deepEqual(
      advisoriesOf(recorded).map(({ id, name }) => [id, name]),
      [
        ['GHSA-aaaa-bbbb-cccc', 'asn1.js'],
        ['GHSA-dddd-eeee-ffff', 'semver'],
      ],
    )
    assert.deepEqual(advisoriesOf(report({})), [])
  })

  for (const [what, output, message] of [
    ['a registry that has no advisories to ask for', unanswered, /^405 Method Not Allowed/],
    ['another version of the report', { ...recorded, auditReportVersion: 3 }, /^npm wrote another form/],
    ['no object', [], /^npm wrote another form/],
    ['packages without an advisory', report({ a: entry('a', ['b']) }), /^npm counts 1 vulnerable packages/],
  ] as const)
    it(`is not taken for a clean one: ${what}`, () =>
      assert.throws(
        () => advisoriesOf(output),
        (error) => error instanceof NoReport && message.test(error.message),
      ))
})

describe('advisories', () => {
  const [first, second] = advisoriesOf(recorded)
  assert.ok(first !== undefined && second !== undefined)
  const accepted = {
    id: 'GHSA-aaaa-bbbb-cccc',
    package: 'asn1.js',
    because: 'We sign, and read nothing.',
    until: '2026-12-01',
  }
  const named =
    'asn1.js <6.0.0 has an advisory of severity high, GHSA-aaaa-bbbb-cccc: asn1.js reads too far (https://github.com/advisories/GHSA-aaaa-bbbb-cccc).'

  for (const [what, acceptances, today, expected] of [
    ['without an acceptance', [], '2026-11-30', [named]],
    ['accepted, on the last day', [accepted], '2026-11-30', []],
    [
      'accepted until a day that has come',
      [accepted],
      '2026-12-01',
      [`${named} It was accepted until 2026-12-01: We sign, and read nothing.`],
    ],
    [
      'accepted of another package',
      [{ ...accepted, package: 'other' }],
      '2026-11-30',
      [named, 'npm reports GHSA-aaaa-bbbb-cccc of other no more: delete its entry.'],
    ],
  ] as const)
    it(`${what}: ${expected.length} problems`, () =>
      assert.deepEqual(advisoryProblems([first], { accepted: acceptances, today }), expected))
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ldapTarget, ldapTargetProblem } from './ldap-target.ts'
import { ldap } from './ldap.ts'

type Options = Record<string, unknown>

describe('the options of a directory', () => {
  const cases: [name: string, options: Options, problems: [field: string, message: RegExp][]][] = [
    // RFC 4513 5.1.2: such a sign-in succeeds, as an anonymous bind.
    ['a name without a password', { bind_dn: 'cn=ann' }, [['bind_dn', /^Needs a password\.$/]]],
    ['a password without a name', { password: 'a' }, [['password', /^Needs a bind_dn\.$/]]],
    ['an empty password', { bind_dn: 'cn=ann', password: '' }, [['password', /^Must not be empty\.$/]]],
    ['a filter without a base', { filter: '(uid=ann)' }, [['filter', /^Needs a base\.$/]]],
    ['a value without an attribute', { base: '', expected_value: 'a' }, [['expected_value', /^Needs an attribute\.$/]]],
    ['no name of an attribute', { base: '', attribute: 'ma il' }, [['attribute', /^Must be the name of an attribute/]]],
    [
      'a filter that is none',
      { base: '', filter: '(uid=ann' },
      [['filter', /^Must be a filter such as .*: at character 9, a "\)" is missing\.$/]],
    ],
    ['a hundred and one entries', { base: '', min_entries: 101 }, [['min_entries', /./]]],
  ]
  for (const [name, options, problems] of cases)
    it(`refuse ${name}`, () => {
      const issues = ldap.options.safeParse(options).error?.issues ?? []
      assert.deepEqual(
        issues.map((issue) => issue.path.join('.')),
        problems.map(([field]) => field),
      )
      for (const [index, [, message]] of problems.entries()) assert.match(issues[index]?.message ?? '', message)
    })

  it('take the root of the server as a base', () => {
    assert.equal(ldap.options.safeParse({ base: '', attribute: 'namingContexts;x-a' }).success, true)
  })
})

describe('the address of a directory', () => {
  const cases: [url: string, problem: RegExp | null][] = [
    ['ldap://ldap.example.com', null],
    ['LDAPS://ldap.example.com:1636/', null],
    ['ldap://[2001:db8::1]:3389', null],
    ['https://ldap.example.com', /^Must begin with ldap:\/\/ or ldaps:\/\//],
    ['ldap.example.com:389', /^Must begin with ldap:\/\/ or ldaps:\/\//],
    ['ldap://ann:hunter2@ldap.example.com', /^Must have no user and no password/],
    ['ldap://ldap.example.com/dc=example', /^Must have nothing after the host and the port/],
    ['ldap://ldap.example.com/?uid', /^Must have nothing after the host and the port/],
    ['ldap://:389', /^Must name a host/],
    ['ldap://a:99999', /^Must name a host/],
    ['ldap://10.0.0.1', /10\.0\.0\.1/],
  ]
  for (const [url, problem] of cases)
    it(`${url} is ${problem === null ? 'taken' : 'refused'}`, () => {
      const found = ldapTargetProblem(url, (host) => host === '10.0.0.1')
      if (problem === null) assert.equal(found, null)
      else assert.match(String(found), problem)
      assert.doesNotMatch(String(found), /hunter2/)
    })

  it('has the usual ports', () => {
    assert.deepEqual(ldapTarget('ldap://A.example'), { host: 'a.example', port: 389, isSecured: false })
    assert.deepEqual(ldapTarget('LDAPS://a.example/'), { host: 'a.example', port: 636, isSecured: true })
    assert.deepEqual(ldapTarget('ldaps://[::1]:7'), { host: '::1', port: 7, isSecured: true })
  })
})

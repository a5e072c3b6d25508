import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type GroupRoles,
  domainChallenge,
  domainOfMail,
  identityProviderInputSchema,
  linkedIssuer,
  roleOfGroups,
  shownIssuer,
  signInDomainInputSchema,
} from './single-sign-on.ts'

describe('the domain of a mail address', () => {
  const cases: [string, string | null][] = [
    ['ann@example.com', 'example.com'],
    ['Ann@EXAMPLE.com', 'example.com'],
    ['ann@bücher.example', 'xn--bcher-kva.example'],
    ['"a@b"@example.com', 'example.com'],
    ['ann@example.com.', 'example.com'],
    ['@example.com', null],
    ['example.com', null],
    ['ann@', null],
    ['ann@192.0.2.1', null],
    ['ann@exa mple.com', null],
  ]
  for (const [email, domain] of cases) it(`of ${email} is ${domain}`, () => assert.equal(domainOfMail(email), domain))
})

describe('the domain of a workspace', () => {
  it('is kept as DNS has it', () => {
    assert.equal(domainIn('Example.COM.'), 'example.com')
    assert.equal(domainIn('bücher.example'), 'xn--bcher-kva.example')
    for (const bad of ['com', '*.example.com', '_dmarc.example.com', '192.0.2.1', 'a b.example', 'ann@example.com', ''])
      assert.equal(domainIn(bad), null, bad)
  })

  it('is proved by a record below it', () => {
    assert.deepEqual(domainChallenge({ domain: 'example.com', token: 'abc' }), {
      type: 'TXT',
      name: '_perigee-challenge.example.com',
      value: 'perigee-domain=abc',
    })
  })
})

describe('the issuer of a provider', () => {
  for (const issuer of ['https://login.example.com', 'https://login.example.com/realms/a/', 'http://127.0.0.1:8080/a'])
    it(`may be ${issuer}`, () => assert.ok(isTaken(issuer)))
  for (const issuer of [
    'login.example.com',
    'ftp://login.example.com',
    'javascript:alert(1)',
    'https://login.example.com?a=b',
    'https://login.example.com/#a',
    'https://ann:pw@login.example.com',
    'https://login.example.com/a b',
  ])
    it(`is not ${issuer}`, () => assert.ok(!isTaken(issuer)))
})

describe('the issuer by which accounts are linked', () => {
  const workspaceId = '7b1d6d3a-1c1e-4d58-8a44-0a4c5d5b7f10'
  for (const [protocol, issuer] of [
    ['openid_connect', 'https://login.example.com'],
    ['saml', 'https://login.example.com'],
    ['saml', 'urn:login of nobody'],
  ] as const)
    it(`is shown as the provider of ${protocol} calls itself: ${issuer}`, () =>
      assert.equal(shownIssuer(linkedIssuer({ protocol, workspaceId, issuer })), issuer))

  it('is another one in each workspace with a provider of SAML, and one for all with OpenID Connect', () => {
    const issuer = 'https://login.example.com'
    const [bySaml, byOpenId] = ['saml', 'openid_connect'].map((protocol) =>
      ['a', 'b'].map((id) => linkedIssuer({ protocol, workspaceId: id, issuer })),
    )
    assert.deepEqual(byOpenId, [issuer, issuer])
    assert.equal(new Set(bySaml).size, 2)
    assert.ok(!bySaml?.some((linked) => linked.startsWith('https:')))
  })
})

describe('the role of groups', () => {
  const groupRoles: GroupRoles = [
    { group: 'sre', role: 'member' },
    { group: 'staff', role: 'viewer' },
  ]
  const cases: [string[], string][] = [
    [[], 'viewer'],
    [['staff'], 'viewer'],
    [['staff', 'sre'], 'member'],
    [['SRE'], 'viewer'],
    [['owner'], 'viewer'],
  ]
  for (const [groups, role] of cases)
    it(`of ${JSON.stringify(groups)} is ${role}`, () =>
      assert.equal(roleOfGroups({ defaultRole: 'viewer', groupRoles }, groups), role))

  it('is the default one where no group has any, and a lower one where a group has that', () => {
    const rule = { defaultRole: 'member', groupRoles } as const
    assert.equal(roleOfGroups(rule, ['others']), 'member')
    assert.equal(roleOfGroups(rule, ['staff']), 'viewer')
  })

  it('is never that of an owner', () => {
    const group_roles = [{ group: 'admins', role: 'owner' }]
    const input = { name: 'Okta', issuer: 'https://a.example', client_id: 'x', group_roles }
    assert.ok(!identityProviderInputSchema.safeParse(input).success)
    assert.ok(!identityProviderInputSchema.safeParse({ ...input, group_roles: [], default_role: 'owner' }).success)
  })
})

function domainIn(given: string): string | null {
  return signInDomainInputSchema.safeParse({ domain: given }).data?.domain ?? null
}

function isTaken(issuer: string): boolean {
  return identityProviderInputSchema.safeParse({ name: 'Okta', issuer, client_id: 'x' }).success
}

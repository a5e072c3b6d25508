import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { ldap } from '#kinds/ldap/ldap.ts'
import { makeCertificate } from '../support/certificates.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { slapdAdmin, startSlapd } from '../support/peers/slapd.ts'
import { testCertificates } from '../support/test-certificates.ts'

const skip = skipReason(['slapd', 'slapadd', 'ldapsearch', 'setpriv', 'sshd'])
const people = { base: 'ou=people,dc=example,dc=com', scope: 'sub' } as const

describe('an ldap monitor at slapd', { skip }, async () => {
  const { root, good, expired, wrongName } = testCertificates()
  setDefaultCACertificates([root.pem])
  const server = await startSlapd({ certificate: good })
  const inClear = await startSlapd()

  it('is up as anybody and as somebody, in clear text, by StartTLS and by ldaps', async () => {
    assert.deepEqual([(await check(inClear.port)).status, (await check(inClear.port, slapdAdmin)).status], ['up', 'up'])
    const urls = [`ldap://127.0.0.1:${server.port}`, `ldaps://127.0.0.1:${server.securePort}`]
    for (const url of urls)
      for (const options of [{}, slapdAdmin]) {
        const { status, error, details } = await checkOnce(ldap, { url, options })
        assert.deepEqual([status, error, details['tls_protocol']], ['up', null, 'TLSv1.3'])
      }
  })

  it('does not take a wrong password, an unknown name or what is no name', async () => {
    const refused = 'The server does not accept the name or the password'
    assert.equal(await errorOf({ ...slapdAdmin, password: 'another' }), refused)
    assert.equal(await errorOf({ bind_dn: 'uid=eve,dc=example,dc=com', password: 'a' }), refused)
    assert.equal(
      await errorOf({ bind_dn: 'eve', password: 'its secret' }),
      'The server refuses the sign-in: invalidDNSyntax (34), "invalid DN"',
    )
    const ann = { bind_dn: 'uid=ann,ou=people,dc=example,dc=com', password: 'its secret' }
    assert.equal(await errorOf(ann), null)
  })

  it('finds what ldapsearch finds, whatever the filter is', async () => {
    const filters = [
      '(objectClass=*)',
      '(uid=ann)',
      '(cn=A*)',
      '(cn=*\\28\\c3\\84p*\\29*)',
      '(cn=Ann \\28Äpfel\\29 \\2a)',
      '(&(sn=lee)(!(uid=bob)))',
      '(|(uid=ann)(uid=bob))',
      '(sn~=Lee)',
      '(uid>=b)',
      '(uid<=a)',
      '(uid:caseIgnoreMatch:=ANN)',
      '(uid:dn:=bob)',
      '(mail=*)',
      '(uid=eve)',
    ]
    for (const filter of filters) {
      const found = inClear.search('-b', people.base, '-s', 'sub', filter, '1.1')
      const expected = found.split('\n').filter((line) => line.startsWith('dn:')).length
      const { details } = await check(inClear.port, { ...slapdAdmin, ...people, filter, min_entries: 100 })
      assert.equal(details['entries'], expected, filter)
    }
    for (const [scope, expected] of [
      ['base', 1],
      ['one', 2],
      ['sub', 3],
    ] as const)
      assert.equal(
        (await check(inClear.port, { ...slapdAdmin, ...people, scope, min_entries: 9 })).details['entries'],
        expected,
      )
  })

  it('reads no more entries than are wanted, and compares one of the values', async () => {
    const { status, details } = await check(inClear.port, { ...slapdAdmin, ...people, min_entries: 2 })
    assert.deepEqual([status, details['entries']], ['up', 2])
    assert.equal(
      await errorOf({ ...slapdAdmin, ...people, min_entries: 4 }),
      'The search found 3 entries, fewer than 4',
    )
    const ann = { ...slapdAdmin, ...people, filter: '(uid=ann)', attribute: 'mail' }
    assert.equal(await errorOf({ ...ann, expected_value: 'ann@example.com' }), null)
    assert.equal(
      await errorOf({ ...ann, expected_value: 'ann@example.net' }),
      'The attribute has another value than the expected one',
    )
    assert.equal(await errorOf({ ...ann, attribute: 'telephoneNumber' }), 'No entry that was found has the attribute')
    assert.equal(await errorOf({ base: '', attribute: 'namingContexts', expected_value: 'dc=example,dc=com' }), null)
  })

  it('is told where nobody may search, or there is nothing', async () => {
    const nothing = 'The base of the search does not exist, or may not be seen'
    assert.equal(await errorOf(people), nothing)
    assert.equal(await errorOf({ ...slapdAdmin, base: 'ou=none,dc=example,dc=com' }), nothing)
    assert.equal(await errorOf({ base: 'dc=example,dc=com' }), null)
    assert.equal(await errorOf({ base: 'what' }), 'The server refuses the search: invalidDNSyntax (34), "invalid DN"')
  })

  it('is told what the server wants', async () => {
    const strict = await startSlapd({ settings: ['disallow bind_anon'], certificate: good })
    assert.equal(
      (await check(strict.port)).error,
      'The server accepts no anonymous bind: set check_options.bind_dn and password',
    )
    const secured = await startSlapd({ settings: ['security ssf=128'], certificate: good })
    assert.equal(
      (await check(secured.port, slapdAdmin)).error,
      'The server wants TLS: write ldaps://, or set check_options.security to starttls',
    )
    const { error } = await checkOnce(ldap, { url: `ldap://127.0.0.1:${inClear.port}`, options: slapdAdmin })
    assert.match(String(error), /^The server offers no StartTLS: protocolError \(2\)/)
  })

  it('judges the certificate', async () => {
    for (const [certificate, text] of [
      [expired, /^The certificate of 127\.0\.0\.1 expired on/],
      [wrongName, /^The certificate is for other\.example, not for 127/],
    ] as const) {
      const { port, securePort } = await startSlapd({ certificate })
      for (const url of [`ldap://127.0.0.1:${port}`, `ldaps://127.0.0.1:${securePort}`])
        assert.match(String((await checkOnce(ldap, { url })).error), text)
    }
  })

  it('shows a certificate of its own where the server wants one', async () => {
    const authority = makeCertificate({ name: 'Clients', isAuthority: true })
    const client = makeCertificate({ name: 'watcher', issuer: authority })
    const { securePort } = await startSlapd({ certificate: good, clientAuthority: authority })
    const url = `ldaps://127.0.0.1:${securePort}`
    const shown = { client_certificate: client.pem + client.keyPem }
    assert.equal((await checkOnce(ldap, { url, options: shown })).error, null)
    assert.equal((await checkOnce(ldap, { url })).status, 'down')
  })

  it('is down at another server, and at TLS where none is expected', async () => {
    const ssh = await startOpenssh()
    assert.equal((await check(ssh.port)).error, 'Not an LDAP server: it answers otherwise')
    assert.match(String((await check(Number(server.securePort))).error), /closed the connection|reset|Not an LDAP/)
    const { error } = await checkOnce(ldap, { url: `ldaps://127.0.0.1:${inClear.port}`, timeoutMs: 1000 })
    assert.match(String(error), /does not speak TLS|closed the connection|Timed out/)
  })

  function errorOf(options: Record<string, unknown>): Promise<string | null> {
    return check(inClear.port, options).then(({ error }) => error)
  }
})

function check(port: number, options: Record<string, unknown> = {}): Promise<Verdict> {
  return checkOnce(ldap, {
    url: `ldap://127.0.0.1:${port}`,
    options: { security: 'none', ...options },
    timeoutMs: 5000,
  })
}

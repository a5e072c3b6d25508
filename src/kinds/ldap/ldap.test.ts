import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { ber, berInteger, berTags } from '#kinds/ber.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { goodLdap, ldapEntry, ldapResult, ldapStandIn } from '../../../test/support/ldap-stand-in.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { until } from '../../../test/support/until.ts'
import { encodeFilter } from './ldap-filter.ts'
import { bindRequest, ldapMessage, operations, searchRequest, startTlsRequest, unbindRequest } from './ldap-messages.ts'
import { ldap } from './ldap.ts'

type Options = Record<string, unknown>
type Answers = Readonly<Record<number, readonly Buffer[]>>

const { root, good, selfSigned } = testCertificates()
setDefaultCACertificates([root.pem])
const server = await ldapStandIn({ answer: goodLdap })
const base = 'dc=example,dc=com'
const access = { bind_dn: 'cn=ann,dc=example,dc=com', password: 'secret' }

function check(options: Options = {}, url = `ldap://127.0.0.1:${server.port}`, timeoutMs = 3000): Promise<Verdict> {
  return checkOnce(ldap, { url, options: { security: 'none', ...options }, timeoutMs })
}

/** Another server, which answers some operations as told and the others well. */
async function differing(answers: Answers, options: Options = {}): Promise<Verdict> {
  const { port } = await ldapStandIn({ answer: (operation) => answers[operation.tag] ?? goodLdap(operation) })
  return check(options, `ldap://127.0.0.1:${port}`)
}

/** What answers a search. */
function found(...answers: Buffer[]): Answers {
  return { [operations.searchRequest]: answers }
}

function short({ status, error }: Verdict): [string, string | null] {
  return [status, error]
}

describe('a directory', () => {
  it('is up when it accepts an anonymous bind, and is asked for nothing more', async () => {
    const { port, heard } = await ldapStandIn({ answer: goodLdap })
    const { status, error, details, latencyMs, phases } = await check({}, `ldap://127.0.0.1:${port}`)
    assert.deepEqual([status, error, details], ['up', null, {}])
    assert.ok(latencyMs !== null && phases.connectMs !== null && phases.ttfbMs !== null)
    assert.deepEqual([phases.transferMs, phases.tlsMs], [null, null])
    await until('the good-bye', () => heard.length > 1)
    assert.deepEqual(
      heard.map(({ tag }) => tag),
      [operations.bindRequest, operations.unbindRequest],
    )
  })

  it('is signed in to, and then searched as it is told', async () => {
    const { port, heard } = await ldapStandIn({ answer: goodLdap })
    const search = { base, scope: 'sub', filter: '(uid=ann)', min_entries: 1, attribute: 'mail' } as const
    const { status, error, details } = await check(
      { ...access, ...search, expected_value: 'ann@example.com' },
      `ldap://127.0.0.1:${port}`,
    )
    assert.deepEqual([status, error, details], ['up', null, { entries: 1 }])
    const wanted = { ...search, filter: encodeFilter('(uid=ann)'), sizeLimit: 1, timeLimitSeconds: 3 }
    await until('the good-bye', () => heard.length > 2)
    assert.deepEqual(
      heard.map(({ tag, content }) => ber(tag, content)),
      [bindRequest(access.bind_dn, 'secret'), searchRequest(wanted), unbindRequest()],
    )
  })

  it('is reached by ldaps or StartTLS, and its certificate is judged before anything is said', async () => {
    for (const isSecured of [true, false]) {
      const url = async (certificate: typeof good): Promise<{ url: string; heard: readonly { tag: number }[] }> => {
        const { port, heard } = await ldapStandIn({ answer: goodLdap, certificate, isSecured })
        return { url: `${isSecured ? 'ldaps' : 'ldap'}://127.0.0.1:${port}`, heard }
      }
      const usual = await url(good)
      const { status, details, phases } = await checkOnce(ldap, { url: usual.url, options: access })
      assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
      assert.notEqual(phases.tlsMs, null)
      const other = await url(selfSigned)
      const refused = await checkOnce(ldap, { url: other.url, options: access })
      assert.match(String(refused.error), /certificate of 127\.0\.0\.1 is (?:self-signed|not trusted)/)
      assert.ok(other.heard.every(({ tag }) => tag === operations.extendedRequest))
      const accepted = { ...access, accept_any_certificate: true }
      assert.equal((await checkOnce(ldap, { url: other.url, options: accepted })).status, 'up')
    }
    assert.ok(startTlsRequest().includes('1.3.6.1.4.1.1466.20037'))
  })

  it('is told nothing in clear where StartTLS is refused', async () => {
    const heard: number[] = []
    const { port } = await ldapStandIn({
      answer: ({ tag }) => {
        heard.push(tag)
        return [ldapResult(operations.extendedResponse, 2, 'unsupported extended operation')]
      },
    })
    const url = `ldap://127.0.0.1:${port}`
    assert.deepEqual(short(await checkOnce(ldap, { url, options: access })), [
      'down',
      'The server offers no StartTLS: protocolError (2), "unsupported extended operation"',
    ])
    assert.deepEqual(heard, [operations.extendedRequest])
  })
})

describe('what is expected of a directory', () => {
  const done = ldapResult(operations.searchDone)
  const ann = ldapEntry('uid=ann', { mail: ['a@example.com', 'b@example.com'] })
  const bob = ldapEntry('uid=bob')
  const reference = ber(operations.searchReference, ber(berTags.octets, 'ldap://other'))
  const cases: [name: string, answers: Answers, options: Options, error: string | null][] = [
    ['an entry', found(bob, done), {}, null],
    ['references and notices beside', found(reference, ber(operations.intermediateResponse), bob, done), {}, null],
    ['no entry', found(done), {}, 'The search found 0 entries, fewer than 1'],
    ['too few', found(bob, done), { min_entries: 2 }, 'The search found 1 entry, fewer than 2'],
    ['enough', found(bob, ann, done), { min_entries: 2 }, null],
    ['more than were wanted', found(bob, ldapResult(operations.searchDone, 4)), {}, null],
    ['an attribute', found(ann, done), { attribute: 'mail' }, null],
    ['no attribute', found(bob, done), { attribute: 'mail' }, 'No entry that was found has the attribute'],
    [
      'the last of more values than other answers may have',
      found(
        ldapEntry('cn=all', { member: [...Array.from({ length: 12_000 }, (_, index) => `${index}`), 'ann'] }),
        done,
      ),
      { attribute: 'member', expected_value: 'ann' },
      null,
    ],
    ['one of its values', found(bob, ann, done), { attribute: 'mail', expected_value: 'b@example.com' }, null],
    [
      'another value',
      found(ann, done),
      { attribute: 'mail', expected_value: 'c@example.com' },
      'The attribute has another value than the expected one',
    ],
  ]
  for (const [name, answers, options, error] of cases)
    it(name, async () => assert.deepEqual((await differing(answers, { base, ...options })).error, error))

  it('keeps no value', async () => {
    const options = { base, attribute: 'mail', expected_value: 'other' }
    assert.doesNotMatch(JSON.stringify(await check(options)), /example\.(?:org|com)/)
  })

  it('is degraded when it is slow', async () => {
    const { port } = await ldapStandIn({ answer: () => [] })
    const slow = await rawServer((socket) => {
      socket.once('data', () =>
        setTimeout(() => socket.write(ldapMessage(1, ldapResult(operations.bindResponse))), 150),
      )
    })
    assert.deepEqual(short(await check({ max_latency_ms: 100 }, `ldap://127.0.0.1:${slow.port}`)), [
      'degraded',
      'The answer took longer than 100 ms',
    ])
    assert.equal(
      (await check({}, `ldap://127.0.0.1:${port}`, 200)).error,
      'Timed out after 200 ms while waiting for the answer to the sign-in',
    )
  })
})

describe('a directory that is not in order', () => {
  const { bindResponse, bindRequest: bind, searchDone, searchRequest: search, extendedResponse } = operations
  const cases: [name: string, answers: Answers, error: string][] = [
    [
      'wrong password',
      { [bind]: [ldapResult(bindResponse, 49)] },
      'The server does not accept the name or the password',
    ],
    [
      'no anonymous bind',
      { [bind]: [ldapResult(bindResponse, 48, 'anonymous bind disallowed')] },
      'The server accepts no anonymous bind: set check_options.bind_dn and password',
    ],
    [
      'TLS is wanted',
      { [bind]: [ldapResult(bindResponse, 13)] },
      'The server wants TLS: write ldaps://, or set check_options.security to starttls',
    ],
    [
      'secrets are repeated',
      { [bind]: [ldapResult(bindResponse, 53, `no ${access.bind_dn} by secret`)] },
      'The server refuses the sign-in: unwillingToPerform (53), "no *** by ***"',
    ],
    [
      'a result without a name',
      { [bind]: [ldapResult(bindResponse, 200)] },
      'The server refuses the sign-in: result 200',
    ],
    [
      'no base',
      { [search]: [ldapResult(searchDone, 32)] },
      'The base of the search does not exist, or may not be seen',
    ],
    ['a slow search', { [search]: [ldapResult(searchDone, 3)] }, 'The search took longer than the check may take'],
    [
      'a referral',
      { [search]: [ldapResult(searchDone, 10)] },
      'The server refers to another server for the base of the search',
    ],
    [
      'a search that is refused',
      { [search]: [ldapResult(searchDone, 34, 'invalid DN')] },
      'The server refuses the search: invalidDNSyntax (34), "invalid DN"',
    ],
    ['an answer to something else', { [bind]: [ldapResult(searchDone)] }, 'Not an LDAP server: it answers otherwise'],
    [
      'an entry that is none',
      { [search]: [ber(operations.searchEntry, berInteger(1))] },
      'The server sent an entry that cannot be read',
    ],
  ]
  for (const [name, answers, error] of cases)
    it(name, async () => {
      assert.deepEqual(short(await differing(answers, { ...access, base })), ['down', error])
    })

  const streams: [name: string, bytes: Buffer | string, error: RegExp][] = [
    ['a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n', /^Not an LDAP server/],
    ['a length without an end', Buffer.from([0x30, 0x80, 0, 0]), /^Not an LDAP server/],
    ['a message of 4 GiB', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), /sent more than 256 KiB/],
    ['an empty message', Buffer.from([0x30, 0]), /^Not an LDAP server/],
    ['the number of another request', ldapMessage(9, ldapResult(operations.bindResponse)), /^Not an LDAP server/],
    [
      'a notice that it ends (RFC 4511 4.4.1)',
      ldapMessage(0, ldapResult(extendedResponse, 52, 'shutting down')),
      /^The server ends the connection: unavailable \(52\), "shutting down"$/,
    ],
  ]
  for (const [name, bytes, error] of streams)
    it(name, async () => {
      const { port } = await rawServer((socket) => void socket.once('data', () => socket.end(bytes)))
      assert.match(String((await check({}, `ldap://127.0.0.1:${port}`)).error), error)
    })

  it('closes, or is not there', async () => {
    const { port } = await rawServer((socket) => void socket.once('data', () => socket.end()))
    assert.equal(
      (await check({}, `ldap://127.0.0.1:${port}`)).error,
      `127.0.0.1:${port} closed the connection instead of sending the answer to the sign-in`,
    )
    const closed = await freePort()
    assert.equal((await check({}, `ldap://127.0.0.1:${closed}`)).error, `Connection refused by 127.0.0.1:${closed}`)
  })
})

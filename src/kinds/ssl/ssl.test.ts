import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { getCACertificates, type Server, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { noPhases } from '#core/results/result.ts'
import type { ChainLink } from '#net/tls/certificate.ts'
import type { TlsSight } from '#net/tls/tls-probe.ts'
import { chainPem, makeCertificate } from '../../../test/support/certificates.ts'
import { checkOnce, configurationOf } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { ocspResponse } from '../../../test/support/ocsp.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, portOf, rawServer } from '../../../test/support/raw-server.ts'
import { judgeSsl, ssl, type SslObservation } from './ssl.ts'
import type { SslOptions } from './ssl-options.ts'

const dayMs = 86_400_000
const now = new Date('2026-05-20T12:00:00Z')

function inDays(days: number): string {
  return new Date(now.getTime() + days * dayMs).toISOString()
}

function certificate(changes: Partial<ChainLink> = {}): ChainLink {
  return {
    keyType: 'EC',
    keyBits: 256,
    signature: 'ecdsa-with-SHA256',
    isSelfIssued: false,
    raw: Buffer.alloc(0),
    subject: 'shop.example',
    issuer: 'Issuing CA 1',
    names: ['shop.example', 'www.shop.example'],
    notBefore: inDays(-30),
    notAfter: inDays(60),
    serial: '01',
    fingerprint256: 'AA:BB',
    ...changes,
  }
}

const strength = { key: 'EC 256', signature: 'ecdsa-with-SHA256' }

function judge(
  sight: Partial<TlsSight> & { certificate?: ChainLink | null },
  warnDays?: number,
  further: Partial<SslObservation> & { options?: SslOptions } = {},
) {
  const { certificate: leaf = certificate(), problem = null, chain = leaf === null ? [] : [leaf] } = sight
  const { agreement = { name: 'ECDH X25519', bits: 253 } } = sight
  const session = { protocol: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', certificate: leaf, isResumed: false }
  const outcome = {
    ok: true,
    latencyMs: 12,
    phases: noPhases,
    sight: { address: '192.0.2.1', agreement, staple: null, session, chain, problem },
  } as const
  const { options: asked, ...seen } = further
  const options = { ...asked, ...(warnDays === undefined ? {} : { warn_days: warnDays }) }
  const check = { ...configurationOf(ssl, { url: 'shop.example' }), options }
  return judgeSsl({ outcome, host: 'shop.example', now, older: null, staple: null, ...seen }, check)
}

const agreesToOld = 'shop.example agrees to TLSv1.1, which is older than TLSv1.2'
const staplesNone = 'shop.example sends no stapled OCSP response'

describe('the judgement of a certificate', () => {
  it('is up and shows it', () => {
    const issuing = certificate({ subject: 'Issuing CA 1', issuer: 'Root', notAfter: inDays(900) })
    const verdict = judge({ chain: [certificate(), issuing] })
    assert.deepEqual(verdict, {
      status: 'up',
      statusCode: null,
      latencyMs: 12,
      error: null,
      phases: noPhases,
      details: {
        issuer: 'Issuing CA 1',
        subject: 'shop.example',
        names: ['shop.example', 'www.shop.example'],
        not_before: inDays(-30),
        not_after: inDays(60),
        days_left: 60,
        fingerprint_sha256: 'AA:BB',
        protocol: 'TLSv1.3',
        cipher: 'TLS_AES_128_GCM_SHA256',
        key_exchange: 'ECDH X25519',
        chain: [
          { subject: 'shop.example', issuer: 'Issuing CA 1', not_after: inDays(60), days_left: 60, ...strength },
          { subject: 'Issuing CA 1', issuer: 'Root', not_after: inDays(900), days_left: 900, ...strength },
        ],
      },
      expiry: {
        certificate: {
          host: 'shop.example',
          issuer: 'Issuing CA 1',
          notBefore: inDays(-30),
          notAfter: inDays(60),
        },
      },
    })
  })

  it('is down with what is wrong, and shows the certificate all the same', () => {
    const problem = { phase: 'tls', code: 'certificate_self_signed', message: 'self-signed' } as const
    const verdict = judge({ problem, certificate: certificate({ notAfter: inDays(-3.5) }) })
    assert.deepEqual([verdict.status, verdict.error, verdict.latencyMs], ['down', 'self-signed', 12])
    assert.deepEqual([verdict.details['days_left'], verdict.details['issuer']], [-3, 'Issuing CA 1'])
  })

  const windows = [
    // Lifetime, days left, warn_days, text.
    [90, 14.01, undefined, null],
    [90, 14, undefined, 'in 14 days (on 2026-06-03)'],
    [90, 8.6, undefined, 'in 9 days (on 2026-05-29)'],
    [90, 1.5, undefined, 'in 2 days (on 2026-05-22)'],
    [90, 0.5, undefined, 'in 1 day (on 2026-05-21)'],
    [90, 0.49, undefined, 'in less than a day (on 2026-05-20)'],
    [60, 10.01, undefined, null],
    [60, 10, undefined, 'in 10 days (on 2026-05-30)'],
    [6, 1.01, undefined, null],
    [6, 0.99, undefined, 'in 1 day (on 2026-05-21)'],
    [90, 29, 30, 'in 29 days (on 2026-06-18)'],
    [90, 30.01, 30, null],
    [90, 2, 1, null],
    [400, 365, 365, 'in 365 days (on 2027-05-20)'],
  ] as const
  for (const [lifetime, left, warnDays, text] of windows)
    it(`${left} of ${lifetime} days left and warn_days ${warnDays ?? 'by default'}: ${text ?? 'up'}`, () => {
      const leaf = certificate({ notBefore: inDays(left - lifetime), notAfter: inDays(left) })
      const verdict = judge({ certificate: leaf }, warnDays)
      assert.equal(verdict.error, text === null ? null : `The certificate of shop.example expires ${text}`)
      assert.equal(verdict.status, text === null ? 'up' : 'down')
    })

  it('does not mind an issuing certificate that ends sooner', () => {
    const crossSigned = certificate({ subject: 'Old Root', issuer: 'Older Root', notAfter: inDays(2) })
    assert.equal(judge({ chain: [certificate(), crossSigned] }).status, 'up')
  })

  it('is degraded where the end of an issuing certificate is watched, but for one that is its own issuer', () => {
    const issuing = certificate({ subject: 'Issuing CA 1', notAfter: inDays(20) })
    const root = certificate({ subject: 'Root', notAfter: inDays(2), isSelfIssued: true })
    const watched = (days: number) =>
      judge({ chain: [certificate(), issuing, root] }, undefined, { options: { chain_warn_days: days } })
    assert.deepEqual(
      [watched(19), watched(20)].map(({ status, error }) => [status, error]),
      [
        ['up', null],
        ['degraded', 'The issuing certificate Issuing CA 1 expires in 20 days (on 2026-06-09)'],
      ],
    )
  })

  const words = { revoked_at: null, this_update: inDays(-1), next_update: inDays(1) }
  const further: [what: string, seen: Partial<SslObservation>, options: SslOptions, error: string | null][] = [
    ['agreed to an old version', { older: { agreed: 'TLSv1.1' } }, { min_protocol: 'TLSv1.2' }, agreesToOld],
    ['agreed to none', { older: { agreed: null } }, { min_protocol: 'TLSv1.2' }, null],
    ['could not be asked', { older: { unknown: 'Connection refused' } }, { min_protocol: 'TLSv1.2' }, null],
    ['sent no OCSP', { staple: 'none' }, { stapled_ocsp: 'checked' }, null],
    ['had to send OCSP', { staple: 'none' }, { stapled_ocsp: 'required' }, staplesNone],
    [
      'sent OCSP that cannot be read',
      { staple: { word: null, problem: 'The stapled OCSP response cannot be read' } },
      { stapled_ocsp: 'checked' },
      'The stapled OCSP response cannot be read',
    ],
    ['has a good certificate', { staple: { word: { status: 'good', ...words }, problem: null } }, {}, null],
    [
      'has a certificate that was revoked',
      { staple: { word: { ...words, status: 'revoked', revoked_at: inDays(-2) }, problem: null } },
      {},
      'The certificate of shop.example was revoked by its issuer on 2026-05-18 (OCSP)',
    ],
    [
      'has a certificate that its issuer does not know',
      { staple: { word: { status: 'unknown', ...words }, problem: null } },
      {},
      'The issuer of the certificate of shop.example does not know it (OCSP)',
    ],
  ]
  for (const [what, seen, options, error] of further)
    it(`is ${error === null ? 'up' : 'down'} where the server ${what}`, () => {
      const verdict = judge({}, undefined, { ...seen, options })
      assert.deepEqual([verdict.status, verdict.error], [error === null ? 'up' : 'down', error])
    })

  it('is what weak parameters are to make of it', () => {
    const chain = [certificate({ keyType: 'RSA', keyBits: 1024 })]
    const text = 'Weak: the RSA key of the certificate of shop.example has 1024 bits'
    for (const [status, error, weak] of [
      ['up', null, undefined],
      ['degraded', text, 'degraded'],
      ['down', text, 'down'],
    ] as const) {
      const verdict = judge({ chain }, undefined, { options: weak === undefined ? {} : { weak_parameters: weak } })
      assert.deepEqual([verdict.status, verdict.error], [status, error])
    }
  })

  it('is down when the certificate cannot be read', () => {
    const verdict = judge({ certificate: null })
    assert.deepEqual([verdict.status, verdict.error], ['down', 'The certificate of shop.example cannot be read'])
  })

  it('bounds what it shows', () => {
    const many = Array.from({ length: 100 }, (_, index) => `h${index}.example`)
    const { details } = judge({ certificate: certificate({ names: many }), chain: many.map(() => certificate()) })
    assert.ok(Array.isArray(details['names']) && details['names'].length === 20)
    assert.ok(Array.isArray(details['chain']) && details['chain'].length === 10)
  })
})

describe('a check of kind ssl', () => {
  const root = makeCertificate({ name: 'Root of Ssl Tests', isAuthority: true })
  const middle = makeCertificate({ name: 'Test Middle', isAuthority: true, issuer: root })
  const names = ['localhost', '127.0.0.1']
  const good = makeCertificate({ name: 'localhost', names, issuer: middle })
  const trusted = getCACertificates('default')
  before(() => setDefaultCACertificates([...trusted, root.pem]))
  after(() => setDefaultCACertificates(trusted))

  it('is up, with the whole chain, by name and by address', async () => {
    const port = await serve({ cert: chainPem(good, middle), key: good.keyPem })
    for (const host of names) {
      const verdict = await checkOnce(ssl, { url: `${host}:${port}` })
      assert.deepEqual([verdict.status, verdict.error, verdict.statusCode], ['up', null, null])
      const { subject, issuer, protocol, days_left: daysLeft, chain } = verdict.details
      assert.deepEqual([subject, issuer, protocol, daysLeft], ['localhost', 'Test Middle', 'TLSv1.3', 90])
      assert.ok(Array.isArray(chain))
      assert.deepEqual(
        chain.map((link: { subject: string }) => link.subject),
        ['localhost', 'Test Middle', 'Root of Ssl Tests'],
      )
      assert.ok(verdict.latencyMs !== null && verdict.phases.tlsMs !== null && verdict.phases.ttfbMs === null)
    }
  })

  it('shows a certificate that it refuses', async () => {
    const notAfter = new Date(Date.now() - 3.5 * dayMs)
    const expired = makeCertificate({ name: 'localhost', names, issuer: middle, notBefore: new Date(0), notAfter })
    const port = await serve({ cert: chainPem(expired, middle), key: expired.keyPem })
    const verdict = await checkOnce(ssl, { url: `localhost:${port}` })
    const day = notAfter.toISOString().slice(0, 10)
    assert.equal(verdict.error, `The certificate of localhost expired on ${day} (3 days ago)`)
    assert.deepEqual([verdict.details['days_left'], verdict.details['issuer']], [-3, 'Test Middle'])
  })

  it('speaks to a server that knows no protocol names', async () => {
    const tls = { cert: chainPem(good, middle), key: good.keyPem, ALPNProtocols: ['only-this'] }
    const { port } = await httpServer((_, response) => response.end(), { tls })
    assert.equal((await checkOnce(ssl, { url: `localhost:${port}` })).status, 'up')
  })

  it('finds out which old versions a server agrees to', async () => {
    const own = { cert: chainPem(good, middle), key: good.keyPem }
    const old = await serve({ ...own, minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' })
    const usual = await serve({ ...own, minVersion: 'TLSv1.2' })
    const modern = await serve({ ...own, minVersion: 'TLSv1.3' })
    assert.deepEqual(
      [
        await askOlder(old, 'TLSv1.2'),
        await askOlder(old, 'TLSv1.3'),
        await askOlder(usual, 'TLSv1.2'),
        await askOlder(usual, 'TLSv1.3'),
      ],
      [
        ['down', 'localhost agrees to TLSv1.1, which is older than TLSv1.2', 'TLSv1.1'],
        ['down', 'localhost agrees to TLSv1.2, which is older than TLSv1.3', 'TLSv1.2'],
        ['up', null, null],
        ['down', 'localhost agrees to TLSv1.2, which is older than TLSv1.3', 'TLSv1.2'],
      ],
    )
    assert.deepEqual(await askOlder(modern, 'TLSv1.3'), ['up', null, null])
  })

  it('does not say of a server what it could not find out', async () => {
    const tls = { cert: chainPem(good, middle), key: good.keyPem }
    const behind = await tlsServer(tls)
    let connections = 0
    const { port } = await rawServer((socket) => {
      connections += 1
      if (connections === 1) socket.pipe(connect(behind.port, '127.0.0.1')).pipe(socket)
    })
    const options = { min_protocol: 'TLSv1.2' }
    const { status, details } = await checkOnce(ssl, { url: `localhost:${port}`, options, timeoutMs: 700 })
    assert.deepEqual([status, details['older_protocol']], ['up', 'unknown'])
  })

  it('reads what a server staples', async () => {
    const tls = { cert: chainPem(good, middle), key: good.keyPem }
    const { port, server } = await tlsServer(tls)
    let response: Buffer | null = ocspResponse({ of: good, issuer: middle })
    server.on('OCSPRequest', (_, __, answer: (error: null, response: Buffer | null) => void) => answer(null, response))
    const ask = (stapled: string): Promise<Verdict> =>
      checkOnce(ssl, { url: `localhost:${port}`, options: { stapled_ocsp: stapled } })
    const stated = await ask('required')
    assert.deepEqual([stated.status, stated.error], ['up', null])
    assert.ok(JSON.stringify(stated.details['ocsp']).startsWith('{"status":"good"'))
    response = ocspResponse({ of: good, issuer: middle, status: { revokedAt: new Date('2026-02-03') } })
    const revoked = 'The certificate of localhost was revoked by its issuer on 2026-02-03 (OCSP)'
    assert.equal((await ask('checked')).error, revoked)
    response = null
    assert.deepEqual(
      [(await ask('checked')).status, (await ask('required')).error],
      ['up', 'localhost sends no stapled OCSP response'],
    )
  })

  it('asks a server that is reached by IPv6', async () => {
    const tls = { cert: chainPem(good, middle), key: good.keyPem }
    const { port } = await httpServer((_, response) => response.end(), { tls, host: '::1' })
    assert.equal(
      (await checkOnce(ssl, { url: `[::1]:${port}` })).error,
      'The certificate is for localhost, 127.0.0.1, not for ::1',
    )
  })

  it('closes its connection', async () => {
    const closed = Promise.withResolvers<void>()
    const tls = { cert: chainPem(good, middle), key: good.keyPem }
    const { createServer } = await import('node:tls')
    const server = createServer(tls, (socket) => socket.once('close', () => closed.resolve()))
    server.listen(0, '127.0.0.1')
    after(() => server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    assert.ok(address !== null && typeof address === 'object')
    assert.equal((await checkOnce(ssl, { url: `127.0.0.1:${address.port}` })).status, 'up')
    await closed.promise
  })

  const misbehaving = [
    ['plain text', (socket) => void socket.write('220 mail.example ESMTP\r\n'), /^The port does not speak TLS \(/],
    ['an HTTP answer', answering('HTTP/1.1 400 Bad Request\r\n\r\n'), /^The port does not speak TLS \(/],
    ['nothing', () => {}, /^Timed out after 700 ms while agreeing on TLS with localhost:\d+$/],
    ['its end', (socket) => void socket.end(), /closed the connection during the TLS handshake$/],
    ['a cut handshake', answering(Buffer.from('160303007a020000760303', 'hex')), /closed the connection|handshake/],
    ['zeros', (socket) => void socket.write(Buffer.alloc(1000)), /TLS/],
    ['an endless stream', endless(), /TLS/],
    ['a dripping record', dripping(), /^Timed out after 700 ms while agreeing on TLS with localhost:\d+$/],
    ['an oversized record', answering(Buffer.concat([Buffer.from('160303ffff', 'hex'), Buffer.alloc(70_000)])), /TLS/],
  ] as const satisfies [string, Parameters<typeof rawServer>[0], RegExp][]
  for (const [what, behaviour, text] of misbehaving)
    it(`is down by its deadline when the server sends ${what}`, async () => {
      const { port } = await rawServer(behaviour)
      const startedAt = performance.now()
      const verdict = await checkOnce(ssl, { url: `localhost:${port}`, timeoutMs: 700 })
      assert.ok(performance.now() - startedAt < 5_000)
      assert.deepEqual([verdict.status, verdict.latencyMs, verdict.details], ['down', null, {}])
      assert.match(verdict.error ?? '', text)
    })

  it('is down when the connection is refused', async () => {
    const port = await freePort()
    assert.equal((await checkOnce(ssl, { url: `127.0.0.1:${port}` })).error, `Connection refused by 127.0.0.1:${port}`)
  })
})

describe('targets and options of kind ssl', () => {
  it('takes a host with or without a port', () => {
    for (const url of ['shop.example', 'shop.example:8443', '[2606:4700::1]', '[2606:4700::1]:8443', '192.0.2.1'])
      assert.equal(
        ssl.targetProblem(url, () => false),
        null,
      )
    for (const url of ['', 'https://shop.example', 'shop.example/path', 'a b', 'shop.example:0', 'shop.example:65536'])
      assert.match(ssl.targetProblem(url, () => false) ?? '', /^Must be a host/)
    assert.match(ssl.targetProblem('127.0.0.1', () => true) ?? '', /private or reserved/)
  })

  it('takes warn_days from 1 to 365', () => {
    for (const value of [1, 14, 365]) assert.equal(ssl.options.safeParse({ warn_days: value }).success, true)
    for (const value of [0, 366, 1.5, '14', null])
      assert.equal(ssl.options.safeParse({ warn_days: value }).success, false)
    assert.equal(ssl.options.safeParse({ days: 1 }).success, false)
  })
})

async function askOlder(port: number, least: string): Promise<unknown[]> {
  const { status, error, details } = await checkOnce(ssl, {
    url: `localhost:${port}`,
    options: { min_protocol: least },
  })
  return [status, error, details['older_protocol']]
}

async function tlsServer(tls: { cert: string; key: string }): Promise<{ port: number; server: Server }> {
  const { createServer } = await import('node:tls')
  const server = createServer(tls, (socket) => socket.on('error', () => {}))
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  return { port: portOf(server), server }
}

async function serve(tls: TlsOptions): Promise<number> {
  return (await httpServer((_, response) => response.end('secret'), { tls })).port
}

function endless(): Parameters<typeof rawServer>[0] {
  return (socket) => {
    const piece = Buffer.alloc(64 * 1024, 0x16)
    const push = (): void => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', push)
    push()
  }
}

/** A record of TLS that says it is long, a byte each 20 ms. */
function dripping(): Parameters<typeof rawServer>[0] {
  return (socket) => {
    const bytes = [0x16, 0x03, 0x03, 0x3f, 0xff, 0x02, 0x00, 0x3f, 0xfb]
    const timer = setInterval(() => socket.write(Buffer.from([bytes.shift() ?? 0x03])), 20)
    socket.once('close', () => clearInterval(timer))
  }
}

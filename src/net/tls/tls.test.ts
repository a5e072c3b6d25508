import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { SecureVersion } from 'node:tls'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { newSight } from '#net/ground/sight.ts'
import { createTraffic, newTrace } from '#net/ground/trace.ts'
import { chainPem, makeCertificate } from '../../../test/support/certificates.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { answerOf, failureOf, get } from '../../../test/support/net.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { handshakeFailure } from './tls-failure.ts'

const dayMs = 86_400_000
const root = makeCertificate({ name: 'Root of Tls Tests', isAuthority: true })
const middle = makeCertificate({ name: 'Test Middle', isAuthority: true, issuer: root })
const oldMiddle = makeCertificate({
  name: 'Old Middle',
  isAuthority: true,
  issuer: root,
  notAfter: new Date(Date.now() - 9 * dayMs),
})
const names = ['localhost', '127.0.0.1']
const good = makeCertificate({ name: 'localhost', names, issuer: middle })

setDefaultCACertificates([...getCACertificates('default'), root.pem])

type Wish = {
  cert: string
  key: string
  maxVersion?: SecureVersion
  requestCert?: boolean
  rejectUnauthorized?: boolean
}

async function serve(wish: Wish): Promise<number> {
  const tls = {
    ...wish,
    ...(wish.maxVersion === undefined ? {} : { minVersion: wish.maxVersion, ciphers: 'ALL:@SECLEVEL=0' }),
  }
  return (await httpServer((_, response) => response.end('secret'), { tls })).port
}

async function textFor(wish: Wish, host = 'localhost'): Promise<string> {
  const port = await serve(wish)
  const { phase, code, message } = failureOf(await get(`https://${host}:${port}/`))
  assert.equal(phase, 'tls')
  return `${code}: ${message.replace(`:${port}`, '')}`
}

describe('an exchange over TLS', () => {
  it('describes protocol, cipher and certificate', async () => {
    const port = await serve({ cert: chainPem(good, middle), key: good.keyPem })
    for (const host of names) {
      const outcome = await get(`https://${host}:${port}/`)
      const { text, tls } = answerOf(outcome)
      assert.equal(text, 'secret')
      assert.equal(tls?.protocol, 'TLSv1.3')
      assert.match(tls.cipher, /^TLS_/)
      const { subject, issuer, names: found, notAfter, fingerprint256 } = tls.certificate ?? {}
      assert.deepEqual([subject, issuer, found], ['localhost', 'Test Middle', names])
      assert.match(notAfter ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      assert.match(fingerprint256 ?? '', /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
      assert.notEqual(outcome.phases.tlsMs, null)
    }
  })

  const named: [host: string, told: string[]][] = [
    ['localhost', ['localhost']],
    ['localhost.', ['localhost']],
    ['127.0.0.1', []],
  ]
  for (const [host, told] of named)
    it(`tells the server ${told.join() || 'no name'} where ${host} is asked, and that it speaks HTTP/1.1`, async () => {
      const [heard, offered]: [string[], string[]] = [[], []]
      const tls: ServerOptions = {
        cert: chainPem(good, middle),
        key: good.keyPem,
        SNICallback: (name, go) => {
          heard.push(name)
          go(null)
        },
        ALPNCallback: ({ protocols }) => {
          offered.push(...protocols)
          return protocols[0]
        },
      }
      const { port } = await httpServer((_, response) => response.end('secret'), { tls })
      assert.equal(answerOf(await get(`https://${host}:${port}/`)).text, 'secret')
      assert.deepEqual([heard, offered], [told, ['http/1.1']])
    })

  it('leaves the certificate of the server as evidence, and no others where it is accepted', async () => {
    const port = await serve({ cert: chainPem(good, middle), key: good.keyPem })
    const [sight, traffic] = [newSight(true), createTraffic()]
    await traffic.during(newTrace(null, null, sight), () =>
      get(`https://localhost:${port}/`, {}, { allowPrivate: 'all', traffic }),
    )
    assert.deepEqual(
      sight.tls?.chain.map(({ subject }) => subject),
      ['localhost'],
    )
  })

  it('works with TLS 1.2 too', async () => {
    const port = await serve({ cert: chainPem(good, middle), key: good.keyPem, maxVersion: 'TLSv1.2' })
    assert.equal(answerOf(await get(`https://localhost:${port}/`)).tls?.protocol, 'TLSv1.2')
  })

  it('follows a redirect from plain HTTP', async () => {
    const port = await serve({ cert: chainPem(good, middle), key: good.keyPem })
    const plain = await httpServer((_, response) =>
      response.writeHead(301, { location: `https://localhost:${port}/` }).end(),
    )
    assert.equal(answerOf(await get(`http://127.0.0.1:${plain.port}/`)).text, 'secret')
  })

  it('reads large bodies whole', async () => {
    const body = Buffer.alloc(3_000_000, 'abc')
    const tls = { cert: chainPem(good, middle), key: good.keyPem }
    const { port } = await httpServer((_, response) => response.end(body), { tls })
    assert.deepEqual(answerOf(await get(`https://localhost:${port}/`, { maxBodyBytes: 4_000_000 })).body, body)
  })
})

describe('a certificate that is not accepted', () => {
  it('is named when it has expired, with its date', async () => {
    const notAfter = new Date(Date.now() - 3.5 * dayMs)
    const expired = makeCertificate({ name: 'localhost', names, issuer: middle, notBefore: new Date(0), notAfter })
    assert.equal(
      await textFor({ cert: chainPem(expired, middle), key: expired.keyPem }),
      `certificate_expired: The certificate of localhost expired on ${notAfter.toISOString().slice(0, 10)} (3 days ago)`,
    )
  })

  it('is named when an issuing certificate has expired', async () => {
    const leaf = makeCertificate({ name: 'localhost', names, issuer: oldMiddle })
    assert.match(
      await textFor({ cert: chainPem(leaf, oldMiddle), key: leaf.keyPem }),
      /^certificate_expired: The issuing certificate "Old Middle" in the chain of localhost expired on [\d-]+ \(9 days ago\)$/,
    )
  })

  it('is named when it is not valid yet', async () => {
    const notBefore = new Date(Date.now() + 2 * dayMs)
    const early = makeCertificate({ name: 'localhost', names, issuer: middle, notBefore })
    assert.equal(
      await textFor({ cert: chainPem(early, middle), key: early.keyPem }),
      `certificate_not_yet_valid: The certificate of localhost becomes valid on ${notBefore.toISOString().slice(0, 10)}`,
    )
  })

  it('is named when it is for other names', async () => {
    const many = Array.from({ length: 7 }, (_, index) => `host${index}.example`)
    const other = makeCertificate({ name: 'host0.example', names: many, issuer: middle })
    const wish = { cert: chainPem(other, middle), key: other.keyPem }
    const listed = 'host0.example, host1.example, host2.example, host3.example, host4.example and 2 more'
    assert.equal(await textFor(wish), `certificate_wrong_name: The certificate is for ${listed}, not for localhost`)
    assert.match(await textFor(wish, '127.0.0.1'), /not for 127\.0\.0\.1$/)
  })

  it('is named when it is self-signed', async () => {
    const own = makeCertificate({ name: 'localhost', names })
    assert.equal(
      await textFor({ cert: own.pem, key: own.keyPem }),
      'certificate_self_signed: The certificate of localhost is self-signed and not trusted',
    )
  })

  it('is named when its root is unknown', async () => {
    const foreignRoot = makeCertificate({ name: 'Foreign Root', isAuthority: true })
    const foreign = makeCertificate({ name: 'localhost', names, issuer: foreignRoot })
    assert.equal(
      await textFor({ cert: chainPem(foreign, foreignRoot), key: foreign.keyPem }),
      'certificate_untrusted: The certificate of localhost is not trusted: its chain ends in a self-signed root that is not known',
    )
  })

  it('is named when the intermediate certificate is not sent', async () => {
    assert.equal(
      await textFor({ cert: good.pem, key: good.keyPem }),
      'certificate_issuer_unknown: The certificate of localhost is not trusted: its issuer "Test Middle" is unknown here, or the server does not send the intermediate certificate',
    )
  })
})

describe('a handshake that fails', () => {
  it('is named when the port speaks plain HTTP', async () => {
    const { port } = await httpServer((_, response) => response.end())
    assert.equal(await textBehind(port), 'not_tls: The port does not speak TLS (localhost)')
  })

  it('is named when the port speaks something else first', async () => {
    const { port } = await rawServer((socket) => void socket.write('220 mail.example ESMTP ready\r\n'))
    assert.equal(await textBehind(port), 'not_tls: The port does not speak TLS (localhost)')
  })

  it('is named when the server closes, resets or says nothing', async () => {
    const closing = await rawServer(answering(''))
    assert.equal(await textBehind(closing.port), 'tls_closed: localhost closed the connection during the TLS handshake')
    const resetting = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    assert.equal(
      await textBehind(resetting.port),
      'tls_closed: localhost closed the connection during the TLS handshake',
    )
    const silent = await rawServer(() => {})
    assert.equal(
      await textBehind(silent.port),
      'timed_out: Timed out after 1000 ms while agreeing on TLS with localhost',
    )
  })

  it('leaves no connection behind when its deadline passes', async () => {
    const closed = Promise.withResolvers<void>()
    const { port } = await rawServer((socket) => {
      socket.resume()
      socket.once('close', () => closed.resolve())
    })
    await get(`https://localhost:${port}/`, { timeoutMs: 500 })
    await closed.promise
  })

  it('is named when only outdated versions are offered', async () => {
    const wish = { cert: chainPem(good, middle), key: good.keyPem, maxVersion: 'TLSv1.1' } as const
    assert.equal(await textFor(wish), 'tls_protocol: localhost offers no TLS version in use today (1.2 or 1.3)')
  })

  it('is named when the server asks for a client certificate', async () => {
    const wish = { cert: chainPem(good, middle), key: good.keyPem, requestCert: true, rejectUnauthorized: true }
    assert.equal(await textFor(wish), 'tls_client_certificate: localhost asks for a TLS client certificate')
    assert.match(await textFor({ ...wish, maxVersion: 'TLSv1.2' }), /^tls_/)
  })

  const codes = [
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'a:1 refused the TLS handshake (handshake failure)'],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'a:1 refused the TLS handshake (handshake failure)'],
    ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'a:1 refused the TLS handshake (unrecognized name)'],
    ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'a:1 refused the TLS handshake (internal error)'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'a:1 asks for a TLS client certificate'],
    ['ERR_SSL_DH_KEY_TOO_SMALL', 'The TLS handshake with a:1 failed (ERR_SSL_DH_KEY_TOO_SMALL)'],
  ] as const
  for (const [code, message] of codes)
    it(`${code} is "${message}"`, () =>
      assert.equal(handshakeFailure(Object.assign(new Error('internals'), { code }), 'a:1').message, message))
})

describe('own certificate authorities', () => {
  it('are taken from NODE_EXTRA_CA_CERTS', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-ca-'))
    after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'root.pem')
    writeFileSync(path, root.pem)
    const port = await serve({ cert: chainPem(good, middle), key: good.keyPem })
    const source = `
      import { get } from './test/support/net.ts'
      const outcome = await get('https://localhost:${port}/')
      console.log(outcome.ok ? outcome.answer.status : outcome.failure.code)`
    const run = async (environment: Record<string, string>): Promise<string> => {
      const options = { env: { ...process.env, ...environment }, cwd: join(import.meta.dirname, '../../..') }
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module-typescript', '-e', source],
        options,
      )
      return stdout.trim()
    }
    assert.equal(await run({ NODE_EXTRA_CA_CERTS: path }), '200')
    assert.equal(await run({}), 'certificate_issuer_unknown')
  })
})

async function textBehind(port: number): Promise<string> {
  const { phase, code, message } = failureOf(await get(`https://localhost:${port}/`, { timeoutMs: 1000 }))
  assert.equal(phase, 'tls')
  return `${code}: ${message.replace(`:${port}`, '')}`
}

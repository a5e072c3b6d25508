import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chainPem, makeCertificate } from '../../../test/support/certificates.ts'
import { checkOnce, configurationOf } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { http } from './http.ts'
import { certificatesProblem } from './pem.ts'
import { ownTls } from './web-kind.ts'

const dayMs = 86_400_000
const root = makeCertificate({ name: 'Own root', isAuthority: true })
const middle = makeCertificate({ name: 'Own middle', isAuthority: true, issuer: root })
const names = ['localhost', '127.0.0.1']
const good = makeCertificate({ name: 'localhost', names, issuer: middle })
const foreign = makeCertificate({
  name: 'localhost',
  names,
  issuer: makeCertificate({ name: 'Other', isAuthority: true }),
})
const expired = makeCertificate({ name: 'localhost', names, issuer: root, notAfter: new Date(Date.now() - 3 * dayMs) })
const misnamed = makeCertificate({ name: 'elsewhere.example', names: ['elsewhere.example'], issuer: root })
const client = makeCertificate({ name: 'Perigee', issuer: root })
const stranger = makeCertificate({ name: 'Stranger' })

type Options = Record<string, unknown>
const trusting: Options = { certificate_authorities: root.pem }
const asClient: Options = { ...trusting, client_certificate: client.keyPem + client.pem }

async function serve(cert: string, key: string, more: Options = {}): Promise<number> {
  const { port } = await httpServer(
    (request, response) => {
      if (request.url === '/away')
        response.writeHead(302, { location: `https://127.0.0.1:${request.socket.localPort}/` })
      response.end('secret')
    },
    { tls: { cert, key, ...more } },
  )
  return port
}

async function errorOf(port: number, options: Options, path = '/'): Promise<string | null> {
  const url = `https://localhost:${port}${path}`
  const { error } = await checkOnce(http, { url, options })
  const run = await checkOnce(transaction, { url, options: { steps: [{}], ...options } })
  assert.equal(run.error, error === null ? null : `Step 1 (GET ${path}): ${error}`)
  return error?.replaceAll(`:${port}`, '') ?? null
}

describe('authorities of a monitor', async () => {
  const own = await serve(chainPem(good, middle), good.keyPem)
  it('are trusted', async () => assert.equal(await errorOf(own, trusting), null))
  it('may be several, in a file with remarks', async () =>
    assert.equal(await errorOf(own, { certificate_authorities: `# ours\n${stranger.pem}\n${root.pem}` }), null))
  it('are trusted by no other monitor', async () => assert.match((await errorOf(own, {})) ?? '', /is not trusted/))

  it('are the only ones that are trusted', async () => {
    const other = await serve(foreign.pem, foreign.keyPem)
    assert.match((await errorOf(other, trusting)) ?? '', /is not trusted/)
  })

  it('make no certificate valid that has expired, or is for another name', async () => {
    const past = await serve(expired.pem, expired.keyPem)
    assert.match((await errorOf(past, trusting)) ?? '', /^The certificate of localhost expired on .* \(3 days ago\)$/)
    const wrong = await serve(misnamed.pem, misnamed.keyPem)
    assert.equal(await errorOf(wrong, trusting), 'The certificate is for elsewhere.example, not for localhost')
  })
})

describe('any certificate', () => {
  for (const [what, { pem, keyPem }] of Object.entries({ foreign, expired, misnamed, stranger }))
    it(`is accepted: ${what}`, async () => {
      const port = await serve(pem, keyPem)
      const options = { accept_any_certificate: true }
      assert.equal(await errorOf(port, options), null)
      const { expiry } = await checkOnce(http, { url: `https://localhost:${port}/`, options })
      assert.ok(expiry?.certificate?.notAfter, 'its end is told')
    })

  it('is accepted of no other host, to which a redirect leads', async () => {
    const port = await serve(stranger.pem, stranger.keyPem)
    assert.match((await errorOf(port, { accept_any_certificate: true }, '/away')) ?? '', /127\.0\.0\.1 is self-signed/)
  })

  it('may still have to be a certain one', async () => {
    const port = await serve(stranger.pem, stranger.keyPem)
    const options = { accept_any_certificate: true, certificate_sha256: 'ab'.repeat(32) }
    const { error } = await checkOnce(http, { url: `https://localhost:${port}/`, options })
    assert.match(error ?? '', /^The certificate is another one/)
  })
})

describe('a client certificate', async () => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const asking = { requestCert: true, ca: root.pem, maxVersion }
    const port = await serve(chainPem(good, middle), good.keyPem, asking)

    it(`lets checks in, by ${maxVersion}`, async () => assert.equal(await errorOf(port, asClient), null))

    it(`is missed where there is none, by ${maxVersion}`, async () =>
      assert.match(
        (await errorOf(port, trusting)) ?? '',
        /asks for a TLS client certificate|refused the TLS handshake/,
      ))

    it(`is refused where it is of another authority, by ${maxVersion}`, async () => {
      const options = { ...trusting, client_certificate: stranger.pem + stranger.keyPem }
      assert.notEqual(await errorOf(port, options), null)
    })

    it(`is shown to no other host, to which a redirect leads, by ${maxVersion}`, async () =>
      assert.notEqual(await errorOf(port, asClient, '/away'), null))
  }

  it('needs no authorities of the monitor', () => {
    const options = { client_certificate: client.keyPem + client.pem }
    for (const [url, host] of [
      ['https://shop.example:8443/', 'shop.example'],
      ['https://[::1]:8443/', '::1'],
    ] as const) {
      const tls = ownTls({ ...configurationOf(http, { url }), options })
      assert.deepEqual(tls, { host, authorities: undefined, client: options.client_certificate, acceptsAny: false })
    }
    assert.equal(ownTls({ ...configurationOf(http, { url: 'https://shop.example/' }), options: {} }), undefined)
  })

  it('is shown to nobody who does not ask', async () => {
    const port = await serve(chainPem(good, middle), good.keyPem)
    assert.equal(await errorOf(port, asClient), null)
  })
})

describe('the certificates of a monitor', () => {
  const locked = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----\n'
  const broken = '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n'
  const begin = '-----BEGIN CERTIFICATE-----'
  const bad: [field: string, what: string, pem: string, message: RegExp][] = [
    ['certificate_authorities', 'no PEM', 'root', /^Must have a certificate in PEM/],
    ['certificate_authorities', 'a broken one', root.pem + broken, /^Certificate 2 of 2 cannot/],
    ['certificate_authorities', 'too many', begin.repeat(51), /at most 50/],
    ['client_certificate', 'one without its end', client.pem.slice(0, 90), /^Certificate 1 of 1/],
    ['client_certificate', 'no key', client.pem, /^Must have the private key too/],
    ['client_certificate', 'a key alone', client.keyPem, /^Must have a certificate in PEM/],
    [
      'client_certificate',
      'a key of another certificate',
      client.pem + good.keyPem,
      /^Must have the private key of its first/,
    ],
    [
      'client_certificate',
      'a key that is none',
      `${client.pem}-----BEGIN PRIVATE KEY-----\n`,
      /^Must have the private key too/,
    ],
    ['client_certificate', 'a key with a passphrase', client.pem + locked, /without a passphrase/],
  ]
  for (const [field, what, pem, message] of bad)
    it(`are refused as ${field}: ${what}`, () => {
      const options = { [field]: pem }
      for (const parsed of [
        http.options.safeParse(options),
        transaction.options.safeParse({ steps: [{}], ...options }),
      ]) {
        const [issue] = parsed.error?.issues ?? []
        assert.equal(issue?.path.join('.'), field)
        assert.match(issue.message, message)
      }
    })

  it('are at most 50', () => {
    assert.equal(certificatesProblem(root.pem.repeat(50)), null)
    assert.equal(certificatesProblem(root.pem.repeat(51)), 'Must have at most 50 certificates.')
  })

  const longest: [field: string, most: number, pem: string][] = [
    ['certificate_authorities', 40_000, root.pem],
    ['client_certificate', 20_000, client.pem + client.keyPem],
  ]
  for (const [field, most, pem] of longest)
    it(`have at most ${most} characters as ${field}`, () => {
      assert.ok(http.options.safeParse({ [field]: pem.padEnd(most, '#') }).success)
      assert.ok(!http.options.safeParse({ [field]: pem.padEnd(most + 1, '#') }).success)
    })

  it('are taken', () => {
    assert.deepEqual(http.options.parse(asClient), asClient)
    assert.deepEqual(http.secretOptions, ['client_certificate', 'sign_in_secret', 'proxy_secret'])
  })
})

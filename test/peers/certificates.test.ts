import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ssl } from '#kinds/ssl/ssl.ts'
import { type Certificate, type CertificateWish, chainPem, makeCertificate } from '../support/certificates.ts'
import { checkOnce } from '../support/check.ts'
import { type NginxServer, startNginx, withoutNginx } from '../support/peers/nginx.ts'

const dayMs = 86_400_000
const names = ['localhost', '127.0.0.1']
const root = makeCertificate({ name: 'Peers Root', isAuthority: true, notAfter: fromNow(3000) })
const middle = makeCertificate({ name: 'Peers Middle', isAuthority: true, issuer: root, notAfter: fromNow(1000) })

const leaves = {
  good: leaf({}),
  expired: leaf({ notBefore: fromNow(-100), notAfter: fromNow(-10.5) }),
  otherName: leaf({ names: ['shop.example', 'www.shop.example'] }),
  selfSigned: makeCertificate({ name: 'localhost', names }),
  ending: leaf({ notBefore: fromNow(-87), notAfter: fromNow(3.5) }),
  short: leaf({ notBefore: fromNow(-3), notAfter: fromNow(3.5) }),
}

const servers = {
  good: { certificate: shown(leaves.good, middle) },
  expired: { certificate: shown(leaves.expired, middle) },
  otherName: { certificate: shown(leaves.otherName, middle) },
  selfSigned: { certificate: shown(leaves.selfSigned) },
  withoutMiddle: { certificate: shown(leaves.good) },
  ending: { certificate: shown(leaves.ending, middle) },
  short: { certificate: shown(leaves.short, middle) },
  tls12: { certificate: shown(leaves.good, middle), protocols: 'TLSv1.2' },
  tls10: { certificate: shown(leaves.good, middle), protocols: 'TLSv1' },
  plain: {},
} as const satisfies Record<string, NginxServer>

describe('ssl against nginx', { skip: withoutNginx }, async () => {
  const trusted = getCACertificates('default')
  before(() => setDefaultCACertificates([...trusted, root.pem]))
  const started = await startNginx(Object.values(servers))
  const ports = new Map(Object.keys(servers).map((name, index) => [name, started[index]]))
  after(() => setDefaultCACertificates(trusted))

  const cases: [keyof typeof servers, string | null, Record<string, unknown>][] = [
    ['good', null, { issuer: 'Peers Middle', subject: 'localhost', protocol: 'TLSv1.3', days_left: 90 }],
    ['tls12', null, { protocol: 'TLSv1.2' }],
    ['short', null, { days_left: 3 }],
    ['expired', `The certificate of localhost expired on ${day(-10.5)} (10 days ago)`, { days_left: -10 }],
    [
      'otherName',
      'The certificate is for shop.example, www.shop.example, not for localhost',
      { names: ['shop.example', 'www.shop.example'] },
    ],
    ['selfSigned', 'The certificate of localhost is self-signed and not trusted', { issuer: 'localhost' }],
    [
      'withoutMiddle',
      'The certificate of localhost is not trusted: its issuer "Peers Middle" is unknown here, or the server does not send the intermediate certificate',
      { issuer: 'Peers Middle' },
    ],
    ['ending', `The certificate of localhost expires in 3 days (on ${day(3.5)})`, { days_left: 3 }],
    ['tls10', 'localhost offers no TLS version in use today (1.2 or 1.3)', {}],
    ['plain', 'The port does not speak TLS (localhost)', {}],
  ]
  for (const [name, error, details] of cases)
    it(`${name}: ${error ?? 'up'}`, async () => {
      const port = ports.get(name)
      const verdict = await checkOnce(ssl, { url: `localhost:${port}` })
      assert.deepEqual(
        [verdict.status, verdict.error?.replace(`:${port}`, '') ?? null],
        [error === null ? 'up' : 'down', error],
      )
      const seen = Object.keys(details).map((key) => [key, verdict.details[key]])
      assert.deepEqual(Object.fromEntries(seen), details)
    })

  it('shows the chain up to the root that is trusted here', async () => {
    const { details } = await checkOnce(ssl, { url: `localhost:${ports.get('good')}` })
    const chain: unknown = details['chain']
    assert.ok(Array.isArray(chain))
    assert.deepEqual(
      chain.map((link: { subject: string; issuer: string }) => `${link.subject} < ${link.issuer}`),
      ['localhost < Peers Middle', 'Peers Middle < Peers Root', 'Peers Root < Peers Root'],
    )
  })

  it('is told the truth by the server that only speaks TLS 1.0', async () => {
    const socket = connect({
      host: '127.0.0.1',
      port: ports.get('tls10') ?? 0,
      minVersion: 'TLSv1',
      ciphers: 'ALL:@SECLEVEL=0',
      rejectUnauthorized: false,
    })
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
    assert.equal(socket.getProtocol(), 'TLSv1')
    socket.destroy()
  })
})

function leaf(wish: Partial<CertificateWish>): Certificate {
  return makeCertificate({ name: 'localhost', names, issuer: middle, ...wish })
}

function shown(first: Certificate, ...rest: Certificate[]): { pem: string; keyPem: string } {
  return { pem: chainPem(first, ...rest), keyPem: first.keyPem }
}

function fromNow(days: number): Date {
  return new Date(Date.now() + days * dayMs)
}

function day(days: number): string {
  return fromNow(days).toISOString().slice(0, 10)
}

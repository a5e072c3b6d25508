import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { ssl } from '#kinds/ssl/ssl.ts'
import { chainPem, makeCertificate } from '../support/certificates.ts'
import { checkOnce } from '../support/check.ts'
import { scratchFolder, skipReason } from '../support/peers/daemon.ts'
import { startNginx } from '../support/peers/nginx.ts'
import { opensslOcsp } from '../support/peers/openssl-ocsp.ts'

// What nginx agrees to and staples, beside what openssl s_client finds.

const skip = skipReason(['nginx', 'openssl'])
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)
const names = ['localhost']

/** What openssl prints of a handshake. */
function client(port: number, ...words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const own = ['s_client', '-connect', `localhost:${port}`, '-servername', 'localhost', ...words]
    const child = execFile('openssl', own, { timeout: 10_000 }, (_, stdout, stderr) => resolve(stdout + stderr))
    child.stdin?.end()
  })
}

function stapled(file: string): string {
  return `ssl_stapling on; ssl_stapling_file ${file};`
}

function check(port: number, options: object): Promise<Verdict> {
  return checkOnce(ssl, { url: `localhost:${port}`, options: { ...options } })
}

describe('parameters of TLS at nginx', { skip }, async () => {
  const root = makeCertificate({ name: 'Parameters Root', isAuthority: true, notAfter: inDays(3000) })
  const middle = makeCertificate({ name: 'Parameters Middle', isAuthority: true, issuer: root, notAfter: inDays(20.5) })
  const [leaf, bad, rsa] = [{}, {}, { rsaBits: 2048 }].map((wish) =>
    makeCertificate({ name: 'localhost', names, issuer: middle, ...wish }),
  )
  assert.ok(leaf !== undefined && bad !== undefined && rsa !== undefined)
  setDefaultCACertificates([...getCACertificates('default'), root.pem])
  const folder = scratchFolder('ocsp')
  const good = opensslOcsp(folder, { of: leaf, issuer: middle })
  const revoked = opensslOcsp(folder, { of: bad, issuer: middle, revokedAt: new Date('2026-02-03T04:05:06Z') })
  const shown = (of: typeof leaf): { pem: string; keyPem: string } => ({
    pem: chainPem(of, middle),
    keyPem: of.keyPem,
  })
  const [plain = 0, fine = 0, gone = 0, foreign = 0, old = 0, modern = 0, noSecrecy = 0, noAead = 0] = await startNginx(
    [
      { certificate: shown(leaf) },
      { certificate: shown(leaf), directives: stapled(good) },
      { certificate: shown(bad), directives: stapled(revoked) },
      { certificate: shown(bad), directives: stapled(good) },
      {
        certificate: shown(leaf),
        protocols: 'TLSv1 TLSv1.1 TLSv1.2 TLSv1.3',
        ciphers: 'DEFAULT:@SECLEVEL=0',
      },
      { certificate: shown(leaf), protocols: 'TLSv1.3' },
      { certificate: shown(rsa), protocols: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' },
      { certificate: shown(rsa), protocols: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES256-SHA384' },
    ],
  )

  it('are a good certificate by the word of OpenSSL, as s_client reads it', async () => {
    const { status, error, details } = await check(fine, { stapled_ocsp: 'required' })
    assert.deepEqual([status, error], ['up', null])
    assert.ok(JSON.stringify(details['ocsp']).startsWith('{"status":"good"'))
    assert.match(await client(fine, '-status'), /Cert Status: good/)
  })

  it('are one that was revoked', async () => {
    const { error } = await check(gone, { stapled_ocsp: 'checked' })
    assert.equal(error, 'The certificate of localhost was revoked by its issuer on 2026-02-03 (OCSP)')
    assert.match(await client(gone, '-status'), /Cert Status: revoked/)
  })

  it('are the word for another certificate', async () => {
    const { error } = await check(foreign, { stapled_ocsp: 'checked' })
    assert.equal(error, 'The stapled OCSP response is about another certificate')
  })

  it('are no word at all', async () => {
    assert.equal((await check(plain, { stapled_ocsp: 'checked' })).status, 'up')
    const { error } = await check(plain, { stapled_ocsp: 'required' })
    assert.equal(error, 'localhost sends no stapled OCSP response')
    assert.match(await client(plain, '-status'), /OCSP response: no response sent/)
  })

  it('are versions that are too old', async () => {
    const { error } = await check(old, { min_protocol: 'TLSv1.2' })
    assert.equal(error, 'localhost agrees to TLSv1.1, which is older than TLSv1.2')
    assert.match(await client(old, '-tls1_1', '-cipher', 'DEFAULT:@SECLEVEL=0'), /Protocol {2}: TLSv1\.1/)
    const fit = await check(plain, { min_protocol: 'TLSv1.2' })
    assert.deepEqual([fit.status, fit.details['older_protocol']], ['up', null])
    assert.equal((await check(modern, { min_protocol: 'TLSv1.3' })).status, 'up')
  })

  it('are weak ciphers', async () => {
    const secrecy = await check(noSecrecy, { weak_parameters: 'degraded' })
    assert.deepEqual(
      [secrecy.status, secrecy.error],
      ['degraded', 'Weak: the cipher AES128-GCM-SHA256 gives no forward secrecy'],
    )
    const aead = await check(noAead, { weak_parameters: 'down' })
    const text = 'Weak: the cipher ECDHE-RSA-AES256-SHA384 does not authenticate what it encrypts (no AEAD)'
    assert.deepEqual([aead.status, aead.error], ['down', text])
    assert.equal((await check(plain, { weak_parameters: 'down' })).status, 'up')
  })

  it('are an issuing certificate that is about to end', async () => {
    const { status, error } = await check(plain, { chain_warn_days: 21 })
    assert.equal(status, 'degraded')
    assert.match(error ?? '', /^The issuing certificate Parameters Middle expires in 2[01] days \(on /)
    assert.equal((await check(plain, { chain_warn_days: 20 })).status, 'up')
  })
})

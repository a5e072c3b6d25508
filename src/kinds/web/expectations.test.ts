import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { api } from './api.ts'
import { http } from './http.ts'

const page = 'Welcome to the shop. '.repeat(5000)

function sha256(body: string): string {
  return createHash('sha256').update(body).digest('hex')
}

function found(text: string): string {
  return `Keyword "${text}" found in the answer`
}

describe('what http expects of an answer', async () => {
  const { port } = await httpServer((request, response) => {
    response.setHeader('Cache-Control', ['no-store', 'private'])
    if (request.url === '/zip') return void response.setHeader('content-encoding', 'gzip').end(gzipSync(page))
    if (request.url === '/moved') return void response.writeHead(301, { location: '/home?a=1#top' }).end()
    if (request.url === '/latin')
      return void response.setHeader('content-type', 'text/html; charset=latin1').end(Buffer.from('Störung', 'latin1'))
    if (request.url === '/large') return void response.end('x'.repeat(3 * 1024 * 1024))
    if (request.url === '/late') return void response.end(`${page}Fatal error`)
    response.end(page)
  })
  const origin = `http://127.0.0.1:${port}`

  const cases: [what: string, path: string, options: Record<string, unknown>, error: string | null][] = [
    ['no text that must not be there', '/', { absent_keyword: 'Fatal error' }, null],
    ['a text that must not be there, at the end', '/late', { absent_keyword: 'Fatal error' }, found('Fatal error')],
    ['such a text in a compressed body', '/zip', { absent_keyword: 'shop' }, found('shop')],
    ['such a text in another charset', '/latin', { absent_keyword: 'Störung' }, found('Störung')],
    ['such a text beyond 2 MiB', '/large', { absent_keyword: 'y' }, null],
    ['a header', '/', { expected_headers: [{ name: 'CACHE-CONTROL', match: 'contains', value: 'no-store' }] }, null],
    ['repeated headers', '/', { expected_headers: [{ name: 'cache-control', value: 'no-store, private' }] }, null],
    [
      'a header that is missing',
      '/',
      { expected_headers: [{ name: 'etag', match: 'present' }] },
      'Header etag is missing',
    ],
    ['the end of a redirect', '/moved', { final_url: `${origin}/home?a=1#top` }, null],
    [
      'another end of a redirect',
      '/moved',
      { final_url: `${origin}/` },
      `The answer came from ${origin}/home?a=1, expected ${origin}/`,
    ],
    ['no redirect', '/', { final_url: `${origin}/` }, null],
    ['the body', '/', { body_sha256: sha256(page) }, null],
    ['the body, compressed on the way', '/zip', { body_sha256: sha256(page) }, null],
    [
      'another body',
      '/late',
      { body_sha256: sha256(page) },
      `The body is another one: its SHA-256 is ${sha256(`${page}Fatal error`)}`,
    ],
    [
      'a body over 2 MiB',
      '/large',
      { body_sha256: sha256(page) },
      'The answer is longer than 2 MiB, too long to be compared with the expected body',
    ],
  ]
  for (const [what, path, options, error] of cases)
    for (const kind of [http, api])
      it(`${what}, as ${kind.name}: ${error === null ? 'up' : 'down'}`, async () => {
        const verdict = await checkOnce(kind, { url: `${origin}${path}`, options })
        assert.deepEqual([verdict.error, verdict.status], [error, error === null ? 'up' : 'down'])
      })

  it('looks for both texts, also where one of them comes first', async () => {
    const options = { absent_keyword: 'Fatal error' }
    const url = `${origin}/late`
    assert.equal((await checkOnce(http, { url, keyword: 'Welcome', options })).error, found('Fatal error'))
    assert.match((await checkOnce(http, { url, keyword: 'Goodbye', options })).error ?? '', /^Keyword "Goodbye" not/)
    const other = { absent_keyword: 'Goodbye', body_sha256: sha256(`${page}Fatal error`) }
    assert.equal((await checkOnce(http, { url, keyword: 'Welcome', options: other })).error, null)
  })

  it('reads the body although headers alone are asked for', async () => {
    const options = { headers_only: true, absent_keyword: 'shop' }
    assert.equal((await checkOnce(http, { url: `${origin}/`, options })).error, found('shop'))
  })

  it('is expected of steps too, each for itself', async () => {
    const steps = [
      { url: '/', absent_keyword: 'Fatal' },
      { url: '/late', absent_keyword: 'Fatal error' },
    ]
    const { error } = await checkOnce(transaction, { url: `${origin}/`, options: { steps } })
    assert.equal(error, `Step 2 (GET /late): ${found('Fatal error')}`)
  })
})

describe('the version of IP', async () => {
  const four = await httpServer((_, response) => response.end('four'), { host: '127.0.0.1' })
  const six = await httpServer((_, response) => response.end('six'), { host: '::1' })
  const cases: [url: string, version: string, error: string | null][] = [
    [`http://localhost:${four.port}/`, 'ipv4', null],
    [`http://[::1]:${six.port}/`, 'ipv6', null],
    [`http://localhost:${six.port}/`, 'ipv4', `Connection refused by localhost:${six.port}`],
    [`http://[::1]:${six.port}/`, 'ipv4', '::1 is no IPv4 address'],
    [`http://127.0.0.1:${four.port}/`, 'ipv6', '127.0.0.1 is no IPv6 address'],
  ]
  for (const [url, version, error] of cases)
    it(`${version} alone is used for ${url}`, async () => {
      assert.equal((await checkOnce(http, { url, options: { ip_version: version } })).error, error)
      const steps = { steps: [{}], ip_version: version }
      const run = await checkOnce(transaction, { url, options: steps })
      assert.equal(run.error, error === null ? null : `Step 1 (GET /): ${error}`)
    })
})

describe('the certificate that http expects', async () => {
  const root = makeCertificate({ name: 'Test root', isAuthority: true })
  setDefaultCACertificates([root.pem])
  const leaf = makeCertificate({ name: 'localhost', names: ['localhost'], issuer: root })
  const { fingerprint256 } = new X509Certificate(leaf.pem)
  const { port } = await httpServer((_, response) => response.end(), { tls: { cert: leaf.pem, key: leaf.keyPem } })
  const url = `https://localhost:${port}/`

  it('is the one with its fingerprint', async () => {
    assert.equal((await checkOnce(http, { url, options: { certificate_sha256: fingerprint256 } })).error, null)
  })

  it('is no other one, though it may be trusted', async () => {
    const { error } = await checkOnce(http, { url, options: { certificate_sha256: 'ab'.repeat(32) } })
    const digits = fingerprint256.replaceAll(':', '').toLowerCase()
    assert.equal(error, `The certificate is another one: its SHA-256 fingerprint is ${digits}`)
  })
})

describe('the expectations of an answer', () => {
  const good = [
    { absent_keyword: 'x'.repeat(2000) },
    { expected_headers: [] },
    { expected_headers: Array.from({ length: 10 }, () => ({ name: 'a', match: 'present' })) },
    { expected_headers: [{ name: 'a', value: '' }] },
    { final_url: 'https://example.com/a?b#c' },
    { body_sha256: 'aB'.repeat(32) },
    { certificate_sha256: 'aB'.repeat(32) },
    { certificate_sha256: Array.from({ length: 32 }, () => 'AB').join(':') },
  ]
  const bad: [options: Record<string, unknown>, path: string][] = [
    [{ absent_keyword: '' }, 'absent_keyword'],
    [{ absent_keyword: 'x'.repeat(2001) }, 'absent_keyword'],
    [{ absent_keyword: null }, 'absent_keyword'],
    [{ expected_headers: Array.from({ length: 11 }, () => ({ name: 'a', match: 'present' })) }, 'expected_headers'],
    [{ expected_headers: [{ name: 'a b', match: 'present' }] }, 'expected_headers.0.name'],
    [{ expected_headers: [{ match: 'present' }] }, 'expected_headers.0.name'],
    [{ expected_headers: [{ name: 'a' }] }, 'expected_headers.0.value'],
    [{ expected_headers: [{ name: 'a', match: 'contains' }] }, 'expected_headers.0.value'],
    [{ expected_headers: [{ name: 'a', match: 'absent', value: 'b' }] }, 'expected_headers.0.value'],
    [{ expected_headers: [{ name: 'a', match: 'like', value: 'b' }] }, 'expected_headers.0.match'],
    [{ expected_headers: [{ name: 'a', value: 'x'.repeat(1001) }] }, 'expected_headers.0.value'],
    [{ final_url: '/login' }, 'final_url'],
    [{ final_url: 'ftp://example.com/' }, 'final_url'],
    [{ final_url: 'https://a:b@example.com/' }, 'final_url'],
    [{ body_sha256: 'ab'.repeat(31) }, 'body_sha256'],
    [{ body_sha256: 'AB:'.repeat(31) + 'AB' }, 'body_sha256'],
    [{ certificate_sha256: 'ag'.repeat(32) }, 'certificate_sha256'],
    [{ ip_version: 6 }, 'ip_version'],
  ]
  for (const kind of [http, api]) {
    for (const options of good)
      it(`${kind.name} takes ${JSON.stringify(options).slice(0, 60)}`, () =>
        assert.deepEqual(kind.options.parse(options), options))
    for (const [options, path] of bad)
      it(`${kind.name} refuses ${JSON.stringify(options).slice(0, 60)} at ${path}`, () =>
        assert.equal(kind.options.safeParse(options).error?.issues[0]?.path.join('.'), path))
  }
})

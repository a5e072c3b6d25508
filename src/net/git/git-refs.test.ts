import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { chainPem } from '../../../test/support/certificates.ts'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { gitRoot, gitServer, lacksGit } from '../../../test/support/git-server.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { timed } from '../../../test/support/timed.ts'
import { createNet } from '#net/create-net.ts'
import type { GitRefsOutcome, GitRefsRequest } from './git-refs.ts'
import { flushPacket, writePacket } from './git-packets.ts'

const advertisement = 'application/x-git-upload-pack-advertisement'
const main = '1'.repeat(40)

function ask(url: string, wishes: Partial<GitRefsRequest> = {}, net = openNet): Promise<GitRefsOutcome> {
  const request = { url: new URL(url), credentials: null, prefixes: ['refs/heads/', 'refs/tags/'], timeoutMs: 1000 }
  return timed(() => net.git.refs({ ...request, ...wishes }, AbortSignal.timeout(wishes.timeoutMs ?? 10_000)))
}

async function namesOf(asked: Promise<GitRefsOutcome>): Promise<[names: string[], head: string | null]> {
  const outcome = await asked
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return [Array.from(outcome.refs.objects.keys()).toSorted(), outcome.refs.head]
}

describe('the names of a repository', { skip: lacksGit }, async () => {
  const root = gitRoot()
  const files = { 'package.json': '{}' }
  root.make('shop.git', { branches: { main: files, 'fix/a': files }, tags: { v1: 'main' } })
  root.make('empty.git', { branches: {}, head: 'trunk' })
  root.make('long.git', { branches: { main: files }, format: 'sha256' })
  root.make('secret.git', { branches: { main: files } })
  const secrets = { 'secret.git': 'user:open sesame' }
  const server = await gitServer(root, { secrets })
  const old = await gitServer(root, { isOld: true })
  const all = ['HEAD', 'refs/heads/fix/a', 'refs/heads/main', 'refs/tags/v1']

  it('are told by git', async () => {
    const outcome = await ask(`${server.url}/shop.git`)
    assert.ok(outcome.ok)
    assert.equal(outcome.refs.objects.get('refs/heads/main'), root.git('shop.git', 'rev-parse', 'main'))
    assert.equal(outcome.refs.objects.get('refs/tags/v1'), root.git('shop.git', 'rev-parse', 'v1'))
    assert.deepEqual([outcome.status, outcome.address, outcome.tls], [200, '127.0.0.1', null])
    assert.deepEqual(await namesOf(ask(`${server.url}/shop.git`)), [all, 'refs/heads/main'])
  })

  it('are told by servers of before protocol 2', async () =>
    assert.deepEqual(await namesOf(ask(`${old.url}/shop.git`)), [all, 'refs/heads/main']))

  it('are only those asked for', async () =>
    assert.deepEqual(await namesOf(ask(`${server.url}/shop.git`, { prefixes: ['refs/heads/fix'] })), [
      ['HEAD', 'refs/heads/fix/a'],
      'refs/heads/main',
    ]))

  it('are none in an empty repository', async () => {
    assert.deepEqual(await namesOf(ask(`${server.url}/empty.git`)), [[], 'refs/heads/trunk'])
    assert.deepEqual(await namesOf(ask(`${old.url}/empty.git`)), [[], null])
  })

  it('are told of SHA-256 too', async () => {
    const outcome = await ask(`${server.url}/long.git`)
    assert.ok(outcome.ok)
    assert.equal(outcome.refs.objects.get('refs/heads/main')?.length, 64)
  })

  it('are told to a caller with the password', async () => {
    const url = `${server.url}/secret.git`
    const right = { credentials: { user: 'user', password: 'open sesame' } }
    assert.equal((await namesOf(ask(url, right)))[1], 'refs/heads/main')
    for (const credentials of [null, { user: 'user', password: 'wrong' }]) {
      const outcome = await ask(url, { credentials })
      assert.deepEqual([failureOf(outcome).code, outcome.status], ['git_status', 401])
    }
  })

  it('are asked for with .git where the server wants that', async () => {
    const gitlab = await gitServer(root, {
      instead: ({ url = '' }, response) => {
        if (url.includes('.git/')) return false
        response.writeHead(301, { location: url.replace('/info/', '.git/info/') }).end()
        return true
      },
    })
    const outcome = await ask(`${gitlab.url}/shop`)
    assert.ok(outcome.ok)
    assert.equal(outcome.url.href, `${gitlab.url}/shop.git`)
  })
})

describe('a server without names', async () => {
  const { root, good, expired, wrongName, selfSigned } = testCertificates()
  setDefaultCACertificates([root.pem])
  const answers: Record<string, [status: number, headers: Record<string, string>, body: string]> = {
    '/page': [200, { 'content-type': 'text/html' }, '<h1>Welcome</h1>'],
    '/dumb': [200, { 'content-type': 'text/plain' }, `${main}\trefs/heads/main\n`],
    '/garbled': [200, { 'content-type': advertisement }, 'x'.repeat(1000)],
    '/half': [200, { 'content-type': advertisement }, `${writePacket('# service=git-upload-pack')}0000ffff`],
    '/none': [200, { 'content-type': advertisement }, ''],
    '/error': [200, { 'content-type': advertisement }, writePacket('ERR access denied\u0007')],
    '/long': [200, { 'content-type': advertisement }, writePacket(`${main} refs/heads/a`).repeat(200_000)],
    '/old': [
      200,
      { 'content-type': advertisement },
      [writePacket('version 2'), writePacket('fetch=shallow'), flushPacket].join(''),
    ],
    '/mute': [
      200,
      { 'content-type': advertisement },
      [writePacket('version 2'), writePacket('ls-refs'), flushPacket].join(''),
    ],
    '/missing': [404, {}, ''],
    '/broken': [503, {}, ''],
    '/renamed': [301, { location: '/example/store/info/refs?service=git-upload-pack' }, ''],
    '/away': [302, { location: 'https://user:pw@other.example/shop.git/info/refs' }, ''],
    '/sign-in': [302, { location: '/users/sign_in' }, ''],
    '/loop': [301, { location: '/loop.git/info/refs?service=git-upload-pack' }, ''],
    '/loop.git': [301, { location: '/loop.git.git/info/refs?service=git-upload-pack' }, ''],
    '/odd': [301, { location: 'https://[' }, ''],
    '/nowhere': [304, {}, ''],
  }
  const { port } = await httpServer(({ url = '', method }, response) => {
    const [status, headers, body] = answers[url.replace(/\/(?:info\/refs|git-upload-pack).*$/, '')] ?? [500, {}, '']
    response.writeHead(method === 'POST' ? 200 : status, headers).end(body)
  })
  const url = `http://127.0.0.1:${port}`

  const failures: [path: string, code: string, text: RegExp][] = [
    ['/page', 'not_git', /^Not a git repository/],
    ['/dumb', 'not_git', /smart protocol/],
    ['/garbled', 'not_git', /^Not a git repository/],
    ['/half', 'not_git', /^Not a git repository/],
    ['/none', 'not_git', /^Not a git repository/],
    ['/old', 'not_git', /^Not a git repository/],
    ['/mute', 'not_git', /^Not a git repository/],
    ['/error', 'git_refused', /^The git server refused: access denied\?$/],
    ['/long', 'git_too_long', /longer than 8 MiB/],
    ['/missing', 'git_status', /HTTP status 404/],
    ['/broken', 'git_status', /HTTP status 503/],
    ['/nowhere', 'git_status', /HTTP status 304/],
    [
      '/renamed',
      'git_redirect',
      /has moved: a redirect \(HTTP status 301\) leads to http:\/\/127\.0\.0\.1:\d+\/example\/store, /,
    ],
    ['/away', 'git_redirect', /leads to https:\/\/other\.example\/shop\.git, the address to use$/],
    ['/sign-in', 'git_redirect', /or a private one: a redirect \(HTTP status 302\) leads to "\/users\/sign_in"/],
    ['/loop', 'git_redirect', /^Redirect loop/],
    ['/odd', 'git_redirect', /leads to "https:\/\/\["/],
  ]
  for (const [path, code, text] of failures)
    it(`says why: ${path.slice(1)}`, async () => {
      const failure = failureOf(
        await ask(url + path, { credentials: { user: 'u', password: 'secret-9' }, timeoutMs: 10_000 }),
      )
      assert.equal(failure.code, code)
      assert.match(failure.message, text)
      assert.doesNotMatch(failure.message, /secret-9|pw/)
    })

  it('is told apart from one that is not there', async () => {
    assert.match(failureOf(await ask(`http://127.0.0.1:${await freePort()}/a/b`)).message, /^Connection refused/)
    const silent = await rawServer(() => {})
    const late = await ask(`http://127.0.0.1:${silent.port}/a/b`, { timeoutMs: 300 })
    assert.equal(failureOf(late).message, 'Timed out after 300 ms while waiting for the answer')
    assert.deepEqual([late.status, late.phases.tlsMs], [null, null])
  })

  it('is told apart from one whose certificate is bad', async () => {
    for (const [certificate, code] of [
      [expired, 'certificate_expired'],
      [wrongName, 'certificate_wrong_name'],
      [selfSigned, 'certificate_self_signed'],
      [good, 'git_status'],
    ] as const) {
      const secure = await httpServer((_, response) => response.writeHead(404).end(), {
        tls: { cert: chainPem(certificate), key: certificate.keyPem },
      })
      assert.equal(failureOf(await ask(`https://localhost:${secure.port}/a/b`, { timeoutMs: 10_000 })).code, code)
    }
  })

  it('is not asked where it must not be', async () => {
    const dns = await dnsServer((name) => ({ addresses: [name === 'public.test' ? '192.0.2.1' : '127.0.0.1'] }))
    const strict = createNet({ allowPrivate: 'none', dnsServers: [dns.address] })
    const lenient = createNet({ allowPrivate: 'all', dnsServers: [dns.address] })
    const asked = async (host: string, net = strict): Promise<string> =>
      failureOf(await ask(`${host}:${port}/missing`, { timeoutMs: 10_000 }, net)).message
    assert.match(await asked('https://127.0.0.1'), /^127\.0\.0\.1 is a private or reserved address/)
    assert.match(await asked('https://private.test'), /^private\.test leads to 127\.0\.0\.1, a private/)
    assert.match(await asked('http://127.0.0.1'), /^http:\/\/ is only for private addresses.*: use https:\/\/$/)
    assert.match(await asked('http://private.test', lenient), /HTTP status 404/)
    // 192.0.2.1 is reserved, so it counts as private here; a public address is one that any host on the internet may
    // have.
    assert.match(await asked('http://8.8.8.8', lenient), /which 8\.8\.8\.8 is not: use https/)
  })
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { createNet } from '#net/create-net.ts'
import { MissingMeans } from '#net/dial/own-trouble.ts'
import { chainPem } from '../../../test/support/certificates.ts'
import { checkOnce } from '../../../test/support/check.ts'
import { answerPack, hugeBlobHead, packHead, storedBlock, zlibHead } from '../../../test/support/git-pack.ts'
import { type Files, gitRoot, gitServer, lacksGit } from '../../../test/support/git-server.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { judgeRepository, type RepositoryObservation } from './repository-judge.ts'
import { repository } from './repository.ts'

const figures = { latencyMs: 12, phases: noPhases, status: 200 }
const commit = '1'.repeat(40)
const revision = { type: 'branch', name: 'main', object: commit, folder: '' } as const

describe('what is seen of a repository', () => {
  const seen: [what: string, observation: RepositoryObservation, expected: Partial<Verdict>][] = [
    [
      'manifests',
      { ...figures, type: 'read', revision, listing: { type: 'files', found: 2, manifests: 2, files: ['a', 'b'] } },
      {
        status: 'up',
        error: null,
        latencyMs: 12,
        statusCode: 200,
        details: { branch: 'main', commit, manifests: 2, files: ['a', 'b'] },
      },
    ],
    [
      'more manifests than are read',
      { ...figures, type: 'read', revision, listing: { type: 'files', found: 203, manifests: 200, files: ['a'] } },
      {
        status: 'up',
        details: {
          branch: 'main',
          commit,
          manifests: 200,
          files: ['a'],
          note: '3 more are left out: at most 200 are read',
        },
      },
    ],
    [
      'no manifest below a folder of a tag',
      {
        ...figures,
        type: 'read',
        revision: { ...revision, type: 'tag', name: 'v1', folder: 'web' },
        listing: { type: 'files', found: 0, manifests: 0, files: [] },
      },
      {
        status: 'up',
        error: null,
        details: { tag: 'v1', commit, folder: 'web', manifests: 0, note: 'No dependency manifest was found' },
      },
    ],
    [
      'no such folder',
      { ...figures, type: 'read', revision: { ...revision, folder: 'web' }, listing: { type: 'no folder' } },
      { status: 'down', error: 'Folder "web" not found on branch "main"' },
    ],
    [
      'too many files',
      { ...figures, type: 'read', revision, listing: { type: 'unlisted', problem: 'Too much' } },
      {
        status: 'degraded',
        error: 'The repository can be reached, but its manifests cannot be listed: Too much',
        details: { branch: 'main', commit },
      },
    ],
    [
      'files that do not come',
      { ...figures, type: 'read', revision, listing: { type: 'failed', problem: 'Timed out' } },
      { status: 'down', error: 'Timed out' },
    ],
    [
      'nothing in it',
      { ...figures, type: 'empty' },
      { status: 'up', error: null, details: { manifests: 0, note: 'The repository is empty' } },
    ],
    [
      'no such branch',
      { ...figures, type: 'unknown branch', wanted: 'a/b' },
      { status: 'down', error: 'Branch not found: no branch and no tag fits "a/b"' },
    ],
    [
      'no default branch',
      { ...figures, type: 'unknown branch', wanted: '' },
      { status: 'down', error: 'Default branch not found: name a branch in the address, as in /tree/main' },
    ],
    [
      'nothing at all',
      { ...figures, status: null, type: 'unreached', problem: 'Connection refused' },
      { status: 'down', error: 'Connection refused', latencyMs: null, statusCode: null, details: {} },
    ],
  ]
  for (const [what, observation, expected] of seen)
    it(`${what} is ${expected.status}`, () => {
      const verdict = judgeRepository(observation, { options: {} })
      assert.deepEqual({ ...verdict, ...expected }, verdict)
    })

  const statuses: [status: number, without: RegExp, withToken: RegExp][] = [
    [
      401,
      /not found, or private: a private one needs check_options\.token \(HTTP status 401\)$/,
      /check_options\.token was refused \(HTTP/,
    ],
    [
      403,
      /was refused: a private one needs check_options\.token \(HTTP status 403\)$/,
      /check_options\.token may not read this/,
    ],
    [
      404,
      /not found, or private: a private one needs check_options\.token \(HTTP status 404\)$/,
      /not found, or the token in check_options\.token/,
    ],
    [429, /got too many requests/, /got too many requests/],
    [503, /^The server answered with HTTP status 503$/, /^The server answered with HTTP status 503$/],
  ]
  for (const [status, without, withToken] of statuses)
    it(`the status ${status} is down, and says what to do about it`, () => {
      const observation: RepositoryObservation = { ...figures, status, type: 'refused' }
      for (const [options, text] of [
        [{}, without],
        [{ token: 't' }, withToken],
      ] as const) {
        const verdict = judgeRepository(observation, { options })
        assert.deepEqual([verdict.status, verdict.statusCode, verdict.latencyMs], ['down', status, null])
        assert.match(verdict.error ?? '', text)
      }
    })
})

describe('a check of a repository', { skip: lacksGit }, async () => {
  const root = gitRoot()
  const files: Files = {
    'package.json': '{}',
    'apps/web/go.mod': 'module web',
    'vendor/a/go.mod': 'module a',
    'README.md': '# Shop',
  }
  const branches = { main: files, 'release/2026/apps': { 'Cargo.lock': '' } }
  root.make('shop.git', { branches, tags: { v1: 'main' } })
  root.make('secret.git', { branches: { main: files } })
  root.make('empty.git', { branches: {} })
  root.make('bare.git', { branches: { main: { 'README.md': '' } } })
  root.make('headless.git', { branches: { trunk: files }, head: 'gone' })
  const server = await gitServer(root, { secrets: { 'secret.git': 'oauth2:glpat-right' } })
  const patient = { timeoutMs: 60_000 }
  const look = (path: string, wishes: Partial<Parameters<typeof checkOnce>[1]> = {}): Promise<Verdict> =>
    checkOnce(repository, { ...patient, ...wishes, url: path.includes('://') ? path : `${server.url}/${path}` })

  it('is up with its manifests', async () => {
    const verdict = await look('shop.git')
    const { status, statusCode, error, details, phases } = verdict
    assert.deepEqual([status, statusCode, error], ['up', 200, null])
    assert.deepEqual(details, {
      branch: 'main',
      commit: root.git('shop.git', 'rev-parse', 'main'),
      manifests: 2,
      files: ['package.json', 'apps/web/go.mod'],
    })
    assert.ok(phases.ttfbMs !== null && phases.tlsMs === null && verdict.latencyMs !== null)
  })

  const ups: [path: string, details: Record<string, unknown>][] = [
    ['shop.git/tree/main/apps', { branch: 'main', folder: 'apps', manifests: 1, files: ['web/go.mod'] }],
    ['shop.git/tree/main/vendor', { branch: 'main', folder: 'vendor', manifests: 1, files: ['a/go.mod'] }],
    ['shop.git/-/tree/v1/apps/web', { tag: 'v1', folder: 'apps/web', manifests: 1 }],
    ['shop.git/src/branch/release/2026/apps', { branch: 'release/2026/apps', manifests: 1, files: ['Cargo.lock'] }],
    ['shop.git/tree/release%2F2026%2Fapps', { branch: 'release/2026/apps', manifests: 1 }],
    ['empty.git', { manifests: 0, note: 'The repository is empty' }],
    ['bare.git', { manifests: 0, note: 'No dependency manifest was found' }],
    ['headless.git/tree/trunk', { branch: 'trunk', manifests: 2 }],
  ]
  for (const [path, expected] of ups)
    it(`is up: ${path}`, async () => {
      const { status, error, details } = await look(path)
      assert.deepEqual([status, error], ['up', null])
      assert.deepEqual({ ...details, ...expected }, details)
    })

  const downs: [path: string, text: RegExp][] = [
    ['none.git', /^Repository not found, or private: .*check_options\.token \(HTTP status 404\)$/],
    ['secret.git', /^Repository not found, or private: .*check_options\.token \(HTTP status 401\)$/],
    ['shop.git/tree/none', /^Branch not found: no branch and no tag fits "none"$/],
    ['shop.git/tree/release/2026', /^Branch not found: no branch and no tag fits "release\/2026"$/],
    ['shop.git/tree/main/none', /^Folder "none" not found on branch "main"$/],
    ['shop.git/tree/main/package.json', /^Folder "package\.json" not found on branch "main"$/],
    ['empty.git/tree/main', /^Branch not found/],
    ['headless.git', /^Default branch not found/],
  ]
  for (const [path, text] of downs)
    it(`is down: ${path}`, async () => {
      const { status, error } = await look(path)
      assert.equal(status, 'down')
      assert.match(error ?? '', text)
    })

  it('reads a private one by its token, and never tells it', async () => {
    const right = await look('secret.git', { options: { token: 'glpat-right' } })
    assert.deepEqual([right.status, right.details['manifests']], ['up', 2])
    const wrong = await look('secret.git', { options: { token: 'glpat-wrong' } })
    assert.equal(wrong.error, 'The token in check_options.token was refused (HTTP status 401)')
    assert.doesNotMatch(JSON.stringify([right, wrong]), /glpat/)
    assert.ok(server.asked.some((asked) => asked.endsWith(' oauth2')))
  })

  it('reads a commit once, however often it looks', async () => {
    const counting = await gitServer(root)
    const url = `${counting.url}/shop.git`
    const first = await look(url)
    const asked = counting.asked.length
    assert.deepEqual((await look(url)).details, first.details)
    assert.equal(counting.asked.length, asked + 2)
    root.make('moving.git', { branches: { main: files } })
    const moving = `${counting.url}/moving.git`
    assert.equal((await look(moving)).details['manifests'], 2)
    root.make('moving.git', { branches: { main: { 'go.mod': '' } } })
    assert.deepEqual((await look(moving)).details['files'], ['go.mod'])
  })

  it('is degraded where too much comes, and does not ask for it again at once', async () => {
    const block = storedBlock()
    let fetched = 0
    const endless = await gitServer(root, {
      instead: (request, response) => {
        const isFetch = request.method === 'POST' && request.headers['user-agent']?.includes('Perigee') === false
        if (!isFetch) return false
        fetched += 1
        answerPack(response, Buffer.concat([packHead(1), hugeBlobHead, zlibHead]), () => block)
        return true
      },
    })
    for (const _ of [1, 2]) {
      const { status, error } = await look(`${endless.url}/shop.git`)
      assert.equal(status, 'degraded')
      assert.match(error ?? '', /manifests cannot be listed: More than 64 MiB came/)
    }
    assert.equal(fetched, 1)
  })

  it('is down in time where nobody answers', async () => {
    const silent = await rawServer(() => {})
    const startedMs = performance.now()
    const { status, error } = await look(`http://127.0.0.1:${silent.port}/a/b`, { timeoutMs: 500 })
    assert.deepEqual([status, error], ['down', 'Timed out after 500 ms while waiting for the answer'])
    assert.ok(performance.now() - startedMs < 10_000)
    const refused = await look(`http://127.0.0.1:${await freePort()}/a/b`)
    assert.match(refused.error ?? '', /^Connection refused/)
  })

  it('is not made where private addresses are not', async () => {
    const net = createNet({ allowPrivate: 'none' })
    const { status, error } = await checkOnce(repository, { ...patient, url: 'https://localhost/a/b' }, net)
    assert.equal(status, 'down')
    assert.match(error ?? '', /localhost leads to (?:127\.0\.0\.1|::1), a private or reserved address/)
  })

  it('says what the location lacks where there is no git, but first what is wrong with the repository', async () => {
    const net = createNet({ allowPrivate: 'all', git: '/none/git' })
    const url = `${server.url}/shop.git`
    await assert.rejects(checkOnce(repository, { ...patient, url }, net), MissingMeans)
    assert.equal((await checkOnce(repository, { ...patient, url: `${url}/tree/none` }, net)).status, 'down')
  })

  it('trusts the authorities of NODE_EXTRA_CA_CERTS, from the command line too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-ca-'))
    after(() => rmSync(folder, { recursive: true }))
    const { root: authority, good } = testCertificates()
    const path = join(folder, 'root.pem')
    writeFileSync(path, authority.pem)
    const secure = await gitServer(root, { tls: { cert: chainPem(good), key: good.keyPem } })
    const url = `https://localhost:${secure.port}/shop.git/tree/main/apps`
    const trusted = await perigeeCheck(url, { NODE_EXTRA_CA_CERTS: path })
    assert.equal(trusted.code, 0, trusted.text)
    const { status, details, address, certificate } = JSON.parse(trusted.text)
    assert.deepEqual([status, details.files], ['up', ['web/go.mod']])
    assert.deepEqual([address, certificate.issuer], ['127.0.0.1', 'Test Root'])
    const unknown = await perigeeCheck(url, {})
    assert.equal(unknown.code, 1)
    assert.match(JSON.parse(unknown.text).error, /not trusted/)
  })
})

function perigeeCheck(url: string, environment: Record<string, string>): Promise<{ code: number; text: string }> {
  const program = join(import.meta.dirname, '../../../bin/perigee.js')
  const parameters = [program, 'check', url, '--kind', 'repository', '--json', '--timeout', '60000']
  return new Promise((resolve) => {
    execFile(process.execPath, parameters, { env: { ...process.env, ...environment } }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: stdout === '' ? stderr : stdout }),
    )
  })
}

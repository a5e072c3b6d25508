import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createNet } from '#net/create-net.ts'
import type { Net } from '#net/net.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { answerPack, hugeBlobHead, packHead, storedBlock, zlibHead } from '../../../test/support/git-pack.ts'
import { type Files, gitRoot, gitServer, lacksGit } from '../../../test/support/git-server.ts'
import { openNet } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { type RepositoryScan, type RepositoryScanTarget, scanRepository } from './repository-scan.ts'

const patientMs = 60_000
type Read = Extract<RepositoryScan, { type: 'read' }>

const files: Files = {
  'package.json': '{"dependencies":{"lodash":"^4.17.0","left-pad":"*"}}',
  'package-lock.json': '{"lockfileVersion":3,"packages":{"":{},"node_modules/lodash":{"version":"4.17.20"}}}',
  'apps/web/go.mod': 'module web\n\nrequire golang.org/x/net v0.1.0\n',
  'vendor/a/go.mod': 'module a\n\nrequire example.com/vendored v1.0.0\n',
  'README.md': '# Shop',
}

const cargoLock = `[[package]]
name = "serde"
version = "1.0.1"
source = "registry+https://github.com/rust-lang/crates.io-index"
`

describe('a scan of a repository', { skip: lacksGit }, async () => {
  const root = gitRoot()
  root.make('shop.git', {
    branches: {
      main: files,
      'release/2026/apps': { 'Cargo.lock': cargoLock },
    },
    tags: { v1: 'main' },
  })
  root.make('secret.git', { branches: { main: files } })
  root.make('empty.git', { branches: {} })
  const server = await gitServer(root, { secrets: { 'secret.git': 'oauth2:glpat-right' } })

  function scan(path: string, wishes: Wishes = {}): Promise<RepositoryScan> {
    const { url = server.url, token, lastRevision = null, timeoutMs = patientMs, net = openNet } = wishes
    const target = { url: path.includes('://') ? path : `${url}/${path}`, token, lastRevision }
    return scanRepository(target, { net, timeoutMs }, AbortSignal.timeout(patientMs))
  }

  it('finds what its manifests name, with their paths', async () => {
    const { software, unread, problem, revision } = read(await scan('shop.git'))
    assert.deepEqual(shown(software), [
      'npm:lodash 4.17.20 package-lock.json',
      'npm:left-pad null package.json',
      'go:golang.org/x/net 0.1.0 apps/web/go.mod',
    ])
    assert.deepEqual([unread, problem], [[], null])
    assert.ok(revision?.includes(root.git('shop.git', 'rev-parse', 'main')))
  })

  const meant: [path: string, software: string[]][] = [
    ['shop.git/tree/main/apps', ['go:golang.org/x/net 0.1.0 web/go.mod']],
    ['shop.git/tree/v1/apps/web', ['go:golang.org/x/net 0.1.0 go.mod']],
    ['shop.git/src/branch/release/2026/apps', ['cargo:serde 1.0.1 Cargo.lock']],
    ['shop.git/tree/release%2F2026%2Fapps', ['cargo:serde 1.0.1 Cargo.lock']],
    ['empty.git', []],
  ]
  for (const [path, software] of meant)
    it(`reads the branch and the folder that are meant: ${path}`, async () =>
      assert.deepEqual(shown(read(await scan(path)).software), software))

  const failures: [path: string, problem: RegExp][] = [
    ['none.git', /^Repository not found, or private: .*check_options\.token \(HTTP status 404\)$/],
    ['secret.git', /^Repository not found, or private: .*check_options\.token \(HTTP status 401\)$/],
    ['shop.git/tree/none', /^Branch not found: no branch and no tag fits "none"$/],
    ['shop.git/tree/main/none', /^Folder "none" not found on branch "main"$/],
    ['ftp://git.example.com/a/b', /^Must be the address of a repository/],
  ]
  for (const [path, expected] of failures)
    it(`fails in the words of the check: ${path}`, async () => assert.match(problemOf(await scan(path)), expected))

  it('reads a private one by its token, and never tells it', async () => {
    const right = await scan('secret.git', { token: 'glpat-right' })
    assert.equal(read(right).software.length, 3)
    const wrong = await scan('secret.git', { token: 'glpat-wrong' })
    assert.equal(problemOf(wrong), 'The token in check_options.token was refused (HTTP status 401)')
    assert.doesNotMatch(JSON.stringify([right, wrong]), /glpat/)
  })

  it('does not read a commit again, and tells what it told of it', async () => {
    const broken = { ...files, 'web/package.json': '{' }
    root.make('same.git', { branches: { main: broken } })
    const { revision, problem } = read(await scan('same.git'))
    assert.match(problem ?? '', /^1 of 4 manifests could not be read\. "web\/package\.json": [A-Z].*\.$/)
    const asked = server.asked.length
    assert.deepEqual(await scan('same.git', { lastRevision: revision }), { type: 'unchanged', problem })
    assert.equal(server.asked.length, asked + 2)
    assert.equal((await scan('same.git/tree/main/apps', { lastRevision: revision })).type, 'read')
    for (const other of ['', 'null', '{}', '[1', `${revision}1`])
      assert.equal((await scan('same.git', { lastRevision: other })).type, 'read', other)
  })

  it('reads what the branch leads to now, also where it was forced there', async () => {
    root.make('moving.git', { branches: { main: files } })
    const before = read(await scan('moving.git'))
    const { 'apps/web/go.mod': _, ...fewer } = files
    root.make('moving.git', { branches: { main: fewer } })
    const after = read(await scan('moving.git', { lastRevision: before.revision }))
    assert.deepEqual(shown(after.software), shown(before.software).slice(0, 2))
    assert.notEqual(after.revision, before.revision)
  })

  it('looks again where the branch is forced away under its hands', async () => {
    root.make('racing.git', { branches: { main: { 'go.mod': 'module a\n\nrequire example.com/a v1.0.0\n' } } })
    let fetches = 0
    const racing = await gitServer(root, {
      instead: ({ method, headers }) => {
        if (method !== 'POST' || headers['user-agent']?.includes('Perigee') === true) return false
        fetches += 1
        if (fetches === 2)
          root.make('racing.git', { branches: { main: { 'go.mod': 'module a\n\nrequire example.com/b v1.0.0\n' } } })
        return false
      },
    })
    const { software } = read(await scan('racing.git', { url: racing.url }))
    assert.deepEqual(shown(software), ['go:example.com/b 1.0.0 go.mod'])
  })

  it('reads 200 manifests of many, those nearest to the root, and none that is too long', async () => {
    const lock = `{"lockfileVersion":3,"packages":{"node_modules/big":{"version":"1.0.0"}}}`
    const many = Array.from({ length: 250 }, (_, at): [path: string, text: string] => [
      `services/${String(at).padStart(3, '0')}/go.mod`,
      `module a\n\nrequire example.com/p${at} v1.0.0\n`,
    ])
    root.make('huge.git', {
      branches: { main: { ...Object.fromEntries(many), 'package-lock.json': lock + ' '.repeat(6_000_000) } },
    })
    const { software, unread, problem, revision } = read(await scan('huge.git'))
    assert.equal(software.length, 199)
    assert.deepEqual(software.at(-1)?.evidence, 'services/198/go.mod')
    assert.deepEqual(unread, ['package-lock.json'])
    assert.equal(
      problem,
      '1 of 200 manifests could not be read. "package-lock.json": It has more than 5 MB. Manifests left out: 51; the 200 nearest to the root are read.',
    )
    assert.equal((await scan('huge.git', { lastRevision: revision })).type, 'unchanged')
  })

  it('reads 25 MB in all', async () => {
    root.make('long.git', { branches: { main: Object.fromEntries([1, 2, 3, 4, 5, 6].map(longManifest)) } })
    const { software, unread, problem } = read(await scan('long.git'))
    assert.deepEqual([software.length, unread], [5, ['6/requirements.txt']])
    assert.match(problem ?? '', /"6\/requirements\.txt": Together with those before it, it has more than 25 MB\.$/)
  })

  it('takes nothing for a manifest but files, whatever they are called', async () => {
    root.make('odd.git', { branches: { main: { 'go.mod': 'module a\n\nrequire example.com/a v1.0.0\n' } } })
    const blob = root.git('odd.git', 'rev-parse', 'main:go.mod')
    const entry = (mode: string, name: string, object = blob): Buffer =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(object, 'hex')])
    const pointer = root.gitWith(
      'odd.git',
      'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n',
      'hash-object',
      '-w',
      '--stdin',
    )
    const tree = Buffer.concat([
      entry('100644', '--upload-pack=touch x; .csproj'),
      entry('100644', '../../../tmp/go.mod'),
      entry('100644', '.git/go.mod'),
      entry('120000', 'Cargo.lock', root.gitWith('odd.git', '/etc/passwd', 'hash-object', '-w', '--stdin')),
      entry('100644', 'Dockerfile\n\u001B[31m.Dockerfile'),
      entry('160000', 'go.mod', root.git('odd.git', 'rev-parse', 'main')),
      entry('100644', 'requirements.txt', pointer),
    ])
    const object = root.gitWith('odd.git', tree, 'hash-object', '-t', 'tree', '-w', '--stdin', '--literally')
    const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    root.git(
      'odd.git',
      'update-ref',
      'refs/heads/main',
      root.git('odd.git', ...person, 'commit-tree', '-m', '.', object),
    )
    const { software, unread, problem } = read(await scan('odd.git'))
    assert.deepEqual(shown(software), ['go:example.com/a 1.0.0 .git/go.mod'])
    assert.deepEqual(unread, ['--upload-pack=touch x; .csproj', 'Dockerfile??[31m.Dockerfile', 'requirements.txt'])
    assert.match(problem ?? '', /"requirements\.txt": It is kept in Git LFS/)
  })

  it('fails where too much comes, and in time where it never ends', async () => {
    const fetching = (answer: Parameters<typeof answerPack>[2]) =>
      gitServer(root, {
        instead: (request, response) => {
          const isFetch = request.method === 'POST' && request.headers['user-agent']?.includes('Perigee') === false
          if (isFetch) answerPack(response, Buffer.concat([packHead(1), hugeBlobHead, zlibHead]), answer)
          return isFetch
        },
      })
    const block = storedBlock()
    const endless = await fetching(() => block)
    assert.match(problemOf(await scan('shop.git', { url: endless.url })), /^More than 64 MiB came/)
    const silent = await gitServer(root, {
      instead: (request) => request.method === 'POST' && request.headers['user-agent']?.includes('Perigee') === false,
    })
    assert.equal(
      problemOf(await scan('shop.git', { url: silent.url, timeoutMs: 3000 })),
      'Timed out after 3000 ms while fetching the list of files',
    )
    const raw = await rawServer(() => {})
    assert.equal(
      problemOf(await scan(`http://127.0.0.1:${raw.port}/a/b`, { timeoutMs: 500 })),
      'Timed out after 500 ms while waiting for the answer',
    )
    assert.match(problemOf(await scan(`http://127.0.0.1:${await freePort()}/a/b`)), /^Connection refused/)
  })

  it('does not reach private addresses where they are not admitted', async () => {
    const net = createNet({ allowPrivate: 'none' })
    assert.match(problemOf(await scan('https://localhost/a/b', { net })), /a private or reserved address/)
  })

  it('tells what the machine lacks, and throws what passes', async () => {
    const net = createNet({ allowPrivate: 'all', git: '/none/git' })
    assert.match(problemOf(await scan('shop.git', { net })), /has to install git/)
    const stopped = scanRepository(
      { url: `${server.url}/shop.git`, token: undefined, lastRevision: null },
      { net: { git: { ...openNet.git, tree: () => Promise.reject(new OwnTrouble('EMFILE', new Error('x'))) } } },
      AbortSignal.timeout(patientMs),
    )
    await assert.rejects(stopped, OwnTrouble)
  })

  it('fails where the repository goes away', async () => {
    root.make('going.git', { branches: { main: files } })
    const { revision } = read(await scan('going.git'))
    rmSync(join(root.folder, 'going.git'), { recursive: true })
    assert.match(problemOf(await scan('going.git', { lastRevision: revision })), /HTTP status 404/)
  })
})

function longManifest(at: number): [path: string, text: string] {
  return [`${at}/requirements.txt`, `package-${at}==1.0\n#${' '.repeat(4_500_000)}\n`]
}

type Wishes = Partial<RepositoryScanTarget> & { timeoutMs?: number; net?: Net }

function read(outcome: RepositoryScan): Read {
  assert.ok(outcome.type === 'read', JSON.stringify(outcome))
  return outcome
}

function problemOf(outcome: RepositoryScan): string {
  assert.ok(outcome.type === 'failed', JSON.stringify(outcome))
  return outcome.problem
}

function shown(software: Read['software']): string[] {
  return software.map(({ product, version, evidence }) => `${product} ${version} ${evidence}`)
}

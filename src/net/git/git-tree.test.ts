import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { chainPem } from '../../../test/support/certificates.ts'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { answerPack, hugeBlobHead, packHead, storedBlock, zlibHead } from '../../../test/support/git-pack.ts'
import { gitRoot, type GitServerWish, gitServer, lacksGit } from '../../../test/support/git-server.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import { until } from '../../../test/support/until.ts'
import { createNet } from '#net/create-net.ts'
import type { GitTreeOutcome, GitTreeRequest } from './git-tree.ts'
import { splitEntries } from './git-tree.ts'
import { MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'

// Only this file's git folders lie here, so that the test notices one that is left behind.
const folder = mkdtempSync(join(tmpdir(), 'perigee-git-test-'))
process.env['TMPDIR'] = folder
// Git must ignore the environment of this process.
process.env['http_proxy'] = 'http://127.0.0.1:1'
process.env['GIT_DIR'] = folder
process.env['GIT_CONFIG_PARAMETERS'] = "'http.followRedirects'='true'"
after(() => rmSync(folder, { recursive: true, force: true }))

const patientMs = 60_000

describe('the files of a repository', { skip: lacksGit }, async () => {
  const root = gitRoot()
  const big = Buffer.alloc(200_000, 'big ')
  root.make('shop.git', {
    branches: {
      main: { 'package.json': '{"name":"shop"}', 'apps/web/go.mod': 'module web', 'apps/ä b\n/x': 'x', 'big.txt': big },
    },
    tags: { v1: 'main' },
  })
  root.make('plain.git', {
    branches: { main: { 'go.mod': 'module a' } },
    settings: { 'uploadpack.allowFilter': 'false' },
  })
  root.make('long.git', { branches: { main: { 'go.mod': 'module a' } }, format: 'sha256' })
  root.make('secret.git', { branches: { main: { 'go.mod': 'module a' } } })
  const secrets = { 'secret.git': 'user:open sesame' }
  const server = await gitServer(root, { secrets })
  const commit = (name: string): string => root.git(name, 'rev-parse', 'main')
  const all = ['apps/web/go.mod', 'apps/ä b\n/x', 'big.txt', 'package.json']

  function list(
    url: string,
    wishes: Partial<GitTreeRequest> = {},
    { net = openNet, signal = AbortSignal.timeout(patientMs) } = {},
  ): Promise<GitTreeOutcome> {
    const name = /\w+\.git/.exec(url)?.[0] ?? 'shop.git'
    const request = {
      url: new URL(url),
      credentials: null,
      object: commit(name),
      folder: '',
      isWanted: () => true,
      maxFiles: 100,
      timeoutMs: patientMs,
    }
    return net.git.tree({ ...request, ...wishes }, signal)
  }

  /** The address of a server that answers the request for its capabilities, and the fetch differently. */
  async function fetching(answer: NonNullable<GitServerWish['instead']>): Promise<string> {
    const { url } = await gitServer(root, {
      instead: (request, response) => request.method === 'POST' && answer(request, response),
    })
    return `${url}/shop.git`
  }

  it('are listed with the names of their contents', async () => {
    const outcome = await list(`${server.url}/shop.git`)
    assert.ok(outcome.ok)
    assert.equal(outcome.wanted, 4)
    const manifest = outcome.files.find(({ path }) => path === 'package.json')
    assert.equal(manifest?.object, root.git('shop.git', 'rev-parse', 'main:package.json'))
    assert.deepEqual(outcome.files.map(({ path }) => path).toSorted(), all)
  })

  it('are those of a tag, of old servers, of servers without filters and of SHA-256 too', async () => {
    const old = await gitServer(root, { isOld: true })
    const tag = root.git('shop.git', 'rev-parse', 'v1')
    assert.deepEqual(await pathsOf(list(`${server.url}/shop.git`, { object: tag })), all)
    assert.deepEqual(await pathsOf(list(`${old.url}/shop.git`)), all)
    for (const name of ['plain.git', 'long.git'])
      assert.deepEqual(await pathsOf(list(`${server.url}/${name}`)), ['go.mod'])
  })

  it('come without their contents', async () => {
    let sent = 0
    const counting = await gitServer(root, {
      instead: (_, response) => {
        const write = response.write.bind(response)
        response.write = (piece: Buffer) => {
          sent += piece.length
          return write(piece)
        }
        return false
      },
    })
    await list(`${counting.url}/shop.git`)
    assert.ok(sent > 0 && sent < 5000, `${sent} bytes were sent`)
  })

  it('are those of a folder, chosen and bounded', async () => {
    const url = `${server.url}/shop.git`
    assert.deepEqual(await pathsOf(list(url, { folder: 'apps/web' })), ['go.mod'])
    assert.deepEqual(await pathsOf(list(url, { isWanted: (path) => path.endsWith('.mod') })), ['apps/web/go.mod'])
    const bounded = await list(url, { maxFiles: 1 })
    assert.ok(bounded.ok)
    assert.deepEqual([bounded.files.length, bounded.wanted], [1, 4])
  })

  it('are not those of a folder that is missing, or is a file, or means something to git', async () => {
    for (const missing of ['none', 'package.json', 'apps/none', ':/', '--help', '..', 'apps/web/../..'])
      assert.equal(failureOf(await list(`${server.url}/shop.git`, { folder: missing })).code, 'git_no_folder', missing)
  })

  it('leave out links and other repositories', async () => {
    const link = root.gitWith('shop.git', 'package.json', 'hash-object', '-w', '--stdin')
    const entries = [
      `120000 blob ${link}\tlink`,
      `160000 commit ${commit('shop.git')}\tmodule`,
      `100755 blob ${link}\trun`,
    ]
    const tree = root.gitWith('shop.git', `${entries.join('\n')}\n`, 'mktree', '--missing')
    root.git('shop.git', 'update-ref', 'refs/heads/odd', commitOf(tree))
    const object = root.git('shop.git', 'rev-parse', 'odd')
    assert.deepEqual(await pathsOf(list(`${server.url}/shop.git`, { object })), ['run'])
  })

  function commitOf(tree: string): string {
    const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    return root.git('shop.git', ...person, 'commit-tree', '-m', '.', tree)
  }

  it('are read with the password alone, which stands in no argument', async () => {
    const seen: string[] = []
    const watching = await gitServer(root, {
      secrets,
      instead: () => {
        seen.push(processesOf(watching.port))
        return false
      },
    })
    const url = `${watching.url}/secret.git`
    const credentials = { user: 'user', password: 'open sesame' }
    assert.deepEqual(await pathsOf(list(url, { credentials })), ['go.mod'])
    assert.ok(seen.some((processes) => processes.includes('remote-http')))
    const told = Buffer.from('user:open sesame').toString('base64')
    for (const processes of seen) assert.ok(!processes.includes('sesame') && !processes.includes(told))
    for (const wrong of [null, { user: 'user', password: 'wrong-3' }]) {
      const failure = failureOf(await list(url, { credentials: wrong }))
      assert.match(failure.message, /^Git failed while fetching the list of files: /)
      assert.doesNotMatch(failure.message, /wrong-3/)
    }
  })

  it('are read from the address that was checked, whatever the system makes of the name', async () => {
    const dns = await dnsServer((name) => ({
      addresses:
        name === 'six.perigee.test' ? ['::1'] : name === 'both.perigee.test' ? ['::1', '127.0.0.1'] : ['127.0.0.1'],
    }))
    const net = createNet({ allowPrivate: 'all', dnsServers: [dns.address] })
    const six = await gitServer(root, { host: '::1' })
    assert.deepEqual(await pathsOf(list(`http://four.perigee.test:${server.port}/shop.git`, {}, { net })), all)
    assert.deepEqual(await pathsOf(list(`http://four.perigee.test.:${server.port}/shop.git`, {}, { net })), all)
    assert.deepEqual(await pathsOf(list(`http://six.perigee.test:${six.port}/shop.git`, {}, { net })), all)
    assert.deepEqual(await pathsOf(list(`http://both.perigee.test:${server.port}/shop.git`, {}, { net })), all)
    assert.deepEqual(await pathsOf(list(six.url + '/shop.git')), all)
  })

  it('are not read from an address that may not be dialled, even if the name led elsewhere before', async () => {
    let address = '127.0.0.1'
    const dns = await dnsServer(() => ({ addresses: [address], ttlSeconds: 0 }))
    const net = createNet({ allowPrivate: ['127.0.0.1/32'], dnsServers: [dns.address] })
    const other = await gitServer(root, { host: '127.0.0.2' })
    const url = `http://rebound.perigee.test:${other.port}/shop.git`
    const object = commit('shop.git')
    const request = { url: new URL(url), credentials: null, prefixes: [], timeoutMs: patientMs }
    assert.match(failureOf(await net.git.refs(request, AbortSignal.timeout(patientMs))).message, /refused by/)
    address = '127.0.0.2'
    // The look-up for the first request may still be remembered, and then leads to a port where no server listens.
    const failure = failureOf(await list(url, { object }, { net }))
    assert.match(failure.message, /is not: use https|Failed to connect/i)
    const strict = createNet({ allowPrivate: ['127.0.0.1/32'], dnsServers: [dns.address] })
    const refused = failureOf(await list(url.replace('http:', 'https:'), { object }, { net: strict }))
    assert.match(refused.message, /leads to 127\.0\.0\.2, a private or reserved address/)
    assert.deepEqual(other.asked, [])
  })

  it('are read over TLS from whom every other check trusts', async () => {
    const { root: authority, good, selfSigned } = testCertificates()
    const secure = async (certificate: typeof good): Promise<string> => {
      const tls = { cert: chainPem(certificate), key: certificate.keyPem }
      return `https://localhost:${(await gitServer(root, { tls })).port}/shop.git`
    }
    const url = await secure(good)
    assert.match(failureOf(await list(url)).message, /certificate verification failed\.?$/)
    setDefaultCACertificates([authority.pem])
    assert.deepEqual(await pathsOf(list(url)), all)
    assert.match(failureOf(await list(await secure(selfSigned))).message, /certificate/)
  })

  it('are not looked for behind a redirect', async () => {
    const away = await gitServer(root, {
      instead: (request, response) => {
        response.writeHead(301, { location: `${server.url}${request.url}` }).end()
        return true
      },
    })
    const before = server.asked.length
    const failure = failureOf(await list(`${away.url}/shop.git`))
    assert.match(failure.message, /301/)
    assert.equal(server.asked.length, before)
  })

  it('that are not there any more are told as a change', async () => {
    const failure = failureOf(await list(`${server.url}/shop.git`, { object: '1'.repeat(40) }))
    assert.deepEqual([failure.code, failure.message], ['git_gone', 'The repository changed while it was read'])
  })

  describe('of a server that', () => {
    it('sends a pack without an end are given up at 64 MiB', async () => {
      const block = storedBlock()
      const url = await fetching((_, response) => {
        answerPack(response, Buffer.concat([packHead(1), hugeBlobHead, zlibHead]), () => block)
        return true
      })
      assert.deepEqual(failureOf(await list(url)), {
        phase: 'transfer',
        code: 'git_too_large',
        message: 'More than 64 MiB came while fetching the list of files',
      })
    })

    it('claims millions of objects take no memory for them', async () => {
      for (const objects of [10_000_000, 0x7fff_fffe, 0xffff_ffff]) {
        const url = await fetching((_, response) => {
          answerPack(response, packHead(objects), () => null)
          return true
        })
        assert.equal(failureOf(await list(url)).code, 'git_too_large')
      }
    })

    it('has trees of trees without an end are given up', async () => {
      const blob = root.gitWith('shop.git', 'x', 'hash-object', '-w', '--stdin')
      let entry = `100644 blob ${blob}`
      for (let level = 0; level < 10; level++) {
        const lines = Array.from({ length: 16 }, (_, index) => `${entry}\tfolder-with-a-name-${level}-${index}\n`)
        entry = `040000 tree ${root.gitWith('shop.git', lines.join(''), 'mktree')}`
      }
      root.git('shop.git', 'update-ref', 'refs/heads/bomb', commitOf(entry.slice('040000 tree '.length)))
      const object = root.git('shop.git', 'rev-parse', 'bomb')
      const failure = failureOf(await list(`${server.url}/shop.git`, { object, isWanted: () => false }))
      assert.equal(failure.message, 'The list of files is longer than 64 MiB')
    })

    it('garbles its answer are told with the words of git', async () => {
      for (const body of ['', 'garbage', '0009xxxx\n', '000dpackfile\n0009\u0001GARB0000', '000eERR goaway0000']) {
        const url = await fetching((_, response) => {
          response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' }).end(body)
          return true
        })
        assert.match(failureOf(await list(url)).message, /^Git failed while fetching the list of files/, body)
      }
    })

    it('keeps silent end with the check, and leave neither a process nor a folder', async () => {
      let port = 0
      const silent = await gitServer(root, { instead: ({ method }) => method === 'POST' })
      port = silent.port
      const deadline = new AbortController()
      const listed = list(`${silent.url}/shop.git`, {}, { signal: deadline.signal })
      await until('git to wait for the answer', async () => silent.asked.length === 2, patientMs)
      assert.match(processesOf(port), /git-remote-http|git remote-http/)
      deadline.abort()
      assert.equal(failureOf(await listed).message, `Timed out after ${patientMs} ms while fetching the list of files`)
      assert.equal(processesOf(port), '')
      assert.deepEqual(gitFolders(), [])
    })
  })

  it('wait for their turn, and say nothing about the target when it does not come', async () => {
    const net = createNet({ allowPrivate: 'all' })
    const silent = await gitServer(root, { instead: ({ method }) => method === 'POST' })
    const deadline = new AbortController()
    const listed = Array.from({ length: 8 }, () => list(`${silent.url}/shop.git`, {}, { net, signal: deadline.signal }))
    await until('eight to wait', async () => silent.asked.length === 16, patientMs)
    await assert.rejects(
      list(`${server.url}/shop.git`, {}, { net, signal: AbortSignal.timeout(100) }),
      (error) => error instanceof OwnTrouble && !(error instanceof MissingMeans),
    )
    const next = list(`${server.url}/shop.git`, {}, { net })
    deadline.abort()
    for (const ended of await Promise.all(listed)) assert.equal(failureOf(ended).code, 'timed_out')
    assert.deepEqual(await pathsOf(next), all)
    await assert.rejects(list(`${server.url}/shop.git`, {}, { net, signal: AbortSignal.abort() }), OwnTrouble)
  })

  it('need a git that is there, that runs and that is new enough', async () => {
    const program = join(folder, 'git')
    const tried = async (script: string | null): Promise<unknown> => {
      if (script !== null) writeFileSync(program, `#!/bin/sh\n${script}\n`)
      if (script !== null) chmodSync(program, 0o755)
      const net = createNet({ allowPrivate: 'all', git: program })
      return list(`${server.url}/shop.git`, {}, { net }).catch((error: unknown) => error)
    }
    assertMissing(await tried('echo git version 2.36.9'), /which has git 2\.36: its operator/)
    assertMissing(await tried('echo git version 1.99.0'), /which has git 1\.99: its operator/)
    for (const script of ['exit 1', 'echo hello', 'yes']) assert.ok((await tried(script)) instanceof OwnTrouble, script)
    const listed = await tried('exec git "$@"')
    assert.deepEqual(listed, await list(`${server.url}/shop.git`))
  })

  it('have a folder unless git says that there is none, before it lists anything', async () => {
    const program = join(folder, 'git')
    const net = createNet({ allowPrivate: 'all', git: program })
    const tried = async (script: string): Promise<unknown> => {
      writeFileSync(program, `#!/bin/sh\ncase "$*" in *ls-tree*) ${script}; exit 128;; esac\nexec git "$@"\n`)
      chmodSync(program, 0o755)
      return failureOf(await list(`${server.url}/shop.git`, {}, { net })).code
    }
    assert.equal(await tried("echo 'fatal: not a tree object' >&2"), 'git_no_folder')
    assert.equal(await tried("echo 'fatal: unable to read tree' >&2"), 'git_broken')
    const entry = `printf '100644 blob ${'ab'.repeat(20)}\\tpackage.json\\0'`
    assert.equal(await tried(`${entry}; echo 'fatal: not a tree object' >&2`), 'git_broken')
  })

  it('sweep away the folders of probers that were killed', async () => {
    const [old, young] = ['perigee-git-old', 'perigee-git-young'].map((name) => join(folder, name))
    assert.ok(old !== undefined && young !== undefined)
    for (const path of [old, young]) mkdirSync(join(path, 'repository'), { recursive: true })
    const before = new Date(Date.now() - 3_700_000)
    utimesSync(old, before, before)
    await list(`${server.url}/shop.git`, {}, { net: createNet({ allowPrivate: 'all' }) })
    assert.deepEqual(gitFolders(), ['perigee-git-young'])
    rmSync(young, { recursive: true })
  })

  it('say nothing about the target where this machine has no room for them', async () => {
    process.env['TMPDIR'] = join(folder, 'none')
    try {
      await assert.rejects(
        list(`${server.url}/shop.git`),
        (error) => error instanceof OwnTrouble && /ENOENT/.test(error.message),
      )
    } finally {
      process.env['TMPDIR'] = folder
    }
  })

  it('are not there at a port where no server listens', async () => {
    const failure = failureOf(await list(`http://127.0.0.1:${await freePort()}/shop.git`))
    assert.match(failure.message, /Git failed while fetching the list of files: unable to access/)
  })

  it('leave no folder behind', () => assert.deepEqual(gitFolders(), []))
})

describe('entries', () => {
  it('are the same however they are cut', () => {
    const output = Buffer.from('one\0zwei ä\0drei\0')
    for (let at = 0; at <= output.length; at++) {
      const entries: string[] = []
      const take = splitEntries((entry) => entries.push(entry))
      assert.ok(take(output.subarray(0, at)) && take(output.subarray(at)))
      assert.deepEqual(entries, ['one', 'zwei ä', 'drei'])
    }
  })

  it('are given up when one has no end', () => {
    const take = splitEntries(() => {})
    assert.equal(take(Buffer.alloc(8192, 'x')), true)
    assert.equal(take(Buffer.from('x')), false)
  })
})

async function pathsOf(listed: Promise<GitTreeOutcome>): Promise<string[]> {
  const outcome = await listed
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.files.map(({ path }) => path).toSorted()
}

function assertMissing(error: unknown, text: RegExp): void {
  assert.ok(error instanceof MissingMeans)
  assert.match(error.message, text)
}

function gitFolders(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('perigee-git-'))
}

/** The lines of running programs that name a port; "" for none. */
function processesOf(port: number): string {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(`:${port}/`)).join('\n')
}

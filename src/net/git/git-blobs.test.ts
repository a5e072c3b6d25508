import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { answerPack, packHead } from '../../../test/support/git-pack.ts'
import { gitRoot, gitServer, lacksGit } from '../../../test/support/git-server.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { type GitBlobsOutcome, type GitBlobsRequest, splitContents } from './git-blobs.ts'

const patientMs = 60_000

describe('the contents of files', { skip: lacksGit }, async () => {
  const root = gitRoot()
  const binary = Buffer.from([0, 10, 13, 255, 10])
  const files = { 'package.json': '{"name":"shop"}', empty: '', binary, long: Buffer.alloc(5000, 'long ') }
  root.make('shop.git', { branches: { main: files } })
  root.make('long.git', { branches: { main: files }, format: 'sha256' })
  const server = await gitServer(root)
  const nameOf = (path: string, repository = 'shop.git'): string => root.git(repository, 'rev-parse', `main:${path}`)

  function read(
    blobs: readonly string[],
    wishes: Partial<GitBlobsRequest> & { from?: string } = {},
  ): Promise<GitBlobsOutcome> {
    const { from = `${server.url}/shop.git`, ...others } = wishes
    const object = root.git(/\w+\.git/.exec(from)?.[0] ?? '', 'rev-parse', 'main')
    const limits = { maxBlobBytes: 10_000, maxTotalBytes: 100_000, timeoutMs: patientMs }
    const request = { url: new URL(from), credentials: null, object, blobs, ...limits, ...others }
    return openNet.git.blobs(request, AbortSignal.timeout(patientMs))
  }

  it('are read in one go, byte for byte', async () => {
    const paths = Object.keys(files)
    const contents = contentsOf(await read([...paths.map((path) => nameOf(path)), nameOf('package.json')]))
    assert.deepEqual(
      paths.map((path) => Buffer.from(contents.get(nameOf(path)) ?? assert.fail(path))),
      Object.values(files).map((bytes) => Buffer.from(bytes)),
    )
    assert.equal(contents.size, paths.length)
  })

  it('are read from old servers, which give whole commits only, and of SHA-256', async () => {
    const old = await gitServer(root, { isOld: true })
    const name = nameOf('package.json')
    const found = contentsOf(await read([name], { from: `${old.url}/shop.git` })).get(name)
    assert.equal(Buffer.from(found ?? []).toString(), files['package.json'])
    const long = nameOf('package.json', 'long.git')
    assert.equal(contentsOf(await read([long], { from: `${server.url}/long.git` })).get(long)?.length, 15)
  })

  it('are left out beyond the limits', async () => {
    const [manifest, long, other] = [nameOf('package.json'), nameOf('long'), nameOf('binary')]
    assert.deepEqual(Array.from(contentsOf(await read([long, manifest], { maxBlobBytes: 4999 })).keys()), [manifest])
    assert.equal(contentsOf(await read([long], { maxBlobBytes: 5000 })).size, 1)
    const fitting = await read([manifest, long, other], { maxTotalBytes: 20 })
    assert.deepEqual(Array.from(contentsOf(fitting).keys()), [manifest, other])
    assert.deepEqual(fitting.ok && Array.from(fitting.sizes.values()), [15, 5000, 5])
  })

  it('are none of what is no file', async () => {
    const tree = root.git('shop.git', 'rev-parse', 'main^{tree}')
    assert.equal(contentsOf(await read([tree])).size, 0)
    const before = server.asked.length
    assert.equal(contentsOf(await read([])).size, 0)
    assert.equal(server.asked.length, before)
  })

  it('are none of what is not there, and a failure where nothing is', async () => {
    const unknown = '1'.repeat(40)
    assert.equal(contentsOf(await read([unknown])).size, 0)
    assert.equal(failureOf(await read([unknown], { object: unknown })).code, 'git_gone')
  })

  it('that a pack claims to hold by the million take no memory', async () => {
    const { url } = await gitServer(root, {
      instead: ({ method }, response) => {
        if (method === 'POST') answerPack(response, packHead(0xffff_ffff), () => null)
        return method === 'POST'
      },
    })
    assert.equal(failureOf(await read([nameOf('long')], { from: `${url}/shop.git` })).code, 'git_too_large')
  })
})

describe('the output of cat-file', () => {
  const name = '1'.repeat(40)

  it('is split by the sizes it tells', () => {
    const output = `${name} blob 3\na\nb\n${'2'.repeat(40)} missing\n${'3'.repeat(64)} blob 0\n\n`
    assert.deepEqual(
      Array.from(splitContents(Buffer.from(output)), ([key, bytes]) => [key[0], Buffer.from(bytes).toString()]),
      [
        ['1', 'a\nb'],
        ['3', ''],
      ],
    )
  })

  it('does not take for a head what is in a content', () => {
    const inner = `${'2'.repeat(40)} blob 1\n`
    const output = `${name} blob ${inner.length + 2}\n${inner}xx\n${'3'.repeat(40)} blob 1\ny\n`
    assert.deepEqual(
      Array.from(splitContents(Buffer.from(output)), ([key, bytes]) => [key[0], Buffer.from(bytes).toString()]),
      [
        ['1', `${inner}xx`],
        ['3', 'y'],
      ],
    )
  })

  it('gives nothing that is cut off', () => {
    for (const output of [
      `${name} blob 3`,
      `${name} blob 3\nab`,
      `${name} blob 3\nabc`,
      `${name} blob 99999999999\nabc\n`,
    ])
      assert.equal(splitContents(Buffer.from(output)).size, 0, output)
  })

  it('is split whatever it is', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(`${name} blob 1\n`, `${name} blob 9999\n`, `${name} missing\n`, '\n'),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        for (const bytes of splitContents(Buffer.from(pieces.join(''))).values()) assert.ok(bytes.length <= 9999)
      }),
    )
  })
})

function contentsOf(outcome: GitBlobsOutcome): ReadonlyMap<string, Uint8Array> {
  assert.ok(outcome.ok, JSON.stringify(outcome))
  return outcome.contents
}

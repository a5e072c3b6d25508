import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import type { ManifestFile, ReadingOutcome } from '#manifests/manifest-thread.ts'
import { evidenceOf, type ManifestFindings, maxPackages, readManifests } from './repository-manifests.ts'

const patient = (): AbortSignal => AbortSignal.timeout(60_000)

/** Reads lines such as "lodash 1.0". */
function reader(): { read: (file: ManifestFile) => Promise<ReadingOutcome>; asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    read: ({ content }) => {
      const text = Buffer.from(content).toString()
      asked.push(text)
      if (text.startsWith('?')) return Promise.resolve({ type: 'refused', problem: 'It is broken.' })
      if (text.startsWith('!')) return Promise.resolve({ type: 'given up', problem: 'It takes too long to read.' })
      const lines = text.split('\n').filter((line) => line !== '')
      const packages = lines.map((line) => {
        const [name = '', version = null] = line.split(' ')
        return { product: `go:${name}`, name, version }
      })
      return Promise.resolve({ type: 'read', reading: { packages, unrecognized: [], doubt: null } })
    },
  }
}

function readAll(
  files: Record<string, string>,
  { found, sizes, thread = reader(), signal = patient() }: Partial<Options> = {},
): Promise<ManifestFindings> {
  const contents = new Map(Object.values(files).map((text) => [text, Buffer.from(text)]))
  const manifests = {
    found: found ?? Object.keys(files).length,
    files: Object.entries(files).map(([path, object]) => ({ path, object })),
    contents: new Map(Array.from(contents).filter(([text]) => sizes?.has(text) !== true)),
    sizes: sizes ?? new Map(),
  }
  return readManifests(manifests, thread, signal)
}
type Options = {
  found: number
  sizes: ReadonlyMap<string, number>
  thread: ReturnType<typeof reader>
  signal: AbortSignal
}

function packageLines(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, at) => `p${from + at} 1.0`).join('\n')
}

describe('the manifests of a repository', () => {
  it('name each product and version once, with the first that names it as evidence', async () => {
    const { software, unread, problem, isFinal } = await readAll({
      'go.mod': 'a 1.0\nb 1.0',
      'x/go.mod': 'a 1.0\na 2.0',
    })
    assert.deepEqual(
      software.map(({ product, version, evidence }) => [product, version, evidence]),
      [
        ['go:a', '1.0', 'go.mod'],
        ['go:b', '1.0', 'go.mod'],
        ['go:a', '2.0', 'x/go.mod'],
      ],
    )
    assert.deepEqual([unread, problem, isFinal], [[], null, true])
  })

  it('tell a version where any of them knows it', async () => {
    const { software } = await readAll({ 'go.mod': 'a\nb', 'x/go.mod': 'a 1.0' })
    assert.deepEqual(
      software.map(({ product, version }) => [product, version]),
      [
        ['go:b', null],
        ['go:a', '1.0'],
      ],
    )
  })

  it('are read once where they are the same', async () => {
    const thread = reader()
    await readAll({ 'go.mod': 'a 1.0', 'x/go.mod': 'a 1.0', 'y/go.mod': 'b 1.0' }, { thread })
    assert.deepEqual(thread.asked, ['a 1.0', 'b 1.0'])
  })

  it('are told of where they cannot be read', async () => {
    const { software, unread, problem, isFinal } = await readAll({ 'go.mod': '?', 'x/go.mod': 'a 1.0' })
    assert.equal(software.length, 1)
    assert.deepEqual([unread, isFinal], [['go.mod'], true])
    assert.equal(problem, '1 of 2 manifests could not be read. "go.mod": It is broken.')
  })

  it('may be read another time where there was no time', async () => {
    const { isFinal, problem } = await readAll({ 'go.mod': '!' })
    assert.deepEqual(
      [isFinal, problem],
      [false, '1 of 1 manifests could not be read. "go.mod": It takes too long to read.'],
    )
  })

  it('are told of where they are too long, and where there are too many', async () => {
    const sizes = new Map([
      ['big', 5_000_001],
      ['much', 4_000_000],
    ])
    const files = { 'a/go.mod': 'big', 'b/go.mod': 'much', 'c/go.mod': '?1', 'd/go.mod': '?2', 'e/go.mod': 'a 1.0' }
    const { problem, unread } = await readAll(files, { sizes, found: 205 })
    assert.deepEqual(unread, ['a/go.mod', 'b/go.mod', 'c/go.mod', 'd/go.mod'])
    assert.equal(
      problem,
      [
        '4 of 5 manifests could not be read.',
        '"a/go.mod": It has more than 5 MB.',
        '"b/go.mod": Together with those before it, it has more than 25 MB.',
        '"c/go.mod": It is broken.',
        'And 1 more.',
        'Manifests left out: 200; the 200 nearest to the root are read.',
      ].join(' '),
    )
  })

  it('name no more packages than are kept, and say so', async () => {
    const exact = await readAll({ 'go.mod': packageLines(0, 30_000), 'x/go.mod': packageLines(10_000, maxPackages) })
    assert.deepEqual([exact.software.length, exact.problem], [maxPackages, null])
    const more = await readAll({ 'go.mod': packageLines(0, 30_000), 'x/go.mod': packageLines(10_000, maxPackages + 1) })
    assert.deepEqual(
      [more.software.length, more.problem],
      [maxPackages, 'Packages beyond the first 50,000 are left out.'],
    )
  })

  it('are not read any more once that is not wanted', async () => {
    const thread = reader()
    await readAll({ 'go.mod': 'a 1.0' }, { thread, signal: AbortSignal.abort() })
    assert.deepEqual(thread.asked, [])
  })
})

describe('the evidence of a manifest', () => {
  const paths: [path: string, evidence: string][] = [
    ['apps/web/go.mod', 'apps/web/go.mod'],
    ['a\n\u202Eb/go.mod', 'a??b/go.mod'],
    ['../../go.mod', '../../go.mod'],
    [`${'x'.repeat(293)}/go.mod`, `${'x'.repeat(293)}/go.mod`],
    [`${'x'.repeat(294)}/go.mod`, `…${'x'.repeat(292)}/go.mod`],
  ]
  for (const [path, evidence] of paths)
    it(`${JSON.stringify(path).slice(0, 40)} is its path, as far as it can be shown`, () =>
      assert.equal(evidenceOf(path), evidence))

  it('is text that can be kept, whatever the path', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 700 }), (path) => {
        const evidence = evidenceOf(path)
        assert.ok(evidence.length <= 300 && evidence.isWellFormed() && !evidence.includes('\0'))
      }),
    ))
})

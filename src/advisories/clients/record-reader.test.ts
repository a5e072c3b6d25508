// Records of feeds are read on the thread that all jobs share where they are short, and in one that can be ended where
// they are long. A reader of a new feed without its row here does not compile.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type RecordSource, recordReaders, readRecordTexts } from '#advisories/record-reading.ts'
import { compileInTurns, matchInTurns } from '#advisories/match.ts'
import { assertQuick, filled, hostileJson } from '../../../test/support/quick.ts'
import { FeedError } from './feed.ts'
import { createItemReader } from './json-items.ts'
import { openRecordReader } from './record-reader.ts'
import { inSteps } from './steps.ts'

const never = new AbortController().signal
const shortLength = 65_536
const mib = 1024 * 1024

/** For each source, the beginning of a record, and an item that may come again and again. */
const records: Readonly<Record<RecordSource, readonly [begin: string, item: string, end: string][]>> = {
  osv: [
    ['{"id":"A","affected":[{"package":{"ecosystem":"npm","name":"a"},"versions":[', '"1.0"', ']}]}'],
    ['{"id":"A","affected":[', '{"package":{"ecosystem":"npm","name":"a"},"versions":["1"]}', ']}'],
    [
      '{"id":"A","affected":[{"package":{"ecosystem":"npm","name":"a"},"ranges":[',
      '{"type":"SEMVER","events":[{"introduced":"1"},{"fixed":"2"}]}',
      ']}]}',
    ],
    ['{"id":"A","severity":[', '{"score":"CVSS:3.1/AV:N"}', ']}'],
  ],
  nvd: [
    [
      '{"cve":{"id":"A","configurations":[{"nodes":[{"cpeMatch":[',
      '{"vulnerable":true,"criteria":"cpe:2.3:a:b:c:1:*"}',
      ']}]}]}}',
    ],
    [
      '{"cve":{"id":"A","configurations":[{"operator":"AND","nodes":[',
      '{"cpeMatch":[{"vulnerable":true,"criteria":"cpe:2.3:a:b:c:1"}]}',
      ']}]}}',
    ],
  ],
  cve: [
    [
      '{"cveMetadata":{"cveId":"A","state":"P"},"containers":{"cna":{"affected":[{"vendor":"a","product":"b","defaultStatus":"affected","versions":[',
      '{"version":"1.2","status":"unaffected"}',
      ']}]}}}',
    ],
    [
      '{"cveMetadata":{"cveId":"A","state":"P"},"containers":{"cna":{"affected":[',
      '{"vendor":"a","product":"b","versions":[{"version":"< 1, > 2","status":"affected"}]}',
      ']}}}',
    ],
  ],
  cve_changes: [['{"fetchTime":"2026-01-01T00:00:00Z","new":[', '{"cveId":"CVE-2026-1000"}', ']}']],
  exploited: [['{"cveID":"CVE-2026-1000","dateAdded":"2026-01-01","vulnerabilityName":"', ' a', '"}']],
  endoflife: [['{"name":"a","releases":[', '{"name":"1","isEol":true,"latest":{"name":"1.2"}}', ']}']],
}

function hostile(source: RecordSource, length: number): [what: string, text: string][] {
  const own = records[source].map(([begin, item, end]): [string, string] => {
    const isList = !item.startsWith(' ')
    const items = filled(isList ? `${item},` : item, length - begin.length - item.length - end.length)
    return [`many ${item}`, `${begin}${items}${isList ? item : ''}${end}`]
  })
  return [...own, ...hostileJson(length)]
}

function isSource(name: string): name is RecordSource {
  return Object.hasOwn(records, name)
}

describe('a short batch of records', () => {
  for (const source of Object.keys(recordReaders).filter(isSource))
    it(`of ${source} takes little time, whatever they are`, () => {
      for (const [what, text] of hostile(source, shortLength))
        assertQuick(what, () => void readRecordTexts(source, [text]))
      const small = Array.from({ length: shortLength / 64 }, () => '{"id":"A","cveMetadata":{"cveId":"A","state":"P"}}')
      assertQuick('many records', () => void readRecordTexts(source, small))
    })
})

describe('a long batch of records', () => {
  for (const source of Object.keys(recordReaders).filter(isSource))
    it(`of ${source} is read in a thread that is ended at its deadline`, async () => {
      const reader = openRecordReader(source, { timeoutMs: 1, maxHeapMb: 512 })
      after(() => reader.close())
      const [[, text] = ['', '']] = hostile(source, 8 * mib)
      const problem = 'A record takes too long to read.'
      assert.deepEqual(await reader.read([text], never), [{ type: 'unreadable', problem }])
      await reader.close()
    })

  it('is read as it would be on this thread', async () => {
    const reader = openRecordReader('osv', { timeoutMs: 60_000, maxHeapMb: 512 })
    after(() => reader.close())
    const good = JSON.stringify({ id: 'GHSA-aaaa-aaaa-aaaa', details: 'x'.repeat(shortLength) })
    const texts = [good, '{}', '{', Buffer.from(good)]
    assert.deepEqual(await reader.read(texts, never), readRecordTexts('osv', texts))
    await reader.close()
  })

  it('has the whole feed left alone where many records were made to be slow', async () => {
    const reader = openRecordReader('osv', { timeoutMs: 1, maxHeapMb: 512 })
    after(() => reader.close())
    const long = JSON.stringify({ id: 'GHSA-aaaa-aaaa-aaaa', details: 'x'.repeat(shortLength) })
    const reading = reader.read([long, long, long, long], never)
    await assert.rejects(reading, (error) => error instanceof FeedError && /records like this one/.test(error.message))
    await reader.close()
  })

  it('never takes the memory of the whole process', async () => {
    const reader = openRecordReader('osv', { timeoutMs: 60_000, maxHeapMb: 512 })
    after(() => reader.close())
    const outcomes = await Promise.all(hostileJson(8 * mib).map(([, text]) => reader.read([text], never)))
    assert.ok(outcomes.flat().every(({ type }) => type !== 'read'))
    await reader.close()
  })

  it('is told of in sentences, with the others stored', async () => {
    const reader = openRecordReader('osv')
    const steps = inSteps(
      [
        { name: 'a.json', text: '{"id":"A"}' },
        { name: 'b.json', text: null },
        { name: 'c.json', text: '{' },
        { name: 'd.json', text: '{"id":"D"}' },
      ],
      reader,
      never,
    )
    for await (const { advisories, skipped } of steps) {
      assert.deepEqual(
        advisories.map(({ id }) => id),
        ['A', 'D'],
      )
      assert.deepEqual(
        skipped,
        ['b.json', 'c.json'].map((name) => `${name} cannot be unpacked, or is no JSON.`),
      )
    }
    await reader.close()
  })
})

describe('the pieces of a feed', () => {
  it('are split in little time, whatever they hold', () => {
    const starts = ['{"v":[{"a":"', '{"v":[{"a":', '{"v":[', '{', '[', '{"']
    const pieces = ['x', '\\', '\\"', '"', '[', '{', '{}', '},{', '"v":[],', 'é', ']']
    for (const start of starts)
      for (const piece of pieces) {
        const text = Buffer.from(start + filled(piece, mib))
        assertQuick(`${start} and ${piece}`, () => {
          const reader = createItemReader('v', () => false)
          try {
            // Each piece that comes is a turn of its own, so that a mebibyte takes sixty.
            for (let at = 0; at < text.length; at += 16_384) reader.write(text.subarray(at, at + 16_384))
          } catch (error) {
            assert.ok(error instanceof FeedError)
          }
        })
      }
  })
})

describe('comparing with a record that was made to be slow', () => {
  const many = [
    `{"id":"A","affected":[{"package":{"ecosystem":"npm","name":"a"},"ranges":[${filled('{"type":"SEMVER","events":[{"introduced":"1.0.0"},{"fixed":"1.0.1"}]},', mib / 2)}{"type":"SEMVER","events":[{"introduced":"1.1.0"}]}],"versions":[]}]}`,
  ]
  const known = readRecordTexts('osv', many).flatMap((read) =>
    read.type === 'read'
      ? read.record.affected.map((one) => ({ ...one, source: 'osv' as const, publishedAt: null, isExploited: true }))
      : [],
  )
  const records8 = Array.from({ length: 8 }, (_, index) =>
    known.map((one) => ({ ...one, vulnerability: `V${index}` })),
  ).flat()

  it('is done in turns of little time', () => {
    assert.ok(
      known.every(({ affected }) => affected.ranges.length > 1000),
      'the record has its ranges',
    )
    const compiled = leastOf(() => compileInTurns(records8, 'npm'))
    const matched = ['1.0.0', '1', null].map((version) =>
      leastOf(() => matchInTurns(compiled.done, version, new Date())),
    )
    const turns = [compiled, ...matched].flatMap(({ ms }) => ms)
    assert.ok(Math.max(...turns) <= 50, `a turn took ${Math.max(...turns)} ms`)
    assert.ok(turns.length > 8)
  })
})

/** How often the same is done: the first time compiles the code as well, and others take the caches of the processor. */
const times = 3

/** The CPU of each turn, the least of several times. */
function leastOf<Done>(begin: () => Generator<void, Done>): { done: Done; ms: number[] } {
  const runs = Array.from({ length: times }, () => runOf(begin()))
  const [first = assert.fail('it never ran')] = runs
  return { done: first.done, ms: first.ms.map((_, turn) => Math.min(...runs.map(({ ms }) => ms[turn] ?? Infinity))) }
}

function runOf<Done>(work: Generator<void, Done>): { done: Done; ms: number[] } {
  const ms: number[] = []
  for (;;) {
    const before = process.threadCpuUsage()
    const turn = work.next()
    const { user, system } = process.threadCpuUsage(before)
    ms.push((user + system) / 1000)
    if (turn.done === true) return { done: turn.value, ms }
  }
}

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { installationPair, signedHead, signedHeads } from '../../test/support/signed-heads.ts'
import { addDays } from '#core/language/utc-day.ts'
import { type CountersignOffer, isCountersigned, maxCountersignedDays } from '#core/proofs/countersign.ts'
import { publicSigningKey } from '#core/proofs/signature.ts'
import { type SignedHead, headHash } from '#core/proofs/signed-history.ts'
import { openCountersignFile } from './countersign-file.ts'
import { startCountersigner } from './countersigner.ts'

const firstDay = '2026-11-01'
const keys = [publicSigningKey(installationPair.x)]

const folder = mkdtempSync(join(tmpdir(), 'perigee-countersign-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

/** A core that shows these heads, and what it was offered. */
function coreOf(heads: SignedHead[]) {
  const offers: CountersignOffer[] = []
  const core = { heads, keys, isAway: false, offers, stored: new Map<string, string>() }
  return {
    ...core,
    core,
    offer: async (offer: CountersignOffer) => {
      if (core.isAway) throw new Error('NATS is away.')
      offers.push(structuredClone(offer))
      for (const { day, signature } of offer.signatures) core.stored.set(day, signature.signature)
      const since = offer.since ?? core.heads.at(-1)?.head.day ?? ''
      return {
        keys: core.keys,
        heads: core.heads.filter(({ head }) => head.day >= since).slice(0, maxCountersignedDays),
      }
    },
  }
}

function benchOf(heads: SignedHead[], path = join(folder, `${(files += 1)}.json`)) {
  const { core, offer } = coreOf(heads)
  const lines: string[] = []
  const write = (level: string) => (message: string) => void lines.push(`${level}: ${message}`)
  const log = { info: write('info'), warn: write('warn'), error: write('error') }
  const works: (() => void)[] = []
  const time = { every: (_ms: number, work: () => void) => (works.push(work), () => {}) }
  /** Asks once, in a process that begins and ends. */
  const once = async (offerAt = offer): Promise<void> => {
    const end = startCountersigner({ location: 'fra', file: openCountersignFile(path), offer: offerAt, time, log })
    await end()
  }
  const memory = () => JSON.parse(readFileSync(path, 'utf8')).memory?.last ?? null
  return { core, offer, once, path, lines, memory, tick: () => works.at(-1)?.(), time, log }
}

describe('a location that signs the history as well', () => {
  it('begins with the newest head, and signs each that follows, also after months away', async () => {
    const heads = signedHeads(80, { from: firstDay })
    const { core, once, memory, lines } = benchOf(heads.slice(0, 3))
    await once()
    assert.deepEqual([...core.stored.keys()], [addDays(firstDay, 2)])
    core.heads = heads
    await once()
    const days = heads.slice(2).map(({ head }) => head.day)
    assert.deepEqual([...core.stored.keys()].toSorted(), days)
    assert.deepEqual(memory(), { day: days.at(-1), hash: headHash(heads.at(-1)?.head ?? assert.fail()) })
    const signatures = core.offers.flatMap((offer) => offer.signatures)
    for (const { day, signature } of signatures)
      assert.ok(isCountersigned(heads.find(({ head }) => head.day === day)?.head ?? assert.fail(), signature))
    assert.equal(new Set(signatures.map(({ signature }) => signature.key.kid)).size, 1)
    assert.deepEqual(
      lines.filter((line) => !line.startsWith('info')),
      [],
    )
  })

  it('knows on the disk what it has signed before the signature leaves, and signs the same again', async () => {
    const [one = assert.fail(), two = assert.fail()] = signedHeads(2, { from: firstDay })
    const bench = benchOf([one])
    const died: string[] = []
    await bench.once(async (offer) => {
      for (const { day, signature } of offer.signatures) {
        assert.equal(bench.memory()?.day, day)
        died.push(signature.signature)
      }
      if (offer.signatures.length > 0) throw new Error('It died.')
      return bench.offer(offer)
    })
    assert.equal(died.length, 1)
    assert.equal(bench.core.stored.size, 0)
    bench.core.heads = [one, two]
    await bench.once()
    assert.deepEqual(bench.core.stored.get(one.head.day), died[0])
    assert.deepEqual([...bench.core.stored.keys()], [one.head.day, two.head.day])
  })

  it('signs no second head for a day, and no other past, and says so as long as it is shown', async () => {
    const right = signedHeads(3, { from: firstDay })
    const other = signedHeads(3, { from: firstDay, root: 'cd' })
    const [, second = assert.fail()] = right
    const bench = benchOf(right.slice(0, 2))
    await bench.once()
    const before = bench.memory()
    for (const shown of [other.slice(0, 2), [second, other[2] ?? assert.fail()]]) {
      bench.core.heads = shown
      bench.core.offers.length = 0
      await bench.once()
      await bench.once()
      const forks = bench.core.offers.flatMap(({ fork }) => (fork === null ? [] : [fork]))
      assert.equal(forks.length, 2)
      assert.partialDeepStrictEqual(forks[0], { day: second.head.day, signed: headHash(second.head) })
      assert.deepEqual(bench.memory(), before)
    }
    assert.equal(bench.lines.filter((line) => line.startsWith('error: The history has two heads')).length, 4)
    assert.deepEqual([...bench.core.stored.keys()], [second.head.day])
  })

  it('signs what the installation signed, and for no other one', async () => {
    const [one = assert.fail(), two = assert.fail()] = signedHeads(2, { from: firstDay })
    const bench = benchOf([one])
    await bench.once()
    bench.core.heads = [one, { ...two, signature: one.signature }]
    await bench.once()
    assert.match(bench.lines.at(-1) ?? '', /^warn: A head of the history is not signed/)
    bench.core.keys = [publicSigningKey('PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw')]
    bench.core.heads = [one, two]
    await bench.once()
    assert.match(bench.lines.at(-1) ?? '', /^error: The keys of the history are those of another installation/)
    assert.deepEqual([...bench.core.stored.keys()], [one.head.day])
  })

  it('asks again later while the core is away', async () => {
    const bench = benchOf(signedHeads(1, { from: firstDay }))
    bench.core.isAway = true
    const { offer, time, log, path } = bench
    const end = startCountersigner({ location: 'fra', file: openCountersignFile(path), offer, time, log })
    await new Promise(setImmediate)
    assert.match(bench.lines.at(-1) ?? '', /^warn: .* could not be signed now/)
    bench.core.isAway = false
    bench.tick()
    await end()
    assert.equal(bench.core.stored.size, 1)
  })

  it('keeps its key from others, and signs nothing once the file is not its own or damaged', async () => {
    const heads = signedHeads(2, { from: firstDay })
    const bench = benchOf(heads.slice(0, 1))
    await bench.once()
    assert.equal(statSync(bench.path).mode & 0o777, 0o600)
    const file = openCountersignFile(bench.path)
    writeFileSync(bench.path, readFileSync(bench.path, 'utf8').replace(firstDay, addDays(firstDay, 5)))
    assert.throws(() => file.read(), /Another process writes/)
    writeFileSync(bench.path, '{"key":')
    assert.throws(() => openCountersignFile(bench.path), /is damaged, and what was signed is not known/)
    assert.throws(() => openCountersignFile(join(folder, 'nowhere', 'key.json')), /cannot be written/)
  })

  it('takes a head that is signed anew for the same head', async () => {
    const [one = assert.fail()] = signedHeads(1, { from: firstDay })
    const bench = benchOf([one])
    await bench.once()
    bench.core.heads = [signedHead(one.head)]
    await bench.once()
    assert.equal(bench.lines.filter((line) => !line.startsWith('info')).length, 0)
  })
})

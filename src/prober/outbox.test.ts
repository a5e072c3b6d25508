import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPhases, type Result } from '#core/results/result.ts'
import { testEvidence } from '../../test/support/evidence.ts'
import { createOutbox } from './outbox.ts'

const result = {
  monitorId: '0b6c1f4e-3f55-4d6e-9d7f-2a8c5f1b7e10',
  version: 1,
  round: 1,
  location: 'here',
  verdict: { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} },
} as const

describe('the outbox of a prober', () => {
  it('sends evidence once, and 8 MB of it at most', async () => {
    const sent: Result[][] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const publishResults = async (_: string, results: Result[]): Promise<void> => {
      sent.push(results)
      if (sent.length <= 3) throw new Error('away')
      if (sent.length === 6) resolve()
    }
    const outbox = createOutbox({ location: 'here', bus: { publishResults }, onDropped: () => {}, random: () => 0 })
    for (let count = 0; count < 300; count += 1) outbox.add({ ...result, evidence: testEvidence() })
    await promise
    const counts = sent.map((list) => list.filter(({ evidence }) => evidence !== undefined).length)
    assert.deepEqual(counts, [100, 100, 56, 0, 0, 0])
    outbox.add({ ...result, evidence: testEvidence() })
    await outbox.close(5_000)
    assert.equal(sent.at(-1)?.[0]?.evidence?.error, 'It failed')
  })

  it('has room for fewer with pictures', async () => {
    const sent: Result[] = []
    const publishResults = async (_: string, results: Result[]): Promise<void> => void sent.push(...results)
    const outbox = createOutbox({ location: 'here', bus: { publishResults }, onDropped: () => {} })
    const lists = { console_errors: [], failed_requests: [], steps_ms: [], picture_note: null }
    const page = { ...lists, picture: 'A'.repeat(8) }
    for (let count = 0; count < 99; count += 1) outbox.add({ ...result, evidence: testEvidence({ page }) })
    await outbox.close(5_000)
    assert.equal(sent.filter(({ evidence }) => evidence !== undefined).length, 69)
  })

  it('sends at once what comes after a while, and what follows within 20 ms in one message', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const sent: { at: number; count: number }[] = []
    const publishResults = async (_: string, results: Result[]): Promise<void> => {
      sent.push({ at: Date.now(), count: results.length })
    }
    const outbox = createOutbox({ location: 'here', bus: { publishResults }, onDropped: () => {} })
    for (const [waitMs, count] of [
      [0, 2],
      [5, 1],
      [10, 1],
      [100, 1],
    ] as const) {
      for (let ms = 0; ms < waitMs; ms += 1) t.mock.timers.tick(1)
      for (let added = 0; added < count; added += 1) outbox.add(result)
      t.mock.timers.tick(1)
      await settled()
    }
    const beganMs = sent[0]?.at ?? assert.fail('nothing was sent')
    assert.deepEqual(
      sent.map(({ at, count }) => [at - beganMs, count]),
      [
        [0, 2],
        [20, 2],
        [118, 1],
      ],
    )
  })

  for (const [luck, random, waits] of [
    ['the longest', 1, [250, 500, 1000, 2000, 2000, 2000]],
    ['the shortest', 0, [125, 250, 500, 1000, 1000, 1000]],
  ] as const)
    it(`tries again within 2 s however long the bus is away, with ${luck} pauses`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
      const tried: number[] = []
      const bus = {
        publishResults: () => {
          tried.push(Date.now())
          return Promise.reject(new Error('away'))
        },
      }
      const outbox = createOutbox({ location: 'here', bus, onDropped: () => {}, random: () => random })
      outbox.add(result)
      for (let ms = 0; ms < 8_000; ms += 5) {
        t.mock.timers.tick(5)
        await settled()
      }
      const pauses = tried.slice(1).map((at, index) => at - (tried[index] ?? 0))
      assert.deepEqual(pauses.slice(0, waits.length), waits)
      assert.ok(pauses.every((pause) => pause <= 2_000))
      assert.equal(outbox.waiting, 1)
    })

  it('begins with short pauses again once a message went through, and drops what could not leave for an hour', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const dropped: number[] = []
    let isAway = true
    let tries = 0
    const publishResults = async (): Promise<void> => {
      tries += 1
      if (isAway) throw new Error('away')
    }
    const outbox = createOutbox({
      location: 'here',
      bus: { publishResults },
      onDropped: ({ length }) => dropped.push(length),
    })
    outbox.add(result)
    for (let ms = 0; ms < 10_000; ms += 20) {
      t.mock.timers.tick(20)
      await settled()
    }
    isAway = false
    for (let ms = 0; ms < 2_020; ms += 20) {
      t.mock.timers.tick(20)
      await settled()
    }
    assert.equal(outbox.waiting, 0)
    isAway = true
    outbox.add(result)
    const before = tries
    for (let ms = 0; ms < 270; ms += 10) {
      t.mock.timers.tick(10)
      await settled()
    }
    assert.equal(tries - before, 2)
    for (let ms = 0; ms < 3_610_000; ms += 500) {
      t.mock.timers.tick(500)
      await settled()
    }
    assert.deepEqual([dropped, outbox.waiting], [[1], 0])
  })
})

/** Lets the code that waits for settled promises go on. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

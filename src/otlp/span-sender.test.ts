import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualTime } from '../../test/simulation/virtual-time.ts'
import { traceReceiver, type TraceStandIn } from '../../test/support/trace-receiver.ts'
import { until } from '../../test/support/until.ts'
import type { Span } from './span.ts'
import { createSpanSender, type SpanOutcome, type SpanSender } from './span-sender.ts'
import { spanIdOf, traceIdOf } from './trace-ids.ts'

type Bench = {
  receiver: TraceStandIn
  sender: SpanSender
  /** By outcome. */
  counts: Record<SpanOutcome, number>
  warnings: string[]
  /** Those that are planned. */
  timers: ReadonlySet<symbol>
  /** Lets so much time pass, and what is sent in it be answered. */
  pass: (ms: number) => Promise<void>
  add: (count: number) => void
}

async function bench(): Promise<Bench> {
  const receiver = await traceReceiver()
  const virtual = new VirtualTime()
  const counts = { taken: 0, refused: 0, dropped: 0 }
  const warnings: string[] = []
  const timers = new Set<symbol>()
  const sender = createSpanSender({
    receiver: { url: receiver.url, headers: { authorization: 'Bearer hunter2' } },
    resource: { 'service.name': 'perigee' },
    onEnded: (outcome, spans) => (counts[outcome] += spans),
    log: { warn: (message, details) => warnings.push(`${message} ${JSON.stringify(details)}`) },
    time: {
      nowMs: () => Date.parse('2026-11-27T12:00:00Z') + virtual.nowMs,
      steadyMs: () => virtual.nowMs,
      after: (ms, work) => {
        const timer = Symbol(`in ${ms} ms`)
        timers.add(timer)
        const cancel = virtual.after(ms, () => {
          timers.delete(timer)
          work()
        })
        return () => {
          timers.delete(timer)
          cancel()
        }
      },
    },
    random: () => 0.5,
  })
  let added = 0
  const add = (count: number): void => {
    for (let index = 0; index < count; index += 1) sender.add(spanOf((added += 1)))
  }
  const pass = (ms: number): Promise<void> => virtual.runUntil(virtual.nowMs + ms)
  return { receiver, sender, counts, warnings, timers, pass, add }
}

function spanOf(number: number): Span {
  const traceId = traceIdOf('monitor', number * 1000)
  const times = { startMs: 1_000, endMs: 1_001 }
  const place = { traceId, spanId: spanIdOf(traceId, 'round'), parentId: null }
  return { ...place, ...times, name: 'round', kind: 'internal', isFailure: false, attributes: { number } }
}

const ended = ({ counts }: Bench): number => counts.taken + counts.refused + counts.dropped
const allEnded = (of: Bench, spans: number): Promise<void> =>
  until(`${spans} spans have ended`, async () => ended(of) === spans)
const asked = ({ receiver }: Bench, requests: number): Promise<void> =>
  until(`${requests} requests came`, async () => receiver.requests.length === requests)
/** The sender has read the answer, and waits for a time to come. */
const waits = ({ timers }: Bench): Promise<void> => until('it waits', async () => timers.size > 0)

describe('the sender of spans', () => {
  it('gathers them for two seconds, and sends each once', async () => {
    const of = await bench()
    of.add(3)
    await of.pass(1_999)
    assert.equal(of.receiver.requests.length, 0)
    of.add(2)
    await of.pass(1)
    await allEnded(of, 5)
    assert.deepEqual(
      of.receiver.taken.map((spans) => spans.map(({ attributes }) => attributes['number'])),
      [[1, 2, 3, 4, 5]],
    )
    const [{ headers, problem } = assert.fail()] = of.receiver.requests
    assert.deepEqual([headers.authorization, problem], ['Bearer hunter2', null])
    assert.deepEqual(of.receiver.taken[0]?.[0]?.resource, { 'service.name': 'perigee' })
    await of.pass(60_000)
    assert.equal(of.receiver.requests.length, 1)
    await of.sender.close()
  })

  it('sends 512 at a time, at once, one request after the other', async () => {
    const of = await bench()
    of.add(1_100)
    await until('two requests are taken', async () => of.counts.taken === 1_024)
    await waits(of)
    await of.pass(2_000)
    await allEnded(of, 1_100)
    assert.deepEqual(
      of.receiver.taken.map(({ length }) => length),
      [512, 512, 76],
    )
    await of.sender.close()
  })

  const repeated = [
    ['429 with Retry-After', { status: 429, headers: { 'Retry-After': '7' } }, 7_000],
    ['429 with a date', { status: 429, headers: { 'Retry-After': 'Fri, 27 Nov 2026 12:00:12 GMT' } }, 10_000],
    ['502', { status: 502 }, 750],
    ['503', { status: 503 }, 750],
    ['504', { status: 504 }, 750],
    ['a connection that ends', 'closed', 750],
  ] as const
  for (const [what, answer, waitMs] of repeated)
    it(`sends again after ${what}, and the same spans`, async () => {
      const of = await bench()
      of.receiver.next.push(answer)
      of.add(2)
      await of.pass(2_000)
      await asked(of, 1)
      await waits(of)
      await of.pass(waitMs - 1)
      assert.equal(of.receiver.requests.length, 1, 'not yet')
      await of.pass(1)
      await allEnded(of, 2)
      assert.deepEqual([of.receiver.requests.length, of.counts], [2, { taken: 2, refused: 0, dropped: 0 }])
      assert.equal(of.warnings.length, 1)
      await of.sender.close()
    })

  it('gives up what was not taken within a minute, and goes on with what came meanwhile', async () => {
    const of = await bench()
    of.receiver.next.push(...Array.from({ length: 30 }, () => ({ status: 503 })))
    of.add(2)
    await of.pass(2_000)
    of.add(4)
    for (let seconds = 0; seconds < 70 && of.counts.dropped === 0; seconds += 1) {
      await until('it waits or gives up', async () => of.timers.size > 0 || of.counts.dropped > 0)
      await of.pass(1_000)
    }
    assert.deepEqual(of.counts, { taken: 0, refused: 0, dropped: 2 })
    assert.ok(of.receiver.requests.length >= 5 && of.receiver.requests.length <= 9, `${of.receiver.requests.length}`)
    of.receiver.next.splice(0)
    await of.pass(2_000)
    await allEnded(of, 6)
    assert.equal(of.counts.taken, 4)
    assert.equal(of.warnings.length, 1, 'the same reason once')
    await of.sender.close()
  })

  it('gives up at once where a receiver asks it to wait for longer than that', async () => {
    const of = await bench()
    of.receiver.next.push({ status: 429, headers: { 'Retry-After': '120' } })
    of.add(2)
    await of.pass(2_000)
    await allEnded(of, 2)
    assert.equal(of.counts.dropped, 2)
    await of.sender.close()
  })

  it('sends nothing again that is refused, and counts what of it was left out', async () => {
    const of = await bench()
    of.receiver.next.push({ status: 400 }, { status: 404 })
    of.receiver.next.push({ status: 200, body: '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}' })
    for (const count of [1, 2, 5]) {
      const before = ended(of)
      of.add(count)
      await of.pass(2_000)
      await allEnded(of, before + count)
    }
    assert.deepEqual(of.counts, { taken: 2, refused: 6, dropped: 0 })
    assert.equal(of.receiver.requests.length, 3)
    const said = 'Traces could not be pushed to PERIGEE_OTLP_ENDPOINT.'
    assert.deepEqual(of.warnings, [
      `${said} {"problem":"It answered 400."}`,
      `${said} {"problem":"It answered 404."}`,
      `${said} {"problem":"It left out 3 spans: too old"}`,
    ])
    assert.ok(!JSON.stringify(of.warnings).includes('hunter2'))
    await of.sender.close()
  })

  it('holds 4,096 and drops what comes beside, while a receiver is silent', async () => {
    const of = await bench()
    of.receiver.next.push('silent')
    of.add(512)
    await asked(of, 1)
    of.add(5_000)
    assert.deepEqual(of.counts, { taken: 0, refused: 0, dropped: 5_000 - 4_096 })
    const closed = of.sender.close()
    await of.pass(3_000)
    await closed
    assert.deepEqual(of.counts, { taken: 0, refused: 0, dropped: 5_512 })
  })

  it('sends what waits when it is closed, and takes nothing more', async () => {
    const of = await bench()
    of.add(3)
    await of.sender.close()
    of.add(1)
    assert.deepEqual(of.counts, { taken: 3, refused: 0, dropped: 1 })
    await of.sender.close()
  })

  it('tries once more when it is closed while it waits, and then lets go', async () => {
    const of = await bench()
    of.receiver.next.push({ status: 503 }, { status: 503 })
    of.add(3)
    await of.pass(2_000)
    await asked(of, 1)
    await waits(of)
    await of.sender.close()
    assert.deepEqual([of.counts, of.receiver.requests.length], [{ taken: 0, refused: 0, dropped: 3 }, 2])
  })
})

import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { burn } from '../../test/support/burn.ts'
import { until } from '../../test/support/until.ts'
import { createTraffic, type Mark, newTrace } from '#net/ground/trace.ts'
import { createWorkMemory, markWork, readWork, type Work, type WorkMarks, type WorkReader } from './work-marks.ts'

function workOf(monitorId: string, type: Work['type'] = 'check'): Work {
  return { type, location: 'here', monitorId }
}

type Bench = {
  /** As a prober does, with the net that it asks. */
  during: (work: Work | Mark, run: () => Promise<void>) => Promise<void>
  marks: WorkMarks
  enter: () => void
  reader: WorkReader
}

function open(): Bench {
  const memory = createWorkMemory()
  const marks = markWork(memory)
  after(marks.stop)
  const traffic = createTraffic({ onEntered: marks.enter })
  return {
    during: (work, run) => traffic.during(newTrace('type' in work ? marks.of(work) : work), run),
    marks,
    enter: traffic.entered,
    reader: readWork(memory),
  }
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

describe('the marks of a thread', () => {
  it('name the check in whose course the code runs, whichever was begun last', async () => {
    const { during, enter, reader } = open()
    const { promise, resolve } = Promise.withResolvers<void>()
    const named: Work[] = []
    const first = during(workOf('first'), async () => {
      named.push(reader.work())
      await promise
      enter()
      named.push(reader.work())
    })
    const second = during(workOf('zweiter ü', 'trial'), async () => {
      named.push(reader.work())
    })
    await second
    resolve()
    await first
    assert.deepEqual(named, [workOf('first'), workOf('zweiter ü', 'trial'), workOf('first')])
  })

  it('tell two checks of one monitor apart, and each stretch of one', async () => {
    const { during, enter, reader } = open()
    const seen: { stretch: number; check: number }[] = []
    for (let round = 0; round < 2; round += 1)
      await during(workOf('m'), async () => {
        seen.push(reader.seen())
        await turn()
        enter()
        seen.push(reader.seen())
      })
    assert.equal(new Set(seen.map(({ check }) => check)).size, 2)
    assert.equal(new Set(seen.map(({ stretch }) => stretch)).size, 4)
  })

  it('say that the thread turned, and works on none, without anything to do', async () => {
    const { during, reader } = open()
    await during(workOf('m'), async () => {})
    const { stretch, check } = reader.seen()
    assert.notEqual(check, 0)
    await until('the thread has turned', () => reader.seen().check === 0)
    assert.notEqual(reader.seen().stretch, stretch)
  })

  it('need nothing of a thread that works on none', async () => {
    const before = timers()
    const { during, reader } = open()
    assert.equal(timers(), before)
    await during(workOf('m'), async () => {})
    assert.equal(timers(), before + 1)
    await until('the thread has turned', () => reader.seen().check === 0)
    assert.equal(timers(), before)
  })

  it('leave out code that runs in the course of no check, and names that are too long', async () => {
    const { during, enter, reader } = open()
    const before = reader.seen()
    enter()
    assert.deepEqual(reader.seen(), before)
    await during(workOf('x'.repeat(5_000)), async () => {})
    assert.equal(reader.seen().check, 0)
  })

  it('tell what a check took of the processor, in all its stretches, and nothing of what others took', async () => {
    const { during, marks, enter } = open()
    const [dear, cheap] = [marks.of(workOf('dear')), marks.of(workOf('x'.repeat(5_000)))]
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = during(dear, async () => {
      burn(30)
      await promise
      enter()
      burn(20)
    })
    const second = during(cheap, async () => burn(10))
    await second
    const cheapMs = marks.tookMs(cheap)
    burn(200)
    resolve()
    await first
    const dearMs = marks.tookMs(dear)
    burn(200)
    assert.ok(cheapMs >= 9 && cheapMs < 30, `${cheapMs} ms`)
    assert.ok(dearMs >= 49 && dearMs < 200, `${dearMs} ms`)
    assert.deepEqual([marks.tookMs(dear), marks.tookMs(cheap)], [dearMs, cheapMs], 'a check that is over takes nothing')
  })
})

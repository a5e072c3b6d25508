import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { boundedWarnings } from './bounded-warnings.ts'

type Line = [message: string, details: Record<string, unknown> | undefined]

/** Warnings of which the minutes end when the test says so. */
function play(): ReturnType<typeof boundedWarnings> & { lines: Line[]; endMinute: () => void; timers: () => number } {
  const lines: Line[] = []
  const timers = new Set<() => void>()
  const bounded = boundedWarnings((message, details) => lines.push([message, details]), {
    after: (ms, work) => {
      assert.equal(ms, 60_000)
      timers.add(work)
      return () => timers.delete(work)
    },
  })
  const endMinute = (): void => {
    for (const work of timers) work()
  }
  return { ...bounded, lines, endMinute, timers: () => timers.size }
}

const leftOut = 'Warnings of the probers were left out, because there were too many.'

describe('warnings of a process of probers', () => {
  it('are said as they come, up to a hundred a minute, and at its end how many more there were', () => {
    const { warn, lines, endMinute, timers } = play()
    for (let index = 0; index < 100; index += 1) warn('no', { index })
    assert.deepEqual([lines.length, lines[99], timers()], [100, ['no', { index: 99 }], 1])
    for (let index = 0; index < 5_000; index += 1) warn('no', { index })
    assert.equal(lines.length, 100)
    endMinute()
    assert.deepEqual([lines.slice(100), timers()], [[[leftOut, { count: 5_000 }]], 0])
    warn('again')
    assert.deepEqual([lines.at(-1), lines.length], [['again', undefined], 102])
    endMinute()
    assert.deepEqual([lines.length, timers()], [102, 0], 'nothing is said of a minute in which all were said')
  })

  it('that were left out are told at the end of the probers as well', () => {
    const { warn, end, lines, timers } = play()
    for (let index = 0; index < 101; index += 1) warn('no')
    end()
    end()
    assert.deepEqual([lines.length, lines.at(-1), timers()], [101, [leftOut, { count: 1 }], 0])
  })
})

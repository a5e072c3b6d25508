import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asideKeyOf, createAsideBook, createAsides, endedReasons } from './set-aside.ts'
import type { Work } from './work-marks.ts'

const minute = 60_000
const at = new Date('2026-11-23T23:50:30Z')

function checkOf(monitorId: string): Omit<Work, 'location'> {
  return { type: 'check', monitorId }
}

describe('monitors that are set aside', () => {
  it('stay so for 15 minutes, then twice as long each time, up to four hours', () => {
    let nowMs = 0
    const book = createAsideBook(() => nowMs)
    const minutes = Array.from({ length: 7 }, () => {
      const { forMs } = book.put('m', { at, why: endedReasons.processor })
      nowMs += forMs
      return forMs / minute
    })
    assert.deepEqual(minutes, [15, 30, 60, 120, 240, 240, 240])
    nowMs += 240 * minute
    assert.equal(book.put('m', { at, why: endedReasons.processor }).forMs, 15 * minute)
    assert.equal(book.put('other', { at, why: endedReasons.processor }).forMs, 15 * minute)
  })

  it('say why, and until when', () => {
    const { reason } = createAsideBook(() => 0).put('m', { at, why: endedReasons.processor })
    assert.match(reason, /took more than 4 s of the processor/)
    assert.match(reason, /This location checks again after 2026-11-24 00:05 UTC\.$/)
  })

  it('are known to a thread that begins later, for as long as it lasts', () => {
    let nowMs = 0
    const book = createAsideBook(() => nowMs)
    const aside = book.put('m', { at, why: endedReasons.processor })
    nowMs += 10 * minute
    // Each thread has a clock of its own.
    let threadMs = 5
    const asides = createAsides(book.list(), () => threadMs)
    assert.equal(asides.reasonFor(checkOf('m')), aside.reason)
    assert.equal(asides.reasonFor(checkOf('other')), null)
    assert.deepEqual(asides.monitors(), ['m'])
    threadMs += 5 * minute
    assert.deepEqual(asides.monitors(), [])
    assert.equal(asides.reasonFor(checkOf('m')), null)
    nowMs += 5 * minute
    assert.deepEqual(book.list(), [])
    asides.add(aside)
    assert.equal(asides.reasonFor(checkOf('m')), aside.reason)
  })

  it('are remembered up to a bound', () => {
    const book = createAsideBook(() => 0)
    for (let index = 0; index < 1_500; index += 1) book.put(`m${index}`, { at, why: endedReasons.processor })
    const list = book.list()
    assert.deepEqual([list.length, list.at(-1)?.key], [1_000, 'm1499'])
  })

  it('are beside trials, of which a workspace has all set aside together', () => {
    const trial = { type: 'trial', monitorId: 'made for it', shareKey: 'a' } as const
    const key = asideKeyOf(trial) ?? assert.fail('no key')
    const asides = createAsides([createAsideBook(() => 0).put(key, { at, why: endedReasons.processor })], () => 0)
    assert.match(String(asides.reasonFor({ ...trial, monitorId: 'another' })), /The check was ended/)
    assert.equal(asides.reasonFor({ ...trial, shareKey: 'b' }), null)
    assert.equal(asides.reasonFor({ type: 'trial', monitorId: 'of nobody' }), null)
    assert.equal(asides.reasonFor(checkOf('a')), null)
    assert.deepEqual(asides.monitors(), [], 'a trial is no monitor')
  })
})

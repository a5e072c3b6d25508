import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Tally } from './caller.ts'
import { judgeAnswers, judgeBeside, judgeMemory, judgeStreams } from './judge.ts'
import { addTaken, type Taken } from './surfaces.ts'

const tally: Tally = {
  asked: 10,
  statuses: { 200: 8, 429: 1, 503: 1 },
  withoutRetry: 0,
  late: 0,
  broken: 0,
  seconds: 1,
  p50: 1,
  p99: 2,
  known: [],
}

describe('answers under load', () => {
  it('may be refusals that say when to come again', () => assert.deepEqual(judgeAnswers('reads', tally), []))
  const wrong: [name: string, changes: Partial<Tally>, found: RegExp][] = [
    ['another fault', { statuses: { 200: 9, 500: 1 } }, /1 of 10 requests were answered 500/],
    ['a refusal without a word of when', { withoutRetry: 2 }, /2 refusals had no Retry-After/],
    ['none at all', { late: 3 }, /3 of 10 requests had no answer/],
    ['a broken connection', { broken: 1 }, /1 of 10 connections broke/],
  ]
  for (const [name, changes, found] of wrong)
    it(`are not ${name}`, () => assert.match(judgeAnswers('reads', { ...tally, ...changes }).join('\n'), found))
})

describe('streams under load', () => {
  const streams = { open: 4, messages: 9, gapP50: 1, gapMost: 2, silentMostMs: 20_000, refused: 4, broken: 0 }
  it('may be refused, and wait for a beat', () => assert.deepEqual(judgeStreams(streams, 30_000), []))
  it('do not end', () => assert.match(judgeStreams({ ...streams, broken: 1 }, 30_000).join(), /1 ended/))
  it('are not silent for long', () => assert.match(judgeStreams(streams, 15_000).join(), /silent for 20000 ms/))
})

describe('memory under load', () => {
  const bounds = { mostResidentGrowth: 100, mostUsedShare: 1.1, usedAllowance: 10 }
  const memory = { usedBefore: 100, usedAfter: 120, residentBefore: 300, residentMost: 400 }
  it('stays within its bounds', () => assert.deepEqual(judgeMemory(memory, bounds), []))
  it('comes back', () => assert.match(judgeMemory({ ...memory, usedAfter: 121 }, bounds).join(), /used 100 MiB before/))
  it('has a bound', () => assert.match(judgeMemory({ ...memory, residentMost: 401 }, bounds).join(), /grew from 300/))
})

describe('a quiet caller beside a flood', () => {
  it('waits for so many times as long at most', () => {
    assert.deepEqual([beside(10, 100), beside(1, 50)], [[], []])
    assert.match(beside(10, 101).join(), /pages took 101 ms beside a flood of reads/)
    assert.match(beside(1, 51).join(), /pages took 51 ms/)
  })
})

describe('what was taken', () => {
  const asked = [{ method: 'PATCH', url: 'a' }] as const
  it('is summed over runs, with the last name that is certain', () => {
    const all = new Map<string, Taken>()
    addTaken(all, asked, known(3, 4, 2))
    addTaken(all, asked, known(0, 0, 0))
    assert.deepEqual(all.get('a'), { taken: 3, last: 'written 4', isLastKnown: true })
    addTaken(all, asked, known(1, 1, 2))
    assert.deepEqual(all.get('a'), { taken: 4, last: 'written 1', isLastKnown: false })
  })
})

function beside(usualMs: number, besideMs: number): string[] {
  return judgeBeside({ name: 'pages', flooded: 'reads' }, { usualMs, besideMs }, { factor: 10, leastMs: 50 })
}

function known(taken: number, last: number, lastUnknown: number): Tally {
  return { ...tally, known: [{ taken, last, unknown: lastUnknown > 0 ? 1 : 0, lastUnknown }] }
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { type Attention, checkAttentively } from './attentive.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} }
const refused: Verdict = { ...up, status: 'down', statusCode: null, error: 'Connection refused' }
const late: Verdict = { ...refused, error: 'Timed out' }

/** A target that never answers. */
async function hangs(signal: AbortSignal): Promise<Verdict> {
  await once(signal, 'abort')
  return late
}

type Case = {
  what: string
  /** One for each time the check is made; the last one stays. */
  checks: ((signal: AbortSignal) => Promise<Verdict>)[]
  /** Milliseconds for which the thread stood still during each. */
  stalledMs: number[]
  attention?: Partial<Attention>
  expected: { verdict: Verdict | null; times: number; leastMs?: number }
}

const answers = (verdict: Verdict) => async (): Promise<Verdict> => verdict

const cases: Case[] = [
  {
    what: 'is made once where the thread always turned',
    checks: [answers(up)],
    stalledMs: [0],
    expected: { verdict: up, times: 1 },
  },
  {
    what: 'that found its target well is made again once where the thread stood still',
    checks: [answers({ ...up, latencyMs: 900 }), answers(up)],
    stalledMs: [400, 0],
    expected: { verdict: up, times: 2 },
  },
  {
    what: 'that failed is made again once where the thread stood still',
    checks: [answers(refused), answers(up)],
    stalledMs: [400, 0],
    expected: { verdict: up, times: 2 },
  },
  {
    what: 'counts at its second time, however the thread stutters',
    checks: [answers(refused)],
    stalledMs: [400],
    expected: { verdict: refused, times: 2 },
  },
  {
    what: 'is not made again for a round that does not wait for it',
    checks: [answers(refused)],
    stalledMs: [400],
    attention: { lastStartMs: -1 },
    expected: { verdict: refused, times: 1 },
  },
  {
    what: 'of a target that hangs is told once the target had its whole time',
    checks: [hangs],
    stalledMs: [60],
    expected: { verdict: late, times: 1, leastMs: 100 },
  },
  {
    what: 'of a target that never had its time tells nothing',
    checks: [hangs],
    stalledMs: [5_000],
    attention: { lastEndMs: 80 },
    expected: { verdict: null, times: 1 },
  },
]

describe('a check', () => {
  for (const { what, checks, stalledMs, attention, expected } of cases)
    it(what, async () => {
      let times = 0
      const startedMs = performance.now()
      const verdict = await checkAttentively(
        (signal) => {
          times += 1
          return (checks[times - 1] ?? checks.at(-1) ?? assert.fail())(signal)
        },
        {
          stalls: { stalledMs: () => stalledMs[times - 1] ?? stalledMs.at(-1) ?? 0 },
          deadlineMs: 50,
          lastStartMs: startedMs + (attention?.lastStartMs ?? 10_000),
          lastEndMs: startedMs + (attention?.lastEndMs ?? 20_000),
        },
      )
      assert.deepEqual({ verdict, times }, { verdict: expected.verdict, times: expected.times })
      assert.ok(performance.now() - startedMs >= (expected.leastMs ?? 0))
    })
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, mock } from 'node:test'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { systemTime } from '#time/time.ts'
import { type Attention, checkAttentively } from './attentive.ts'
import { createUntoldRounds, type UntoldRounds } from './untold-rounds.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} }
const refused: Verdict = { ...up, status: 'down', statusCode: null, error: 'Connection refused' }
const wrongStatus: Verdict = { ...up, status: 'down', statusCode: 500, details: { failed_assertion: 'status' } }
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
  /** Whether the target's last word was one that waiting cannot change. */
  isConclusive?: boolean
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
    what: 'that failed by a word that waiting cannot change is told at once',
    checks: [answers(refused)],
    stalledMs: [400],
    isConclusive: true,
    expected: { verdict: refused, times: 1 },
  },
  {
    what: 'that was answered with a wrong status is told at once',
    checks: [answers(wrongStatus)],
    stalledMs: [400],
    expected: { verdict: wrongStatus, times: 1 },
  },
  {
    what: 'that was answered that it was slow is made again',
    checks: [answers({ ...wrongStatus, statusCode: 408 }), answers(up)],
    stalledMs: [400, 0],
    expected: { verdict: up, times: 2 },
  },
  {
    what: 'that found its target well by a conclusive word is made again where its time was not measured well',
    checks: [answers({ ...up, latencyMs: 900 }), answers(up)],
    stalledMs: [400, 0],
    isConclusive: true,
    expected: { verdict: up, times: 2 },
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

type Playing = Pick<Case, 'checks' | 'stalledMs' | 'isConclusive' | 'attention'>

type Played = { verdict: Verdict | null; times: number; tookMs: number }
type Whose = { untold?: UntoldRounds; monitorId?: string | null }

/** On a clock that only this function moves. `times` is how often the check was made. */
async function play(playing: Playing, { untold = createUntoldRounds(), monitorId = 'm' }: Whose = {}): Promise<Played> {
  const { checks, stalledMs, isConclusive = false, attention = {} } = playing
  let nowMs = 1_000
  let times = 0
  mock.timers.enable({ apis: ['setTimeout'] })
  const clock = mock.method(performance, 'now', () => nowMs)
  try {
    const ended = new AbortController()
    const check = (signal: AbortSignal): Promise<Verdict> => {
      times += 1
      return (checks[times - 1] ?? checks.at(-1) ?? assert.fail())(signal)
    }
    const checked = checkAttentively(check, {
      time: systemTime,
      stalls: { stalledMs: () => stalledMs[times - 1] ?? stalledMs.at(-1) ?? 0 },
      isConclusive: () => isConclusive,
      untold,
      monitorId,
      deadlineMs: 50,
      lastStartMs: nowMs + (attention.lastStartMs ?? 10_000),
      lastEndMs: nowMs + (attention.lastEndMs ?? 20_000),
    }).finally(() => ended.abort())
    while (!ended.signal.aborted) {
      await new Promise((resolve) => setImmediate(resolve))
      nowMs += 1
      mock.timers.tick(1)
    }
    return { verdict: await checked, times, tookMs: nowMs - 1_000 }
  } finally {
    clock.mock.restore()
    mock.timers.reset()
  }
}

describe('a check', () => {
  for (const { what, expected, ...playing } of cases)
    it(what, async () => {
      const { verdict, times, tookMs } = await play(playing)
      assert.deepEqual({ verdict, times }, { verdict: expected.verdict, times: expected.times })
      assert.ok(tookMs >= (expected.leastMs ?? 0))
    })

  it('of a target that never had its whole time tells nothing for two rounds in a row, and no more', async () => {
    const untold = createUntoldRounds()
    // Of a deadline of 50 ms, the thread turned for 40 when the round was over.
    const stutters = { checks: [hangs], stalledMs: [60], attention: { lastEndMs: 80 } }
    const round = async (playing: Playing): Promise<Verdict | null> => (await play(playing, { untold })).verdict
    assert.deepEqual([await round(stutters), await round(stutters)], [null, null])
    assert.deepEqual([await round(stutters), await round(stutters)], [late, late])
    assert.deepEqual(await round({ checks: [answers(up)], stalledMs: [0] }), up)
    assert.equal(await round(stutters), null, 'counts anew')
  })

  it('of a target that had hardly any of its time never tells', async () => {
    const untold = createUntoldRounds()
    const stands = { checks: [hangs], stalledMs: [95], attention: { lastEndMs: 80 } }
    for (let round = 0; round < 5; round += 1) assert.equal((await play(stands, { untold })).verdict, null)
  })

  it('of a trial that never had its whole time never tells', async () => {
    const stutters = { checks: [hangs], stalledMs: [60], attention: { lastEndMs: 80 } }
    for (let round = 0; round < 4; round += 1) assert.equal((await play(stutters, { monitorId: null })).verdict, null)
  })

  it('is not over before what came during a stall is read', async () => {
    const stalledMs = [0]
    const checks = [
      async (signal: AbortSignal): Promise<Verdict> => {
        const { promise, resolve } = Promise.withResolvers<void>()
        setTimeout(resolve, 70)
        stalledMs[0] = 5_000
        await promise
        return signal.aborted ? late : up
      },
    ]
    const { verdict } = await play({ checks, stalledMs, attention: { lastStartMs: -1, lastEndMs: 40 } })
    assert.deepEqual(verdict, up)
  })
})

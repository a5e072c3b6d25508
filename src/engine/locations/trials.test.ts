import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EngineBus } from '#bus/bus.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import type { AskedTrial } from '#core/monitors/trial.ts'
import { configuration } from '../../../test/support/bus-contract.ts'
import { createPresenceBook } from './presence.ts'
import { createTrials } from './trials.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} }

function bench(answer: () => Promise<Verdict | null>) {
  const presence = createPresenceBook()
  presence.note({ location: 'here', prober: 'p1', isLeaving: false }, 0)
  const asked: string[] = []
  const tryCheck: EngineBus['tryCheck'] = async (location, prober, { withinMs }) => {
    asked.push(`${location}/${prober} within ${withinMs} ms`)
    return answer()
  }
  const ask = createTrials({ bus: { tryCheck }, presence, now: () => 0 })
  const trial = (changes: Partial<AskedTrial> = {}) =>
    ask({ workspaceId: 'w1', location: 'here', configuration, deadlineMs: 1_000, ...changes })
  return { trial, asked }
}

describe('trials', () => {
  it('ask a prober of the location, and say what came back', async () => {
    const { trial, asked } = bench(async () => up)
    assert.deepEqual(await trial(), { type: 'checked', verdict: up })
    assert.deepEqual(asked, ['here/p1 within 13000 ms'])
    assert.deepEqual(await trial({ location: 'elsewhere' }), { type: 'offline' })
    assert.deepEqual(await bench(async () => null).trial(), { type: 'untold' })
    assert.deepEqual(await bench(() => Promise.reject(new Error('late'))).trial(), { type: 'silent' })
  })

  it('are bounded for a workspace and for all, and go on when others have ended', async () => {
    const waiting: (() => void)[] = []
    const { trial } = bench(() => new Promise((resolve) => waiting.push(() => resolve(up))))
    const begin = (workspaceId: string, count: number) => Array.from({ length: count }, () => trial({ workspaceId }))
    const first = begin('w1', 4)
    assert.deepEqual(await trial({ workspaceId: 'w1' }), { type: 'busy' })
    const others = Array.from({ length: 15 }, (_, index) => begin(`x${index}`, 4)).flat()
    assert.deepEqual(await trial({ workspaceId: 'w2' }), { type: 'busy' })
    for (const end of waiting.splice(0)) end()
    const outcomes = await Promise.all([...first, ...others])
    assert.ok(outcomes.every(({ type }) => type === 'checked'))
    const last = begin('w1', 5)
    await Promise.resolve()
    for (const end of waiting.splice(0)) end()
    assert.deepEqual(
      (await Promise.all(last)).map(({ type }) => type),
      ['checked', 'checked', 'checked', 'checked', 'busy'],
    )
  })
})

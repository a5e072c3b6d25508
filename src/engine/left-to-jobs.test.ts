import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineBench, failing, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'

describe('the jobs hear of a transaction', async () => {
  let noted = 0
  const bench = await engineBench({ onWork: () => (noted += 1) })
  const { id } = await createMonitor(bench.api, { interval_seconds: 86_400, locations: ['amsterdam'] })
  const [told = assert.fail('it was not asked')] = await bench.taken(id, ['amsterdam'])
  let rounds = 0
  /** Answers a round of the monitor; gives how often the jobs heard of it, and how the monitor stands. */
  const answer = async (verdict: Parameters<typeof bench.answer>[1]): Promise<[heard: boolean, status: string]> => {
    const before = noted
    await bench.answer({ ...told, round: told.round + rounds * 1_000 }, verdict)
    rounds += 1
    return [noted > before, (await standingOf(bench.database, id)).current_status]
  }

  it('that opens or resolves an incident, and of none that says what is known', async () => {
    const heard = [
      await answer({}),
      await answer({}),
      await answer(failing),
      await answer(failing),
      await answer({}),
      await answer({}),
    ]
    assert.deepEqual(heard, [
      [false, 'up'],
      [false, 'up'],
      [true, 'down'],
      [false, 'down'],
      // Two good rounds in a row are a recovery.
      [false, 'down'],
      [true, 'up'],
    ])
  })
})

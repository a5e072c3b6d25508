import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineBench, failing, standingOf } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'

describe('the jobs hear of a transaction', async () => {
  let noted = 0
  const bench = await engineBench({ onWork: () => (noted += 1) })

  it('that opens or resolves an incident, and of none that says what is known', async () => {
    const { id } = await createMonitor(bench.api, { interval_seconds: 86_400, locations: ['amsterdam'] })
    const [told = assert.fail('it was not asked')] = await bench.taken(id, ['amsterdam'])
    const heard: [heard: boolean, status: string][] = []
    for (const [round, verdict] of [{}, {}, failing, failing, {}, {}].entries()) {
      const before = noted
      await bench.answer({ ...told, round: told.round + round * 1_000 }, verdict)
      heard.push([noted > before, (await standingOf(bench.database, id)).current_status])
    }
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

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engineBench, failing, incidentsOf, only } from '../../test/support/engine.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

describe('lines of a round', () => {
  it('name its monitor and the round, and the incident that it opened', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { locations: ['amsterdam'], failure_threshold: 1 })
    const [told = assert.fail()] = await bench.taken(id, ['amsterdam'])
    await bench.answer(told, failing)
    const incident = only(await incidentsOf(bench.database, id))
    const about = { monitor_id: id, round: told.round }
    const linesOf = (message: string): unknown[] =>
      bench.lines.filter((line) => line.message === message).map(({ details }) => details)
    assert.deepEqual(linesOf('An incident was opened.'), [
      { ...about, location: 'amsterdam', incident_id: incident.id },
    ])
    assert.deepEqual(linesOf('A round was decided.'), [{ ...about, outcome: 'failed', status: 'down' }])
  })

  it('name it where a result is set aside', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, { locations: ['amsterdam'] })
    const [told = assert.fail()] = await bench.taken(id, ['amsterdam'])
    const round = told.round + 3_600_000_000
    await bench.answer({ ...told, round }, {})
    await until('it is told', async () => bench.warnings.length > 0)
    assert.deepEqual(
      bench.lines.filter(({ message }) => message === 'A result was set aside.'),
      [
        {
          message: 'A result was set aside.',
          details: { monitor_id: id, round, location: 'amsterdam', reason: 'round lies in the future' },
        },
      ],
    )
  })
})

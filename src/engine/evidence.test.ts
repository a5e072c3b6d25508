import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readIncidentEvidence } from '#store/incidents/evidence.ts'
import { type EngineBench, engineBench, failing } from '../../test/support/engine.ts'
import { testEvidence } from '../../test/support/evidence.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

const places = ['amsterdam', 'boston']

async function keptOf({ database, api }: EngineBench, count: number) {
  const read = async () => {
    const { rows } = await database.pool.query<{ id: string }>('select id from incidents')
    const [incident] = rows
    return incident === undefined ? [] : readIncidentEvidence(database, api.services.secrets, incident.id)
  }
  await until(`${count} pieces of evidence`, async () => (await read()).length === count)
  return read()
}

describe('evidence of failures', { concurrency: 3 }, () => {
  it('is kept of the round that opens the incident, by location, and of each other failure', async () => {
    const bench = await engineBench()
    const thresholds = { failure_threshold: 2, confirmation_threshold: 2, recovery_threshold: 1 }
    const { id } = await createMonitor(bench.api, { interval_seconds: 10, locations: places, ...thresholds })
    const rounds = [await bench.taken(id, places)]
    for (const told of rounds[0] ?? []) await bench.answer(told, failing, testEvidence({ error: 'first' }))
    rounds.push(await bench.taken(id, places))
    for (const told of rounds[1] ?? []) await bench.answer(told, failing, testEvidence({ error: told.location }))
    const opened = await keptOf(bench, 2)
    assert.deepEqual(
      opened.map(({ location, evidence, at }) => [location, evidence.error, at.getTime() * 1000]),
      places.map((place) => [place, place, rounds[1]?.[0]?.round]),
    )
    for (const told of await bench.taken(id, places))
      await bench.answer(told, { ...failing, error: 'Another' }, testEvidence({ error: 'another' }))
    const all = await keptOf(bench, 4)
    assert.deepEqual(
      all.map(({ evidence }) => evidence.error),
      [...places, 'another', 'another'],
    )
    for (const told of await bench.taken(id, places))
      await bench.answer(told, { ...failing, error: 'Another' }, testEvidence({ error: 'the same again' }))
    await bench.engine.stop()
    assert.equal((await keptOf(bench, 4)).length, 4)
  })

  it('is of no use when the location got an answer before the incident', async () => {
    const bench = await engineBench()
    const { id } = await createMonitor(bench.api, {
      interval_seconds: 10,
      locations: places,
      confirmation_threshold: 2,
    })
    for (const told of await bench.taken(id, places))
      await bench.answer(told, told.location === 'boston' ? {} : failing, testEvidence({ error: 'too early' }))
    for (const told of await bench.taken(id, places)) await bench.answer(told, {})
    for (const told of await bench.taken(id, places))
      await bench.answer(told, failing, ...(told.location === 'boston' ? [testEvidence({ error: 'in time' })] : []))
    const kept = await keptOf(bench, 1)
    assert.deepEqual(
      kept.map(({ location, evidence }) => [location, evidence.error]),
      [['boston', 'in time']],
    )
  })

  it('costs the incident nothing when it cannot be kept', async () => {
    const bench = await engineBench()
    await bench.database.pool.query('alter table incident_evidence rename to elsewhere')
    const { id } = await createMonitor(bench.api, { interval_seconds: 10, locations: ['amsterdam'] })
    for (const told of await bench.taken(id, ['amsterdam'])) await bench.answer(told, failing, testEvidence())
    const { rows } = await bench.database.pool.query("select from incidents where status = 'open'")
    assert.equal(rows.length, 1)
    await until('the loss is told', async () => bench.warnings.includes('Evidence of incidents was lost.'))
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mask } from '#core/language/mask.ts'
import { readIncidentEvidence } from '#store/incidents/evidence.ts'
import { type EngineBench, engineBench, failing, only } from '../../test/support/engine.ts'
import { testEvidence } from '../../test/support/evidence.ts'
import { createHeartbeat, statusIs } from '../../test/support/heartbeat.ts'
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

async function runLogs({ database }: EngineBench): Promise<object[]> {
  const { rows } = await database.pool.query<object>('select from monitor_state where run_log is not null')
  return rows
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

  it('of a job is the end of its log, of each run that failed, without the address and what looks like a secret', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, { keep_evidence: true })
    const { rows } = await bench.database.pool.query<{ token: Buffer }>(
      'select call_token as token from monitors where id = $1',
      [id],
    )
    const place = { column: 'monitors.call_token', id } as const
    const token = bench.api.services.secrets.decrypt(rows[0]?.token ?? assert.fail(), place)
    const log = `first line\n${'x'.repeat(11_000)}\nPGPASSWORD=hunter2\ncurl /ping/${token}/fail`
    assert.equal((await call('/3', { method: 'POST', body: log })).status, 200)
    assert.equal((await call('/3', { method: 'POST', body: 'disk full' })).status, 200)
    const kept = await keptOf(bench, 2)
    assert.deepEqual(
      kept.map(({ evidence }) => [evidence.error, evidence.log]),
      [
        ['The run reported a failure with exit code 3', `PGPASSWORD=${mask}\ncurl /ping/${mask}/fail`],
        ['The run reported a failure with exit code 3', 'disk full'],
      ],
    )
  })

  it('of a job begins with what its run has sent before, which the next run does not have', async () => {
    const bench = await engineBench()
    const { call } = await createHeartbeat(bench, { keep_evidence: true })
    const said = async (suffix: string, body: string): Promise<void> => {
      assert.equal((await call(suffix, { method: 'POST', body })).status, 200)
    }
    await said('/log', 'of a run before')
    await said('/start', '')
    await said('/log', 'dumping, password=hunter2')
    await said('/log', 'compressing')
    await said('/fail', 'disk full')
    assert.deepEqual(await runLogs(bench), [])
    await said('/log', 'a run without a start')
    assert.equal((await runLogs(bench)).length, 1)
    await said('/7', '')
    await said('/log', 'a run that succeeds')
    await said('', '')
    await said('/fail', 'failed at once')
    const kept = await keptOf(bench, 2)
    assert.deepEqual(
      kept.map(({ evidence }) => evidence.log),
      [`dumping, password=${mask}\ncompressing\ndisk full`, 'a run without a start'],
    )
  })

  it('of a job has none of the secrets of its workspace', async () => {
    const bench = await engineBench()
    const [header, option] = ['header of the workspace', 'option of the workspace']
    await createMonitor(bench.api, { request_headers: { 'X-Key': header } })
    const redis = { kind: 'redis', url: 'rediss://cache.example', check_options: { password: option } }
    await createMonitor(bench.api, redis)
    const { call, id } = await createHeartbeat(bench, { keep_evidence: true })
    const contact = { kind: 'slack', name: 'Ours', destination: 'https://hooks.slack.com/services/T0/hidden' }
    assert.equal((await bench.api.post('/alert-channels', contact)).status, 201)
    const body = [
      header,
      option,
      Buffer.from(header).toString('base64'),
      'https://hooks.slack.com/services/T0/hidden',
      'services are down',
    ].join('\n')
    assert.equal((await call('/log', { method: 'POST', body })).status, 200)
    const { rows } = await bench.database.pool.query<{ key: string; log: Buffer }>(
      'select monitor_key as key, run_log as log from monitor_state where run_log is not null',
    )
    const { key, log } = only(rows)
    const opened = bench.api.services.secrets.decrypt(log, { column: 'monitor_state.run_log', id: key })
    assert.equal(opened, [mask, mask, mask, `https://${mask}`, 'services are down'].join('\n'), id)
  })

  it('of a job costs its failure nothing when the secrets of the workspace cannot be read', async () => {
    const bench = await engineBench()
    const { id, call } = await createHeartbeat(bench, { keep_evidence: true })
    await createMonitor(bench.api, { request_headers: { 'X-Key': 'secret header' } })
    await bench.database.pool.query("update monitors set request_headers = '\\x00' where request_headers is not null")
    assert.equal((await call('/fail', { method: 'POST', body: 'disk full' })).status, 200)
    await statusIs(bench, id, 'down')
    await bench.engine.stop()
    const { rows } = await bench.database.pool.query('select from incident_evidence')
    assert.equal(rows.length, 0)
  })

  it('of a job is none where its monitor keeps none, or it sent nothing', async () => {
    const bench = await engineBench()
    const quiet = await createHeartbeat(bench)
    const silent = await createHeartbeat(bench, { keep_evidence: true })
    assert.equal((await quiet.call('/fail', { method: 'POST', body: 'disk full' })).status, 200)
    assert.equal((await quiet.call('/log', { method: 'POST', body: 'disk full' })).status, 200)
    assert.deepEqual(await runLogs(bench), [])
    assert.equal((await silent.call('/fail', { method: 'POST', body: ' ' })).status, 200)
    await bench.engine.stop()
    const { rows } = await bench.database.pool.query('select from incident_evidence')
    assert.equal(rows.length, 0)
  })
})

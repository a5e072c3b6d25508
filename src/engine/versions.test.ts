// Results that come around a change of their monitor, when the engine has not heard of it or has just begun.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { partitionOf } from '#core/monitors/schedule.ts'
import { type EngineBench, engineBench, failing, incidentsOf, only, standingOf } from '../../test/support/engine.ts'
import { addResults, createMonitor } from '../../test/support/monitors.ts'
import { until } from '../../test/support/until.ts'

const created = z.object({ data: z.object({ id: z.string() }), heartbeat_url: z.string() })
const failed = { status: 'down', statusCode: null, error: 'refused' } as const

type Unheard = EngineBench & {
  /** Stops the announcement of changes to the engine. */
  silence: () => void
  /** Is done once while an engine takes the partition of a monitor, after it has read what was not folded there. */
  whileTaken: (id: string, work: () => Promise<void>) => void
  createHeartbeat: (input?: object) => Promise<{ id: string; call: (suffix: string) => Promise<Response> }>
}

async function bench(): Promise<Unheard> {
  let isSilent = false
  const meanwhile: { does: (partitions: number[]) => Promise<void> } = { does: async () => {} }
  const made: EngineBench = await engineBench({
    onBacklogRead: (partitions) => meanwhile.does(partitions),
    services: {
      announceChange: (change) => {
        if (!isSilent) made.bus.announceChange(change)
      },
    },
  })
  return {
    ...made,
    whileTaken: (id, work) => {
      meanwhile.does = async (partitions) => {
        if (!partitions.includes(partitionOf(id))) return
        meanwhile.does = async () => {}
        await work()
      }
    },
    silence: () => {
      isSilent = true
    },
    createHeartbeat: async (input = {}) => {
      const body = { name: 'Backup', kind: 'heartbeat', interval_seconds: 60, recovery_threshold: 1, ...input }
      const { data, heartbeat_url: url } = created.parse((await made.api.post('/monitors', body)).body)
      return {
        id: data.id,
        call: async (suffix) => made.api.app.request(`${url}${suffix}`, {}, { address: '192.0.2.9' }),
      }
    },
  }
}

async function versionOf({ database }: EngineBench, id: string): Promise<number> {
  const row = await database.query.selectFrom('monitors').select('version').where('id', '=', id).executeTakeFirst()
  return row?.version ?? assert.fail()
}

async function deadlineOf({ database }: EngineBench, id: string): Promise<number> {
  const row = await database.query
    .selectFrom('monitor_state')
    .innerJoin('monitors', 'monitors.key', 'monitor_state.monitor_key')
    .select('deadline_at')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.deadline_at?.getTime() ?? assert.fail('it has no deadline')
}

describe('checks of a target that is another one by now', { concurrency: 4 }, () => {
  it('are not folded by an engine that takes over, however late they were stored', async () => {
    const one = await bench()
    const { id } = await createMonitor(one.api, { interval_seconds: 10, locations: ['amsterdam'] })
    const before = await versionOf(one, id)
    await one.engine.stop()
    one.silence()
    await one.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', url: 'https://example.org' } })
    // Engines that did not hear of the change store such results.
    const at = new Date(Date.now() + 50)
    await addResults(one.database, id, [{ at, location: 'amsterdam', version: before, ...failed }])
    await one.startAnother('second')
    const standing = await standingOf(one.database, id)
    assert.deepEqual([standing.current_status, standing.checks, standing.incident_id], ['pending', 1, null])
  })

  it('are folded where an engine of an earlier release stored them and did not say of which version', async () => {
    const one = await bench()
    const { id } = await createMonitor(one.api, { interval_seconds: 10, locations: ['amsterdam'] })
    await one.engine.stop()
    await addResults(one.database, id, [{ at: new Date(Date.now() + 50), location: 'amsterdam', ...failed }])
    await one.database.pool.query('update results set version = null')
    await one.startAnother('second')
    assert.equal((await standingOf(one.database, id)).current_status, 'down')
  })

  it('are not folded when a comparison finds that the notice was lost', async () => {
    const one = await bench()
    const { id } = await createMonitor(one.api, {
      interval_seconds: 10,
      locations: ['amsterdam', 'boston'],
      confirmation_threshold: 2,
    })
    const both = ['amsterdam', 'boston']
    await one.taken(id, both)
    const before = await versionOf(one, id)
    one.silence()
    await one.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', url: 'https://example.org' } })
    // The engine stores such a result before it knows of the change.
    const at = new Date(Date.now() + 50)
    await addResults(one.database, id, [{ at, location: 'amsterdam', version: before, ...failed }])
    const isNew = ({ monitorId, version }: { monitorId: string; version: number }): boolean =>
      monitorId === id && version > before
    await until('the new version is asked for', async () => one.assignments.some(isNew), 30_000)
    const asked = one.assignments.filter(isNew).map(({ location }) => location)
    assert.deepEqual(asked.toSorted(), both, 'no location has told anything of the new target')
    assert.equal((await standingOf(one.database, id)).current_status, 'pending')
  })
})

describe('a call', { concurrency: 4 }, () => {
  it('is heard of a monitor that the engine has not heard of', async () => {
    const one = await bench()
    one.silence()
    const { id, call } = await one.createHeartbeat()
    assert.equal(one.engine.watching, 0)
    assert.equal((await call('/fail')).status, 200)
    assert.equal((await standingOf(one.database, id)).current_status, 'down')
    assert.equal(only(await incidentsOf(one.database, id)).cause, 'The run reported a failure')
  })

  it('is heard of a monitor whose settings changed without a word', async () => {
    const one = await bench()
    const { id, call } = await one.createHeartbeat()
    await until('it is watched', async () => one.engine.watching === 1)
    one.silence()
    await one.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Backup', heartbeat_grace_seconds: 600 } })
    assert.equal((await call('/fail')).status, 200)
    assert.equal((await standingOf(one.database, id)).current_status, 'down')
  })

  it('that was under way while the settings changed puts its deadline off', async () => {
    const one = await bench()
    const { id, call } = await one.createHeartbeat({ heartbeat_grace_seconds: 30 })
    await call('')
    const [before, version] = [await deadlineOf(one, id), await versionOf(one, id)]
    const round = Date.now() * 1000
    await one.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Backup', heartbeat_grace_seconds: 60 } })
    const told = { monitorId: id, version, round, location: 'amsterdam' }
    await one.answer(told, { details: { source: 'call' } })
    const after = await deadlineOf(one, id)
    assert.equal(after, Math.floor(round / 1000) + 120_000, `${after - before} ms later than before`)
  })

  it('that told of a failure opens the incident at once, also where another engine folds it than the one that stored it', async () => {
    const one = await bench()
    const { id, call } = await one.createHeartbeat({ failure_threshold: 3 })
    await call('')
    await one.engine.stop()
    const error = 'The run reported a failure with exit code 2'
    const details = { source: 'fail', exit_code: 2 }
    await addResults(one.database, id, [{ at: new Date(), location: 'amsterdam', status: 'down', error, details }])
    await one.startAnother('second')
    assert.equal((await standingOf(one.database, id)).current_status, 'down')
    assert.equal(only(await incidentsOf(one.database, id)).cause, error)
  })

  it('that told of a failure opens the incident also where the settings change while another engine folds it', async () => {
    const one = await bench()
    const { id, call } = await one.createHeartbeat()
    await call('')
    await one.engine.stop()
    const details = { source: 'fail', exit_code: 2 }
    await addResults(one.database, id, [{ at: new Date(), location: 'amsterdam', status: 'down', details }])
    one.silence()
    one.whileTaken(id, async () => {
      await one.api.request('PATCH', `/monitors/${id}`, { body: { name: 'Backup', heartbeat_grace_seconds: 60 } })
    })
    await one.startAnother('second')
    assert.equal((await standingOf(one.database, id)).current_status, 'down')
    assert.equal((await incidentsOf(one.database, id)).length, 1)
  })

  it('that was missed is followed by the next one after the interval, also where another engine folds it', async () => {
    const one = await bench()
    const { id, call } = await one.createHeartbeat({ heartbeat_grace_seconds: 300 })
    await call('')
    await one.engine.stop()
    const at = new Date()
    await addResults(one.database, id, [{ at, location: 'amsterdam', status: 'down', details: { source: 'missed' } }])
    await one.startAnother('second')
    assert.equal(await deadlineOf(one, id), at.getTime() + 60_000)
  })

  it('that was under way while the monitor was paused belongs to the story before', async () => {
    const one = await bench()
    const { id, call } = await one.createHeartbeat()
    await call('')
    const version = await versionOf(one, id)
    const round = Date.now() * 1000
    for (const verb of ['pause', 'resume']) await one.api.post(`/monitors/${id}/${verb}`)
    await one.answer({ monitorId: id, version, round, location: 'amsterdam' }, failing)
    const standing = await standingOf(one.database, id)
    assert.deepEqual([standing.current_status, standing.stored], ['pending', 2])
  })
})

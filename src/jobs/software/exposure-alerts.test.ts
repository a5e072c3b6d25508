import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Alert, ExposureAlert } from '#core/contacts/alerting.ts'
import { replaceExploited } from '#store/software/advisory-catalogs.ts'
import { testApi } from '../../../test/support/api.ts'
import { addContact } from '../../../test/support/alerts.ts'
import { only } from '../../../test/support/engine.ts'
import { alertsIn } from '../../../test/support/expiries.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { compare, publish, reportIn } from '../../../test/support/software.ts'
import { areExposuresToTell } from '#store/software/exposure-alerts.ts'
import { tellExposures } from './exposure-alerts.ts'
import { followExposures } from './exposures.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const dayMs = 86_400_000

/** A monitor with software that two exploited vulnerabilities affect before 1.2.0, and one contact. */
async function bench(contact: Partial<Parameters<typeof addContact>[1]> = {}) {
  const api = await testApi({ maxConnections: 5 })
  const { database, workspaceId } = api
  const contactId = await addContact(database, { workspaceId, ...contact })
  const monitor = await createMonitor(api, { vulnerability_alerts: true })
  const list = async (...cves: string[]): Promise<void> =>
    database.transaction((tx) =>
      replaceExploited(
        tx,
        cves.map((cve) => ({ cve, addedOn: '2026-11-10', name: null })),
      ),
    )
  const product = { product: 'npm:shop', stretches: [{ fixed: '1.2.0' }] }
  await publish(database, { id: 'CVE-2026-1', ...product }, { id: 'CVE-2026-2', ...product })
  await list('CVE-2026-1', 'CVE-2026-2')
  const start = Date.now()
  let calls = 0
  const told = async (afterDays = 0): Promise<ExposureAlert[]> => {
    const before = (await alertsIn(database)).length
    await compare(database)
    calls += 1
    // Alerts are listed by their times.
    const at = new Date(start + afterDays * dayMs + (60 + calls) * 1000)
    const parts = { database, log, now: () => at }
    await Promise.all([followExposures(parts), followExposures(parts)])
    return (await alertsIn(database)).slice(before).filter(isExposure)
  }
  return {
    api,
    database,
    monitor,
    contactId,
    list,
    told,
    at: `/monitors/${monitor.id}`,
    has: async (...software: string[]) =>
      reportIn(
        await api.post(`/monitors/${monitor.id}/software/import`, { content: software.join('\n'), name: 'list' }),
      ),
  }
}

function isExposure(alert: Alert): alert is ExposureAlert {
  return alert.type === 'exposure.reminder' || alert.type === 'exposure.ended'
}

const idsOf = ({ data: { exposures } }: ExposureAlert): string[] => exposures.map(({ vuln_id: id }) => id).toSorted()

describe('contacts', { concurrency: 2 }, () => {
  it('are reminded once a week of all that goes on, as one alert of a monitor, whoever looks', async () => {
    const { has, told } = await bench()
    await has('npm:shop 1.0.0')
    assert.deepEqual(await told(), [])
    assert.deepEqual(await told(6.9), [])
    const alert = only(await told(7))
    assert.deepEqual(
      [alert.type, idsOf(alert), alert.data.total],
      ['exposure.reminder', ['CVE-2026-1', 'CVE-2026-2'], 2],
    )
    const [{ software_name, version, fix_version, closed_at } = assert.fail()] = alert.data.exposures
    assert.deepEqual([software_name, version, fix_version, closed_at], ['shop', '1.0.0', '1.2.0', null])
    assert.deepEqual(await told(13.9), [])
    assert.equal((await told(14)).length, 1)
  })

  it('are told how it ended, once, and are not reminded any more', async () => {
    const { has, told } = await bench()
    await has('npm:shop 1.0.0')
    await told()
    await has('npm:shop 1.2.0')
    const alert = only(await told())
    assert.deepEqual([alert.type, idsOf(alert)], ['exposure.ended', ['CVE-2026-1', 'CVE-2026-2']])
    const [{ outcome, last_version } = assert.fail()] = alert.data.exposures
    assert.deepEqual([outcome, last_version], ['updated', '1.2.0'])
    assert.deepEqual(await told(30), [])
  })

  it('are told once more where scans prove the end later', async () => {
    const { has, told, database } = await bench()
    await has('npm:shop 1.0.0')
    await told()
    await has('npm:shop 1.2.0')
    await told()
    await database.pool.query(`update exposures set outcome = 'not_seen' where vulnerability = 'CVE-2026-2'`)
    assert.deepEqual(await told(), [])
    await database.pool.query(`update exposures set outcome = 'proved'`)
    const alert = only(await told())
    assert.deepEqual(
      alert.data.exposures.map(({ outcome }) => outcome),
      ['proved', 'proved'],
    )
    assert.deepEqual(await told(), [])
  })

  it('are not told of what a person ignored or deleted', async () => {
    const { api, at, has, told } = await bench()
    const [entry = assert.fail()] = (await has('npm:shop 1.0.0')).software
    await told()
    assert.equal((await api.request('PATCH', `${at}/software/${entry.id}`, { body: { ignored: true } })).status, 200)
    assert.deepEqual(await told(30), [])
    await api.request('PATCH', `${at}/software/${entry.id}`, { body: { ignored: false } })
    await told()
    assert.equal((await api.request('DELETE', at)).status, 204)
    assert.deepEqual(await told(30), [])
  })

  it('hear of a paused monitor once it runs again', async () => {
    const { api, at, has, told } = await bench()
    await has('npm:shop 1.0.0')
    await told()
    await api.post(`${at}/pause`)
    assert.deepEqual(await told(8), [])
    await api.post(`${at}/resume`)
    assert.equal(only(await told(8)).type, 'exposure.reminder')
  })

  it('are reminded of a monitor that runs, however many that are paused wait', async () => {
    const { api, database, monitor, has, told } = await bench()
    await has('npm:shop 1.0.0')
    await told()
    const { id: paused } = await createMonitor(api, { vulnerability_alerts: true })
    await api.post(`/monitors/${paused}/pause`)
    await database.pool.query(
      `insert into exposures (
        id, workspace_id, monitor_key, monitor_id, monitor_name, monitor_kind, product, software_name, version, source,
        vulnerability, aliases, exploited_on, seen_at, opened_at, remind_at
      )
      select
        gen_random_uuid(), workspace_id, key, id, name, kind, 'p' || n, 'p', '1', 'import', 'CVE-2026-1', '{}',
        '2026-11-10', now(), now(), now() - interval '1 day'
      from monitors, generate_series(1, 600) as n
      where id = $1`,
      [paused],
    )
    const parts = { database, now: () => new Date(Date.now() + 8 * dayMs) }
    assert.equal(await tellExposures(parts), 1)
    const reminded = (await alertsIn(database)).filter(isExposure)
    assert.deepEqual(
      reminded.map(({ data }) => data.monitor.id),
      [monitor.id],
    )
    assert.equal(await areExposuresToTell(database, parts.now()), false, 'what is paused asks for no transaction')
  })

  const deaf: [why: string, contact: Partial<Parameters<typeof addContact>[1]>, rules: object | null][] = [
    ['are switched off', { enabled: false }, null],
    ['chose no findings', {}, { events: ['down'] }],
    ['keep the alert of the finding themselves', { kind: 'pagerduty' }, null],
    ['keep it in an Alertmanager', { kind: 'alertmanager' }, null],
  ]
  for (const [why, contact, rules] of deaf)
    it(`are told nothing where they ${why}`, async () => {
      const { database, contactId, has, told } = await bench(contact)
      if (rules !== null)
        await database.pool.query('update alert_channels set alert_rules = $1 where id = $2', [rules, contactId])
      await has('npm:shop 1.0.0')
      await told()
      assert.deepEqual(await told(7), [])
      await has('npm:shop 1.2.0')
      assert.deepEqual(await told(7), [])
    })
})

describe('an exposure that was told by none', () => {
  it('is told by the next process, where one died in the midst', async () => {
    const { database, has, told } = await bench()
    await has('npm:shop 1.0.0')
    await told()
    await has('npm:shop 1.2.0')
    await compare(database)
    const dying = {
      ...database,
      transaction: <T>(work: Parameters<typeof database.transaction<T>>[0]) =>
        database.transaction(async (tx) => {
          await work(tx)
          throw new Error('killed')
        }),
    }
    await assert.rejects(followExposures({ database: dying, log, now: () => new Date() }), /killed/)
    assert.equal(only(await told()).type, 'exposure.ended')
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Alert, FindingAlert } from '#core/contacts/alerting.ts'
import { noteTold } from '#store/software/finding-alerts.ts'
import { endCycles, replaceCycles, replaceExploited } from '#store/software/advisory-catalogs.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { addContact, only } from '../../../test/support/engine.ts'
import { alertsIn } from '../../../test/support/expiries.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { compare, found, publish, readFeeds, reportIn, tell, type Told } from '../../../test/support/software.ts'

/** A database of its own, with one contact and one followed monitor, whose first scan is over. */
async function bench(input: Record<string, unknown> = {}) {
  const api = await testApi({ maxConnections: 5 })
  const { database } = api
  await addContact(database, api.workspaceId)
  const monitor = await createMonitor(api, { vulnerability_alerts: true, ...input })
  await endScans(api)
  const at = `/monitors/${monitor.id}`
  return {
    api,
    monitor,
    database,
    has: async (...software: string[]) =>
      reportIn(await api.post(`${at}/software/import`, { content: software.join('\n') })),
    /** Compares and tells, as the jobs do; returns what was told, which arrives. */
    told: async (): Promise<FindingAlert[]> => {
      const before = await alertsIn(database)
      await compare(database)
      const counts = await Promise.all([tell(database), tell(database)])
      const alerts = (await alertsIn(database)).slice(before.length).filter(isFinding)
      assert.equal(counts[0] + counts[1], alerts.length)
      for (const alert of alerts) await database.transaction((tx) => noteTold(tx, alert))
      return alerts
    },
    change: (body: object) => api.request('PATCH', at, { body: { name: 'Shop', ...body } }),
    report: async () => reportIn(await api.get(`${at}/vulnerabilities`)),
  }
}

function isFinding(alert: Alert): alert is FindingAlert {
  return alert.type === 'vulnerability.found' || alert.type === 'end_of_life.reached'
}

async function endScans({ database }: TestApi): Promise<void> {
  await database.pool.query('update software_scans set is_requested = false')
  await database.pool.query('update finding_alerts set due_at = now()')
}

const idsOf = ({ data: { findings } }: FindingAlert): string[] => findings.map(({ vuln_id: id }) => id)
const wrong = (id: string, told: Partial<Told> = {}): Told => ({ id, product: 'npm:shop', stretches: [{}], ...told })

describe('an alert of findings', { concurrency: 2 }, () => {
  it('tells what was found, once, whoever looks', async () => {
    const { database, has, told, report, monitor } = await bench()
    await publish(database, wrong('CVE-1', { severity: 'critical', score: 9.8 }))
    await has('npm:shop 1.0.0')
    const alert = only(await told())
    const { findings } = await report()
    assert.deepEqual(alert, {
      type: 'vulnerability.found',
      timestamp: findings[0]?.alerted_at,
      data: {
        monitor: {
          id: monitor.id,
          name: 'Shop',
          kind: 'http',
          url: 'https://example.com',
          current_status: 'pending',
        },
        incident: null,
        result: null,
        findings,
        total: 1,
        comparison: 'complete',
        compared: (await report()).compared,
        entries_to_compare: 0,
      },
    })
    assert.deepEqual(await told(), [])
    await has('npm:shop 1.0.1')
    assert.deepEqual(await told(), [])
  })

  it('says with what the software was not compared yet, and which data are old', async () => {
    const { database, has, told, report } = await bench()
    await publish(database, wrong('CVE-1'))
    await readFeeds(database)
    await database.pool.query(`update feeds set succeeded_at = null where name = 'osv PyPI'`)
    await database.pool.query(`update feeds set succeeded_at = now() - interval '49 hours' where name = 'osv npm'`)
    await has('npm:shop 1.0.0', 'pypi:requests 1.0.0', 'nginx 1.25.0')
    const { comparison, compared = [] } = only(await told()).data
    assert.deepEqual([comparison, compared], ['partial', (await report()).compared])
    assert.deepEqual(
      compared.map(({ source, ecosystem, state }) => `${ecosystem ?? source} ${state}`),
      [
        'npm old',
        'PyPI unread',
        'Bitnami current',
        'nvd current',
        'cve current',
        'exploited current',
        'endoflife current',
      ],
    )
  })

  it('is none where nobody is to be alerted, and comes once somebody is', async () => {
    const { database, has, told, report, change } = await bench({ alert_channel_ids: [] })
    await publish(database, wrong('CVE-1'))
    await has('npm:shop 1.0.0')
    assert.deepEqual(await told(), [])
    const alertedAt = async (): Promise<(string | null)[]> => (await report()).findings.map(({ alerted_at: at }) => at)
    assert.deepEqual(await alertedAt(), [null])
    assert.equal((await change({ alert_channel_ids: null })).status, 200)
    await has('npm:shop 1.0.1')
    const alert = only(await told())
    assert.deepEqual([idsOf(alert), await alertedAt()], [['CVE-1'], [alert.timestamp]])
    assert.deepEqual(await told(), [])
  })

  it('leaves findings untold until it arrives, and is ordered once', async () => {
    const { database, has, report } = await bench()
    await publish(database, wrong('CVE-1'))
    await has('npm:shop 1.0.0')
    await compare(database)
    assert.equal(await tell(database), 1)
    const alert = only((await alertsIn(database)).filter(isFinding))
    const alertedAt = async (): Promise<(string | null)[]> => (await report()).findings.map(({ alerted_at: at }) => at)
    assert.deepEqual(await alertedAt(), [null])
    await has('npm:shop 1.0.1')
    await compare(database)
    assert.equal(await tell(database), 0)
    await database.transaction((tx) => noteTold(tx, alert))
    assert.deepEqual(await alertedAt(), [alert.timestamp])
  })

  it('is none while the only contact is not confirmed', async () => {
    const { database, has, told, report } = await bench()
    await database.pool.query('update alert_channels set confirmed = false')
    await publish(database, wrong('CVE-1'))
    await has('npm:shop 1.0.0')
    assert.deepEqual(await told(), [])
    assert.deepEqual(
      (await report()).findings.map(({ alerted_at: at }) => at),
      [null],
    )
  })

  for (const [whose, table] of [
    ['the only contact', 'alert_channels'],
    ['the monitor', 'monitors'],
  ] as const)
    it(`is none while ${whose} wants none, and counts as told to nobody`, async () => {
      const { database, has, told, change } = await bench()
      await database.pool.query(`update ${table} set alert_rules = '{"events": ["down"]}'`)
      await publish(database, wrong('CVE-1'))
      await has('npm:shop 1.0.0')
      assert.deepEqual(await told(), [])
      await database.pool.query(`update ${table} set alert_rules = null`)
      await change({ vulnerability_severity: 'low' })
      await has('npm:shop 1.0.1')
      assert.deepEqual(idsOf(only(await told())), ['CVE-1'])
    })

  it('is one for all that is found at once, with the twenty most severe and their number', async () => {
    const { database, has, told, report } = await bench()
    const advisories = Array.from({ length: 25 }, (_, index) =>
      wrong(`CVE-${index + 10}`, { score: index / 5, product: `npm:p${index % 5}` }),
    )
    await publish(database, ...advisories)
    await has(...Array.from({ length: 5 }, (_, index) => `npm:p${index} 1.0.0`))
    const alert = only(await told())
    assert.equal(alert.data.total, 25)
    assert.deepEqual(
      idsOf(alert),
      Array.from({ length: 20 }, (_, index) => `CVE-${34 - index}`),
    )
    assert.ok((await report()).findings.every(({ alerted_at: at }) => at !== null))
  })

  it('waits while software of the monitor is looked at, and for no longer than ten minutes', async () => {
    const { api, database, has, told } = await bench()
    await publish(database, wrong('CVE-1'))
    await has('npm:shop 1.0.0')
    await database.pool.query('update software_scans set is_requested = true')
    assert.deepEqual(await told(), [])
    await database.pool.query(`update finding_alerts set due_at = now(), since = now() - interval '11 minutes'`)
    assert.deepEqual(idsOf(only(await told())), ['CVE-1'])
    await publish(database, wrong('CVE-2'))
    assert.deepEqual(await told(), [])
    await endScans(api)
    assert.deepEqual(idsOf(only(await told())), ['CVE-2'])
  })

  it('is looked for less and less often while it waits, and at once when something was compared', async () => {
    const { database, has } = await bench()
    await has('npm:shop 1.0.0')
    await compare(database)
    await database.pool.query('update software_scans set is_requested = true')
    const waits = async (seconds: number): Promise<number> => {
      const since = `now() - ${seconds} * interval '1 second'`
      await database.pool.query(`update finding_alerts set due_at = now(), since = ${since}`)
      assert.equal(await tell(database), 0)
      return secondsLeft()
    }
    const secondsLeft = async (): Promise<number> => {
      const { rows } = await database.pool.query<{ seconds: number }>(
        'select round(extract(epoch from due_at - now()) / 5)::integer * 5 as seconds from finding_alerts',
      )
      return only(rows).seconds
    }
    // Rounded to five seconds, of which a busy machine takes some.
    const expected = [
      [0, 15],
      [60, 60],
      [230, 230],
      [300, 240],
      [540, 60],
    ] as const
    for (const [noted, left] of expected) {
      const seconds = await waits(noted)
      assert.ok(seconds <= left && seconds > left - 15, `${seconds} s instead of ${left}`)
    }
    await has('npm:shop 1.0.0', 'npm:new 1.0.0')
    await database.pool.query(`update finding_alerts set due_at = now() + interval '200 seconds'`)
    await compare(database)
    assert.ok((await secondsLeft()) <= 0)
  })

  for (const [threshold, expected] of [
    ['low', ['CVE-4', 'CVE-3', 'CVE-2', 'CVE-1', 'CVE-0']],
    ['medium', ['CVE-4', 'CVE-3', 'CVE-2', 'CVE-0']],
    ['high', ['CVE-4', 'CVE-3', 'CVE-0']],
    ['critical', ['CVE-4', 'CVE-0']],
  ] as const)
    it(`tells what is ${threshold} or more, or not rated`, async () => {
      const { database, has, told, report } = await bench({ vulnerability_severity: threshold })
      await publish(
        database,
        wrong('CVE-0', { severity: null, score: null }),
        wrong('CVE-1', { severity: 'low' }),
        wrong('CVE-2', { severity: 'medium' }),
        wrong('CVE-3', { severity: 'high' }),
        wrong('CVE-4', { severity: 'critical' }),
      )
      await has('npm:shop 1.0.0')
      assert.deepEqual(idsOf(only(await told())), expected)
      assert.equal(found(await report()).length, 5)
    })

  it('tells what is exploited or without support, whatever the severity', async () => {
    const { database, has, told } = await bench({ vulnerability_severity: 'critical' })
    const cycles = [{ cycle: '8.1', endsOn: '2025-12-31', isEnded: true, latest: null, releasedOn: null }]
    await publish(database, wrong('CVE-2026-0001', { severity: 'low' }), wrong('CVE-2026-0002', { severity: 'low' }))
    await database.transaction(async (tx) => {
      await replaceCycles(tx, [{ product: 'php', cycles }])
      await endCycles(tx, new Date())
      await replaceExploited(tx, [{ cve: 'CVE-2026-0002', addedOn: '2026-11-01', name: null }])
    })
    await has('npm:shop 1.0.0', 'php 8.1.27')
    const alert = only(await told())
    assert.deepEqual([alert.type, idsOf(alert)], ['vulnerability.found', ['CVE-2026-0002', 'EOL:php-8.1']])
  })

  it('is of its own type where all that is told is the end of support', async () => {
    const { database, has, told } = await bench()
    const cycles = [{ cycle: '8.1', endsOn: '2025-12-31', isEnded: true, latest: null, releasedOn: null }]
    await database.transaction(async (tx) => {
      await replaceCycles(tx, [{ product: 'php', cycles }])
      await endCycles(tx, new Date())
    })
    await has('php 8.1.27')
    assert.equal(only(await told()).type, 'end_of_life.reached')
  })

  it('comes once more when what was told is known to be exploited, or what was not told is', async () => {
    const { database, has, told } = await bench({ vulnerability_severity: 'critical' })
    await publish(
      database,
      wrong('CVE-2026-0001', { severity: 'critical' }),
      wrong('CVE-2026-0002', { severity: 'low' }),
    )
    await has('npm:shop 1.0.0')
    assert.deepEqual(idsOf(only(await told())), ['CVE-2026-0001'])
    const entries = ['CVE-2026-0001', 'CVE-2026-0002'].map((cve) => ({ cve, addedOn: '2026-11-20', name: null }))
    await database.transaction((tx) => replaceExploited(tx, entries))
    assert.deepEqual(idsOf(only(await told())).toSorted(), ['CVE-2026-0001', 'CVE-2026-0002'])
    assert.deepEqual(await told(), [])
    await publish(database, wrong('CVE-2026-0001', { severity: 'high' }))
    assert.deepEqual(await told(), [])
  })

  it('comes when a vulnerability turns out to be severe enough, or less is asked for', async () => {
    const { database, has, told, change } = await bench({ vulnerability_severity: 'high' })
    await publish(database, wrong('CVE-1', { severity: 'low' }), wrong('CVE-2', { severity: 'medium' }))
    await has('npm:shop 1.0.0')
    assert.deepEqual(await told(), [])
    await publish(database, wrong('CVE-1', { severity: 'critical' }))
    assert.deepEqual(idsOf(only(await told())), ['CVE-1'])
    await change({ vulnerability_severity: 'medium' })
    assert.deepEqual(idsOf(only(await told())), ['CVE-2'])
  })

  it('is of what only may apply while that is new', async () => {
    const { database, has, told, report } = await bench()
    const longAgo = new Date(Date.now() - 100 * 86_400_000)
    await publish(database, wrong('CVE-1', { publishedAt: longAgo }), wrong('CVE-2', { publishedAt: new Date() }))
    await has('npm:shop')
    assert.deepEqual(idsOf(only(await told())), ['CVE-2'])
    assert.equal((await report()).findings.length, 2)
  })

  it('is not of what is ignored, until it is not any more', async () => {
    const { api, monitor, database, has, told } = await bench()
    const { software } = await has('npm:shop 1.0.0')
    const path = `/monitors/${monitor.id}/software/${only(software).id}`
    await api.request('PATCH', path, { body: { ignored: true } })
    await publish(database, wrong('CVE-1'))
    assert.deepEqual(await told(), [])
    await api.request('PATCH', path, { body: { ignored: false } })
    assert.deepEqual(idsOf(only(await told())), ['CVE-1'])
  })

  it('waits while the monitor is paused', async () => {
    const { api, monitor, database, has, told } = await bench()
    await publish(database, wrong('CVE-1'))
    await has('npm:shop 1.0.0')
    await api.post(`/monitors/${monitor.id}/pause`)
    assert.deepEqual(await told(), [])
    await api.post(`/monitors/${monitor.id}/resume`)
    await database.pool.query('update finding_alerts set due_at = now()')
    assert.deepEqual(idsOf(only(await told())), ['CVE-1'])
  })

  it('comes only where it was asked for, and then of all that is there', async () => {
    const { api, database, has, told, change, report } = await bench({ vulnerability_alerts: false })
    await publish(database, wrong('CVE-1'))
    await has('npm:shop 1.0.0')
    assert.deepEqual([await told(), found(await report())], [[], ['CVE-1']])
    await change({ vulnerability_alerts: true })
    assert.equal((await report()).pending, true)
    await endScans(api)
    assert.deepEqual(idsOf(only(await told())), ['CVE-1'])
    await change({ vulnerability_alerts: false })
    await publish(database, wrong('CVE-2'))
    assert.deepEqual(await told(), [])
  })

  it('comes for repositories without being asked for', async () => {
    const input = { kind: 'repository', url: 'https://git.example.com/shop/web', vulnerability_alerts: false }
    const { database, has, told } = await bench(input)
    await publish(database, wrong('CVE-1'))
    await has('npm:shop 1.0.0')
    assert.deepEqual(idsOf(only(await told())), ['CVE-1'])
  })

  it('names what two imports have of the same version once', async () => {
    const { api, monitor, database, has, told, report } = await bench()
    await publish(database, wrong('CVE-1'))
    await has('npm:shop 1.0.0')
    await api.post(`/monitors/${monitor.id}/software/import`, { content: 'npm:shop 1.0.0', name: 'Other' })
    const alert = only(await told())
    assert.deepEqual([idsOf(alert), alert.data.total], [['CVE-1'], 1])
    const { findings } = await report()
    assert.equal(findings.filter(({ alerted_at: at }) => at !== null).length, 2)
  })
})

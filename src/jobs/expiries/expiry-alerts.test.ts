import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { forgetTold } from '#store/expiries/expiry-alerts.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import { addContact } from '../../../test/support/engine.ts'
import { alertsIn, showCertificate } from '../../../test/support/expiries.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { tellExpiries } from './expiry-alerts.ts'

const dayMs = 86_400_000
const end = new Date('2027-01-01T00:00:00Z')
const beforeEnd = (days: number): Date => new Date(end.getTime() - days * dayMs)
const begun = beforeEnd(90)

/** `tellAt` runs the job so many days before the end, and says how many it told. */
type Bench = { api: TestApi; monitor: MonitorRecord; tellAt: (days: number) => Promise<number> }

/** A database of its own, with one monitor and one contact. */
async function bench(input: Record<string, unknown> = {}): Promise<Bench> {
  const api = await testApi({ maxConnections: 5 })
  await addContact(api.database, api.workspaceId)
  const monitor = await createMonitor(api, { url: 'https://shop.example.com/health?token=1', ...input })
  return {
    api,
    monitor,
    tellAt: (days) => tellExpiries({ database: api.database, now: () => beforeEnd(days) }),
  }
}

/** Checked each day from one until another day before the end. */
async function checkDaily({ api, monitor }: Bench, from: number, to: number): Promise<void> {
  for (let days = from; days >= to; days -= 1)
    await showCertificate(api.database, monitor.id, { notBefore: begun, notAfter: end, seenAt: beforeEnd(days) })
}

describe('the alerts of a certificate', { concurrency: 4 }, () => {
  it('come at 14, 7, 3 and 1 days, once each, however often and by however many processes they are looked for', async () => {
    const made = await bench()
    const told: number[] = []
    for (let days = 20; days >= -3; days -= 1) {
      if (days > 0) await checkDaily(made, days, days)
      const counts = await Promise.all([made.tellAt(days), made.tellAt(days), made.tellAt(days - 0.5)])
      if (counts.some((count) => count > 0)) told.push(days)
    }
    assert.deepEqual(told, [14, 7, 3, 1])
    const alerts = await alertsIn(made.api.database)
    assert.equal(alerts.length, 4)
    assert.deepEqual(
      alerts.map(({ data }) => 'days_left' in data && data.days_left),
      [14, 7, 3, 1],
    )
  })

  it('say whose certificate ends when', async () => {
    const made = await bench()
    await checkDaily(made, 5, 5)
    assert.equal(await made.tellAt(5), 1)
    const { id, name } = made.monitor
    assert.deepEqual(await alertsIn(made.api.database), [
      {
        type: 'certificate.expiring',
        timestamp: '2026-12-27T00:00:00.000Z',
        data: {
          monitor: {
            id,
            name,
            kind: 'http',
            url: 'https://shop.example.com/health?token=1',
            current_status: 'pending',
          },
          incident: null,
          result: null,
          expires_at: '2027-01-01T00:00:00.000Z',
          days_left: 5,
          seen_at: '2026-12-27T00:00:00.000Z',
          cert_host: 'shop.example.com',
          cert_issuer: 'E7',
        },
      },
    ])
  })

  it('begin anew with a renewed certificate, and not with one that was told of before', async () => {
    const made = await bench()
    const { database } = made.api
    const show = (notAfter: Date, seenAt: Date): Promise<void> =>
      showCertificate(database, made.monitor.id, { notBefore: begun, notAfter, seenAt })
    const other = new Date(end.getTime() + 2 * dayMs)
    await show(end, beforeEnd(5))
    assert.equal(await made.tellAt(5), 1)
    await show(other, beforeEnd(4.9))
    assert.equal(await made.tellAt(4.9), 1)
    await show(end, beforeEnd(4.8))
    assert.equal(await made.tellAt(4.8), 0)
    await show(other, beforeEnd(4.7))
    assert.equal(await made.tellAt(4.7), 0)
    await show(end, beforeEnd(3))
    assert.equal(await made.tellAt(3), 1, 'the next occasion still comes')
    const ends = (await alertsIn(database)).map(({ data }) => 'expires_at' in data && data.expires_at)
    assert.deepEqual(
      ends,
      [end, other, end].map((time) => time.toISOString()),
    )
  })

  it('are none while a renewed certificate is shown in time', async () => {
    const made = await bench()
    await checkDaily(made, 40, 20)
    const renewed = new Date(end.getTime() + 60 * dayMs)
    await showCertificate(made.api.database, made.monitor.id, {
      notBefore: beforeEnd(30),
      notAfter: renewed,
      seenAt: beforeEnd(19),
    })
    for (const days of [14, 7, 3, 1, 0, -1]) assert.equal(await made.tellAt(days), 0)
  })

  for (const [what, input] of [
    ['without expiry alerts', { expiry_alerts: false }],
    ['of kind ssl, whose check fails instead', { kind: 'ssl', url: 'shop.example.com' }],
  ] as const)
    it(`are none for a monitor ${what}`, async () => {
      const made = await bench(input)
      await checkDaily(made, 14, 1)
      for (const days of [14, 7, 3, 1]) assert.equal(await made.tellAt(days), 0)
    })

  for (const [what, off, on] of [
    [
      'a pause',
      (id: string) => ['POST', `/monitors/${id}/pause`] as const,
      (id: string) => ['POST', `/monitors/${id}/resume`] as const,
    ],
    [
      'a time without expiry alerts',
      (id: string) => ['PATCH', `/monitors/${id}`, { name: 'Shop', expiry_alerts: false }] as const,
      (id: string) => ['PATCH', `/monitors/${id}`, { name: 'Shop', expiry_alerts: true }] as const,
    ],
  ] as const)
    it(`are after ${what} only those that are still ahead`, async () => {
      const made = await bench()
      const { id } = made.monitor
      const send = async ([method, path, body]: readonly [string, string, unknown?]): Promise<void> =>
        assert.equal((await made.api.request(method, path, body === undefined ? {} : { body })).status, 200)
      await checkDaily(made, 15, 8)
      await send(off(id))
      assert.equal(await made.tellAt(6.9), 0)
      await send(on(id))
      await checkDaily(made, 6, 3)
      assert.equal(await made.tellAt(6), 0)
      assert.equal(await made.tellAt(3), 1)
    })

  it('wait while the certificate was not seen for three days, and come when it is seen again', async () => {
    const made = await bench()
    await checkDaily(made, 20, 10)
    assert.equal(await made.tellAt(10), 1)
    assert.equal(await made.tellAt(6.9), 0, 'the target does not answer')
    await checkDaily(made, 5, 5)
    assert.equal(await made.tellAt(5), 1)
  })

  it('do not come when the target has become another one', async () => {
    const made = await bench()
    await checkDaily(made, 15, 15)
    const body = { name: 'Shop', url: 'https://example.org' }
    await made.api.request('PATCH', `/monitors/${made.monitor.id}`, { body })
    assert.equal(await made.tellAt(14), 0)
  })

  it('come to nobody twice when the process dies before it commits', async () => {
    const made = await bench()
    const { database } = made.api
    await checkDaily(made, 7, 7)
    const dying = tellExpiries({
      database: {
        ...database,
        transaction: (work) =>
          database.transaction(async (tx) => {
            await work(tx)
            throw new Error('killed')
          }),
      },
      now: () => beforeEnd(7),
    })
    await assert.rejects(dying, /killed/)
    assert.deepEqual(await alertsIn(database), [])
    assert.equal(await made.tellAt(7), 1)
    assert.equal(await made.tellAt(7), 0)
  })

  it('come for thousands of monitors in one go, and what was told is forgotten a month after the end', async () => {
    const made = await bench()
    const { database } = made.api
    await checkDaily(made, 7, 7)
    await database.pool.query(`
      with copied as (
        insert into monitors (
          id, workspace_id, partition, name, kind, url, method, interval_seconds, timeout_ms, locations,
          expected_status_min, expected_status_max, failure_threshold, recovery_threshold, confirmation_threshold,
          expiry_alerts, vulnerability_alerts, vulnerability_severity, charts, billing
        )
        select
          gen_random_uuid(), workspace_id, partition, name, kind, url, method, interval_seconds, timeout_ms, locations,
          expected_status_min, expected_status_max, failure_threshold, recovery_threshold, confirmation_threshold,
          expiry_alerts, vulnerability_alerts, vulnerability_severity, charts, billing
        from monitors, generate_series(1, 1200)
        returning key, version
      )
      insert into monitor_state (monitor_key, version)
      select key, version from copied`)
    await database.pool.query(`
      insert into monitor_expiries (monitor_key, subject, target_version, name, not_before, expires_at, seen_at, alert_at)
      select m.key, 'certificate', 1, e.name, e.not_before, e.expires_at, e.seen_at, e.alert_at
      from monitors m, monitor_expiries e
      on conflict do nothing`)
    const counts = await Promise.all([made.tellAt(7), made.tellAt(7)])
    assert.equal(counts[0] + counts[1], 1201)
    assert.equal((await alertsIn(database)).length, 1201)
    assert.equal(await forgetTold(database, beforeEnd(-29)), 0)
    assert.equal(await forgetTold(database, beforeEnd(-31)), 1201)
  })
})

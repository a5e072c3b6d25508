// Expiries as engine and jobs write them, and as the API and the deliveries then tell of them.
import assert from 'node:assert/strict'
import type { Alert } from '#core/contacts/alerting.ts'
import { firstOccasion } from '#core/expiry.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import type { Database } from '#store/database/database.ts'
import { writeExpiries } from '#store/expiries/expiries.ts'
import type { TestApi } from './api.ts'
import { monitorOf } from './monitors.ts'

export type Members = Pick<MonitorRecord, 'domain_name' | 'domain_expires_at' | 'cert_issuer' | 'cert_expires_at'>

export const noMembers: Members = {
  domain_name: null,
  domain_expires_at: null,
  cert_issuer: null,
  cert_expires_at: null,
}

/** The members as `GET /monitors/{id}` shows them; the list has to show the same. */
export async function membersOf(api: TestApi, monitorId: string): Promise<Members> {
  const one = monitorOf(await api.get(`/monitors/${monitorId}`))
  const { domain_name, domain_expires_at, cert_issuer, cert_expires_at } = one
  const members = { domain_name, domain_expires_at, cert_issuer, cert_expires_at }
  const listed = await api.get('/monitors')
  assert.ok(listed.text.includes(JSON.stringify(members).slice(1, -1)), 'the list shows the same members')
  return members
}

export type Shown = { notBefore: Date; notAfter: Date; seenAt: Date; host?: string; issuer?: string; version?: number }

/** A certificate that a check of the monitor's present version saw. */
export async function showCertificate(database: Database, monitorId: string, shown: Shown): Promise<void> {
  const { notBefore, notAfter, seenAt, host = 'shop.example.com', issuer = 'E7' } = shown
  const { key, version } = await database.query
    .selectFrom('monitors')
    .select(['key', 'version'])
    .where('id', '=', monitorId)
    .executeTakeFirstOrThrow()
  const first = firstOccasion({ subject: 'certificate', notBefore, expiresAt: notAfter })
  await database.transaction((tx) =>
    writeExpiries(tx, [
      {
        monitorKey: Number(key),
        version: shown.version ?? version,
        subject: 'certificate',
        name: host,
        issuer,
        notBefore: notBefore.getTime(),
        expiresAt: notAfter.getTime(),
        seenAt: seenAt.getTime(),
        alertAt: first?.getTime() ?? null,
      },
    ]),
  )
}

/** The alerts enqueued so far, in order. */
export async function alertsIn(database: Database): Promise<Alert[]> {
  const rows = await database.pool.query<{ alert: Alert }>('select alert from deliveries order by created_at, id')
  return rows.rows.map(({ alert }) => alert)
}

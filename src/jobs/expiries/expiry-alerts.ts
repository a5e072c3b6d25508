import type { CertificateAlert, DomainAlert } from '#core/contacts/alerting.ts'
import { daysLeft, dueOccasion, type Ending, nextOccasion } from '#core/expiry.ts'
import type { Transaction } from '#store/database/database.ts'
import { type AlertOrder, enqueueAlerts } from '#store/contacts/deliveries.ts'
import { type DueExpiry, holdDueExpiries, markTold, putOffExpiries } from '#store/expiries/expiry-alerts.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

const expiriesAtOnce = 500

/**
 * Alerts about certificates and registrations whose occasion has come; where several occasions have passed, only the
 * newest counts. The occasion is marked, the next one set and the alert enqueued in one transaction, so a process that
 * dies loses and repeats nothing. Occasions of monitors without contacts pass. Returns how many alerts were enqueued.
 */
export async function tellExpiries({ database, now }: Pick<JobParts, 'database' | 'now'>): Promise<number> {
  let told = 0
  for (;;) {
    const { held, ordered } = await database.transaction((tx) => tellSome(tx, now()))
    told += ordered
    if (held < expiriesAtOnce) return told
  }
}

async function tellSome(tx: Transaction, now: Date): Promise<{ held: number; ordered: number }> {
  const held = await holdDueExpiries(tx, now, expiriesAtOnce)
  if (held.length === 0) return { held: 0, ordered: 0 }
  await putOffExpiries(
    tx,
    held.map((expiry) => ({ expiry, alertAt: nextOccasion(endingOf(expiry), now) })),
  )
  const due = held.flatMap((expiry) => {
    const occasionAt = expiry.isWanted ? dueOccasion(endingOf(expiry), now) : null
    return occasionAt === null ? [] : [{ expiry, occasionAt }]
  })
  const orders = (await markTold(tx, due)).map(({ expiry }) => orderOf(expiry, now))
  await enqueueAlerts(tx, orders)
  return { held: held.length, ordered: orders.length }
}

function endingOf({ subject, notBefore, expiresAt }: DueExpiry): Ending {
  return subject === 'domain' ? { subject, expiresAt } : { subject, notBefore: notBefore ?? expiresAt, expiresAt }
}

function orderOf(expiry: DueExpiry, now: Date): AlertOrder {
  const { workspaceId, monitor } = expiry
  return { workspaceId, monitorId: monitor.id, incidentId: null, alert: alertOf(expiry, now), at: now }
}

function alertOf(expiry: DueExpiry, now: Date): CertificateAlert | DomainAlert {
  const { subject, name, issuer, expiresAt, seenAt, monitor } = expiry
  const { id, kind, url, status } = monitor
  const timestamp = now.toISOString()
  const data = {
    monitor: { id, name: monitor.name, kind, url, current_status: status },
    incident: null,
    result: null,
    expires_at: expiresAt.toISOString(),
    days_left: daysLeft(expiresAt, now),
    seen_at: seenAt.toISOString(),
  }
  return subject === 'domain'
    ? { type: 'domain.expiring', timestamp, data: { ...data, domain_name: name } }
    : { type: 'certificate.expiring', timestamp, data: { ...data, cert_host: name, cert_issuer: issuer } }
}

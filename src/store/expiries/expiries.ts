import type { ExpirySubject } from '#core/expiry.ts'
import { numberArray, textArray } from '#store/database/array-literal.ts'
import type { Transaction } from '#store/database/database.ts'

/** An end that a check of this version of the monitor saw. Times in milliseconds since 1970. */
export type SeenExpiry = {
  monitorKey: number
  version: number
  subject: ExpirySubject
  name: string
  issuer: string | null
  notBefore: number | null
  expiresAt: number | null
  seenAt: number
  /** The first occasion of an alert: counts when the end is another one than before. */
  alertAt: number | null
}

/**
 * Writes what checks saw, at most one end a monitor. What a monitor showed before its target became another one is
 * marked as such by `target_version`, however the change and this call overlap.
 */
export async function writeExpiries({ client }: Transaction, seen: readonly SeenExpiry[]): Promise<void> {
  if (seen.length === 0) return
  await client.query({
    name: 'write_expiries',
    text: writeStatement,
    values: [
      numberArray(seen.map(({ monitorKey }) => monitorKey)),
      numberArray(seen.map(({ version }) => version)),
      textArray(seen.map(({ subject }) => subject)),
      textArray(seen.map(({ name }) => name)),
      textArray(seen.map(({ issuer }) => issuer)),
      numberArray(seen.map(({ notBefore }) => notBefore)),
      numberArray(seen.map(({ expiresAt }) => expiresAt)),
      numberArray(seen.map(({ seenAt }) => seenAt)),
      numberArray(seen.map(({ alertAt }) => alertAt)),
    ],
  })
}

const writeStatement = `
insert into monitor_expiries as known (
  monitor_key, subject, target_version, name, issuer, not_before, expires_at, seen_at, alert_at
)
select
  monitor.key, seen.subject, monitor.target_version, seen.name, seen.issuer,
  timestamptz 'epoch' + seen.not_before * interval '1 millisecond',
  timestamptz 'epoch' + seen.expires_at * interval '1 millisecond',
  timestamptz 'epoch' + seen.seen_at * interval '1 millisecond',
  timestamptz 'epoch' + seen.alert_at * interval '1 millisecond'
from unnest(
  $1::bigint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::float8[], $9::float8[]
) as seen (monitor_key, version, subject, name, issuer, not_before, expires_at, seen_at, alert_at)
join monitors as monitor on monitor.key = seen.monitor_key and monitor.version = seen.version
order by monitor.key
on conflict (monitor_key, subject) do update
set target_version = excluded.target_version,
  name = excluded.name,
  issuer = excluded.issuer,
  not_before = excluded.not_before,
  expires_at = excluded.expires_at,
  seen_at = excluded.seen_at,
  alert_at = case
    when known.target_version = excluded.target_version and known.expires_at is not distinct from excluded.expires_at
    then known.alert_at
    else excluded.alert_at
  end
where known.target_version <= excluded.target_version`

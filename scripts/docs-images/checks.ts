// Writes the past of checks once all monitors are there: their results, their state, and the expiries that they saw.
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { writeExpiries } from '#store/expiries/expiries.ts'
import { type Watched, before, storyNow, watched } from './company.ts'
import type { Monitors } from './monitors.ts'
import { type Past, addPasts, lastCheck } from './past.ts'
import type { Service } from './service.ts'

export async function addChecks(service: Service, monitors: Monitors): Promise<void> {
  const { database } = service
  const locations = await database.query.selectFrom('locations').select(['id', 'code']).execute()
  const pasts: Past[] = []
  for (const each of watched) {
    const monitor = monitors.of(each.name)
    const seeing = isCalled(each) ? monitor.locations.slice(0, 1) : monitor.locations
    pasts.push({
      watched: each,
      key: await monitors.keyOf(each.name),
      locations: locations.filter(({ code }) => seeing.includes(code)).map(({ id }) => id),
      intervalMs: intervalOf(monitor),
    })
  }
  for (const past of pasts) await writeState(service, past)
  await addPasts(
    database,
    pasts.filter((past) => past.watched.isPaused !== true),
  )
  await addEnds(service, monitors)
}

/** Troubles that run have written theirs. */
async function writeState({ database }: Service, past: Past): Promise<void> {
  const { isPaused = false, troubles = [] } = past.watched
  const isWell = !isPaused && troubles.every(({ minutes }) => minutes !== null)
  await database.query
    .updateTable('monitor_state')
    .set({
      last_checked_at: lastCheck(past),
      round_at: storyNow,
      ...(isWell ? { current_status: 'up' } : {}),
    })
    .where('monitor_key', '=', String(past.key))
    .execute()
}

/** Kinds that are called, and groups, have no locations. */
function isCalled({ input }: Watched): boolean {
  return input['kind'] === 'heartbeat' || input['kind'] === 'group'
}

/** Groups are evaluated whenever a member is. */
function intervalOf({ kind, interval_seconds: seconds }: MonitorRecord): number {
  return (kind === 'group' ? 60 : seconds) * 1000
}

/** Certificates and registrations as checks and look-ups found them. */
async function addEnds({ database }: Service, { of }: Monitors): Promise<void> {
  const certificate = { issuer: "Let's Encrypt E7", notBefore: before({ days: 69 }), expiresAt: before({ days: -21 }) }
  const registration = { issuer: null, notBefore: null, expiresAt: before({ days: -212 }) }
  const ids = ['Shop front', 'Checkout API', 'Search', 'Wholesale portal'].map((name) => of(name).id)
  const found = await database.query
    .selectFrom('monitors')
    .select(['key', 'version', 'url'])
    .where('id', 'in', ids)
    .execute()
  for (const { key, version, url } of found) {
    const seen = { monitorKey: Number(key), version, seenAt: storyNow.getTime(), alertAt: null }
    const host = new URL(url ?? '').hostname
    const ends = [
      { subject: 'certificate', name: host, ...certificate },
      { subject: 'domain', name: 'harbourtea.example', ...registration },
    ] as const
    for (const { subject, name, issuer, notBefore, expiresAt } of ends)
      await database.transaction((tx) =>
        writeExpiries(tx, [
          {
            ...seen,
            subject,
            name,
            issuer,
            notBefore: notBefore?.getTime() ?? null,
            expiresAt: expiresAt.getTime(),
          },
        ]),
      )
  }
}

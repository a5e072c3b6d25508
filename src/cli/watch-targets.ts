import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '#core/language/error.ts'
import type { CurrentStatus, MonitorRecord } from '#core/monitors/monitor.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { listMonitorIncidents } from '#store/incidents/incidents.ts'
import { findMonitor, listMonitors } from '#store/monitors/monitor-records.ts'
import { printable } from './table.ts'
import type { Terminal } from './terminal.ts'

const pollMs = 1000

export type Watch = { services: Services; workspaceId: string; terminal: Terminal }
type Followed = { id: string; target: string; status: CurrentStatus }

/**
 * Sees to it that each target is monitored, and then prints every change of state until the signal. A target that is
 * refused is told and left out.
 */
export async function watchTargets(targets: readonly string[], watch: Watch, signal: AbortSignal): Promise<void> {
  const followed: Followed[] = []
  for (const target of targets) {
    const monitor = await ensureMonitor(target, watch)
    if (monitor !== null) followed.push({ id: monitor.id, target, status: 'pending' })
  }
  while (!signal.aborted && followed.length > 0) {
    for (const one of followed) await printChange(one, watch)
    await delay(pollMs, undefined, { signal }).catch(() => {})
  }
}

/** The monitor of this address, made if there is none; null when the address is refused. */
async function ensureMonitor(
  target: string,
  { services, workspaceId, terminal }: Watch,
): Promise<{ id: string } | null> {
  const now = new Date()
  const existing = await listMonitors(services.database, services.secrets, { workspaceId, now })
  const same = existing.find(({ kind, url }) => kind === 'http' && isSameAddress(url, target))
  if (same !== undefined) return same
  try {
    return await createMonitor(target, { services, workspaceId, now })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    terminal.err.write(`${target} is not watched: ${error.message}\n`)
    return null
  }
}

/** Through the operation of the API, with all its rules. */
async function createMonitor(
  target: string,
  { services, workspaceId, now }: { services: Services; workspaceId: string; now: Date },
): Promise<{ id: string }> {
  const create = monitorOperations.find(({ name }) => name === 'create_monitor')
  if (create === undefined) throw new Error('There is no operation create_monitor.')
  const actor = { actor: 'perigee start', actorKind: 'operator', actorId: null, person: null, role: null } as const
  const caller = { workspaceId, scope: 'write', tokenId: 'perigee start', ...actor } as const
  const idempotencyKey = null
  const input = { name: nameOf(target), kind: 'http', url: target }
  const request = { path: {}, query: {}, readBody: async () => input, idempotencyKey, payment: undefined }
  await create.perform({ caller, now, services }, request)
  const made = (await listMonitors(services.database, services.secrets, { workspaceId, now })).find(({ url }) =>
    isSameAddress(url, target),
  )
  if (made === undefined) throw new Error(`The monitor of ${target} was deleted.`)
  return made
}

/** A database that is starting again answers at the next look. */
async function printChange(one: Followed, { services, workspaceId, terminal }: Watch): Promise<void> {
  const { database, secrets } = services
  const scope = { workspaceId, monitorId: one.id }
  try {
    const record = await findMonitor(database, secrets, { ...scope, now: new Date() })
    if (record === undefined || record.current_status === one.status) return
    const [incident] = await listMonitorIncidents(database, { ...scope, limit: 1 })
    const cause = record.current_status === 'down' ? (incident?.cause ?? null) : null
    terminal.out.write(lineOf(one.target, record, cause))
    one.status = record.current_status
  } catch (error) {
    if (!isConnectionTrouble(error)) throw error
  }
}

function lineOf(target: string, { current_status: status }: MonitorRecord, cause: string | null): string {
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ')
  return `${time}Z  ${status.padEnd(8)}  ${target}${cause === null ? '' : `  ${printable(cause)}`}\n`
}

function nameOf(target: string): string {
  const { host, pathname } = new URL(target)
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 160)
}

function isSameAddress(stored: string | null, target: string): boolean {
  return stored !== null && URL.canParse(stored) && new URL(stored).href === new URL(target).href
}

/** What pg throws while the server is away: errors of the socket, of class 57 (it stops or starts), or its own text. */
function isConnectionTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^(?:57P0|08|E[A-Z])/.test(code) || /connection/i.test(error.message)
}

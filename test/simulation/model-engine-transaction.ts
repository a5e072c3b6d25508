import type { EngineTransaction } from '#store/engine-store.ts'
import { versionOfNone } from '#store/results/results-to-come.ts'
import type { StorableResult, StateChange } from '#store/results/store-batch.ts'
import { type Lease, LeaseLostError, resultKey } from '#store/results/store-batch.ts'
import { enqueueAlerts } from './model-alerts.ts'
import { type DayRow, type ModelTransaction, placeOf, UniqueViolation } from './model-database.ts'
import { isUncounted, withholdAlerts } from './model-maintenance.ts'
import { notModelled } from './not-modelled.ts'

export function modelEngineTransaction(tx: ModelTransaction): EngineTransaction {
  return {
    ...resultsWithin(tx),
    ...incidentsWithin(tx),
    readFaces: async (keys) => {
      const found = keys.flatMap((key) => tx.database.monitors.get(key) ?? [])
      return new Map(
        found.map(({ id, key, workspaceId, name, kind, url }) => [key, { id, key, workspaceId, name, kind, url }]),
      )
    },
    readChildren: async () => new Map(),
    withholdAlerts: (orders) => withholdAlerts(tx, orders),
    foldUnstable: async (orders) => [...orders],
    enqueueAlerts: async (orders) => enqueueAlerts(tx, orders),
    writeExpiries: async (seen) => onlyNone(seen, 'an expiry'),
    readReached: async (places) => places.map(() => null),
    writeReached: async (changes) => onlyNone(changes, 'an address'),
    beginEpisodes: async () => notModelled('an episode'),
    endEpisodes: async () => notModelled('an episode'),
    tellClosed: async (closings) => onlyNone(closings, 'an occasion that was closed'),
  }
}

function resultsWithin(
  tx: ModelTransaction,
): Pick<EngineTransaction, 'storeResults' | 'withSoftwareCounts' | 'keepFromFolds' | 'keepRejected' | 'writeStates'> {
  const { database } = tx
  return {
    storeResults: async (leases, results) => {
      await lockHeld(tx, leases)
      const fresh = new Map<string, StorableResult>()
      for (const result of results) {
        const key = resultKey(result.monitorKey, result.round, result.locationId)
        if (!fresh.has(key) && database.results.get(result.monitorKey)?.has(key) !== true) fresh.set(key, result)
      }
      for (const [key, result] of fresh) {
        tx.touched.add(result.monitorKey)
        tx.atCommit(() => store(tx, key, result))
      }
      return fresh.size === results.length ? null : new Set(fresh.keys())
    },
    withSoftwareCounts: async (results) => [...results],
    keepFromFolds: async (leases, results) => {
      await lockHeld(tx, leases)
      for (const { monitorKey, round } of results)
        for (const result of database.results.get(monitorKey)?.values() ?? [])
          if (result.round === round) tx.atCommit(() => void (result.version = versionOfNone))
    },
    keepRejected: async (rejected) => tx.atCommit(() => database.rejected.push(...rejected)),
    writeStates: async (changes) => {
      await tx.lockStates(changes.map(({ monitorKey }) => monitorKey))
      const written = changes.filter(({ monitorKey, version }) => database.states.get(monitorKey)?.version === version)
      for (const change of written) {
        tx.touched.add(change.monitorKey)
        tx.atCommit(() => writeState(tx, change))
      }
      return written.length === changes.length ? null : new Set(written.map(({ monitorKey }) => monitorKey))
    },
  }
}

async function lockHeld(tx: ModelTransaction, leases: readonly Lease[]): Promise<void> {
  await tx.lock(leases.map(({ partition }) => partition))
  if (leases.some(({ partition, epoch }) => tx.database.partitions[partition]?.epoch !== epoch))
    throw new LeaseLostError()
}

function store({ database }: ModelTransaction, key: string, result: StorableResult): void {
  const { monitorKey, round, verdict } = result
  const stored = database.results.get(monitorKey) ?? new Map()
  const isInMaintenance = isUncounted(database, { monitorKey, atMs: round / 1000 })
  database.results.set(monitorKey, stored.set(key, { ...result, isInMaintenance, storedMs: database.nowMs() }))
  if (isInMaintenance) return
  const day = `${monitorKey}/${new Date(round / 1000).toISOString().slice(0, 10)}`
  const counted = database.days.get(day) ?? noChecks
  const isTimed = verdict.status !== 'down' && verdict.latencyMs !== null
  database.days.set(day, {
    checks: counted.checks + 1,
    up: counted.up + Number(verdict.status === 'up'),
    down: counted.down + Number(verdict.status === 'down'),
    restricted: counted.restricted + Number(verdict.status === 'degraded'),
    latencySumMs: counted.latencySumMs + (isTimed ? (verdict.latencyMs ?? 0) : 0),
    latencyCount: counted.latencyCount + Number(isTimed),
  })
}

const noChecks: DayRow = { checks: 0, up: 0, down: 0, restricted: 0, latencySumMs: 0, latencyCount: 0 }

function writeState({ database }: ModelTransaction, change: StateChange): void {
  const { monitorKey, version, status, failures, successes, round, incidentId, problemAt, deadline } = change
  const before = database.states.get(monitorKey)
  database.states.set(monitorKey, {
    version,
    status,
    failures,
    successes,
    round: Math.max(before?.round ?? round, round),
    lastCheckedAt: round,
    incidentId,
    problemAt,
    deadline: deadline ?? before?.deadline ?? null,
    callStartedMs: before?.callStartedMs ?? null,
    runDue: before?.runDue ?? null,
  })
}

function incidentsWithin(
  tx: ModelTransaction,
): Pick<EngineTransaction, 'writeProblems' | 'writeGaps' | 'openIncidents' | 'resolveIncidents'> {
  const { database } = tx
  const { problems, gaps, incidents, events } = database
  return {
    writeProblems: async ({ ended, begun, grown }) => {
      for (const { monitorKey, startedAt, endedAt } of ended) {
        const place = placeOf(monitorKey, startedAt)
        tx.endedProblems.add(place)
        tx.atCommit(() => {
          const problem = problems.get(place)
          if (problem !== undefined) problem.endedAt = Math.max(startedAt, endedAt)
        })
      }
      for (const { monitorKey, at, ...seen } of begun) {
        const place = placeOf(monitorKey, at)
        if (problems.has(place)) continue
        const running = [...problems].find(
          ([, problem]) => problem.monitorKey === monitorKey && problem.endedAt === null,
        )
        if (running !== undefined && !tx.endedProblems.has(running[0])) throw new UniqueViolation('a running problem')
        tx.atCommit(() => problems.set(place, { monitorKey, startedAt: at, endedAt: null, ...seen }))
      }
      for (const { monitorKey, startedAt, locations, incidentId } of grown)
        tx.atCommit(() => {
          const problem = problems.get(placeOf(monitorKey, startedAt))
          if (problem !== undefined) Object.assign(problem, { locations, incidentId: incidentId ?? problem.incidentId })
        })
    },
    writeGaps: async ({ ended, over }) => {
      for (const { monitorKey, at } of ended)
        for (const gap of gaps.values())
          if (gap.monitorKey === monitorKey && gap.endedAt === null)
            tx.atCommit(() => (gap.endedAt = Math.max(gap.startedAt, at)))
      for (const { monitorKey, from, until } of over)
        tx.atCommit(() => {
          const place = placeOf(monitorKey, from)
          if (!gaps.has(place)) gaps.set(place, { monitorKey, startedAt: from, endedAt: until })
        })
    },
    openIncidents: async (openings) => {
      for (const { incidentId: id, workspaceId, monitorId, title, cause, at } of openings) {
        const isRunning = [...incidents.values()].some(
          (incident) =>
            incident.monitorId === monitorId && incident.resolvedMs === null && !tx.resolved.has(incident.id),
        )
        if (isRunning) throw new UniqueViolation('a running incident')
        const startedMs = at.getTime()
        tx.atCommit(() => {
          incidents.set(id, { id, workspaceId, monitorId, title, cause, startedMs, resolvedMs: null })
          events.push({ incidentId: id, type: 'opened', atMs: startedMs, message: cause ?? title })
        })
      }
    },
    resolveIncidents: async (endings) => {
      const running = endings.flatMap(({ incidentId, at, message }) => {
        const incident = incidents.get(incidentId)
        return incident === undefined || incident.resolvedMs !== null ? [] : [{ incident, at, message }]
      })
      const resolved = running.map(({ incident, at, message }) => {
        const resolvedMs = Math.max(incident.startedMs, at.getTime())
        tx.resolved.add(incident.id)
        tx.atCommit(() => {
          incident.resolvedMs = resolvedMs
          events.push({ incidentId: incident.id, type: 'resolved', atMs: resolvedMs, message })
        })
        const { id, title, cause, startedMs } = incident
        return [id, { id, title, cause, startedAt: new Date(startedMs), resolvedAt: new Date(resolvedMs) }] as const
      })
      return new Map(resolved)
    },
  }
}

function onlyNone(list: readonly unknown[], what: string): void {
  if (list.length > 0) notModelled(what)
}

import type { FindingAlert } from '#core/contacts/alerting.ts'
import type { Comparison } from '#core/software/comparison.ts'
import type { Transaction } from '#store/database/database.ts'
import { type AlertOrder, enqueueAlerts } from '#store/contacts/deliveries.ts'
import { readComparisons } from '#store/software/comparisons.ts'
import {
  awaitNoted,
  endNoted,
  holdNoted,
  markTold,
  type NotedMonitor,
  putOffNoted,
  type Told,
} from '#store/software/finding-alerts.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

const monitorsAtOnce = 100
/** So many findings are told one by one; of the others an alert gives the number. */
const findingsAtOnce = 20
const pausedMs = 600_000

/**
 * Enqueues one alert for each monitor that has findings without an alert. The findings are marked and the alert is
 * enqueued in one transaction, so a process that dies loses and repeats nothing. Returns how many alerts were enqueued.
 */
export async function tellFindings(
  { database, now }: Pick<JobParts, 'database' | 'now'>,
  signal: AbortSignal,
): Promise<number> {
  let told = 0
  while (!signal.aborted) {
    const { held, ordered } = await database.transaction((tx) => tellSome(tx, now()))
    told += ordered
    if (held < monitorsAtOnce) break
  }
  return told
}

async function tellSome(tx: Transaction, at: Date): Promise<{ held: number; ordered: number }> {
  const held = await holdNoted(tx, monitorsAtOnce)
  if (held.length === 0) return { held: 0, ordered: 0 }
  const [paused, running] = partition(held, ({ isRunning }) => !isRunning)
  const [ready, waiting] = partition(running, ({ isReady }) => isReady)
  const noted = new Map(ready.map((monitor) => [monitor.key, monitor]))
  const told = await markTold(tx, { keys: [...noted.keys()], limit: findingsAtOnce, at })
  const comparisons = await readComparisons(
    tx,
    told.map(({ monitorKey }) => monitorKey),
    at,
  )
  const orders = told.flatMap((findings) => {
    const monitor = noted.get(findings.monitorKey)
    const comparison = comparisons.get(findings.monitorKey)
    return monitor === undefined ? [] : [orderOf(monitor, { ...findings, comparison }, at)]
  })
  await enqueueAlerts(tx, orders)
  await endNoted(tx, [...noted.keys()])
  await awaitNoted(tx, keysOf(waiting))
  await putOffNoted(tx, keysOf(paused), pausedMs)
  return { held: held.length, ordered: orders.length }
}

function partition(
  monitors: readonly NotedMonitor[],
  holds: (monitor: NotedMonitor) => boolean,
): [NotedMonitor[], NotedMonitor[]] {
  return [monitors.filter(holds), monitors.filter((monitor) => !holds(monitor))]
}

function keysOf(monitors: readonly NotedMonitor[]): string[] {
  return monitors.map(({ key }) => key)
}

function orderOf(
  { monitor, workspaceId }: NotedMonitor,
  { findings, total, hasVulnerability, comparison }: Told & { comparison: Comparison | undefined },
  at: Date,
): AlertOrder {
  const alert: FindingAlert = {
    type: hasVulnerability ? 'vulnerability.found' : 'end_of_life.reached',
    timestamp: at.toISOString(),
    data: { monitor, incident: null, result: null, findings, total, ...comparison },
  }
  return { workspaceId, monitorId: monitor.id, incidentId: null, alert, at }
}

import { renewedUntil } from '#core/money/quote.ts'
import { graceOverUntil, planRenewals, renewalAheadMs, renewalCents, renewalDescription } from '#core/money/renewal.ts'
import { addCredits } from '#store/money/credit.ts'
import type { Transaction } from '#store/database/database.ts'
import { pauseUnpaid, setPaidPeriods } from '#store/money/paid-periods.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import { listReaders } from '#store/money/renewal-notices.ts'
import {
  type EndingMonitor,
  holdEnding,
  holdUnpaid,
  listRenewals,
  listUnpaid,
  markOverdue,
} from '#store/money/renewals.ts'
import { eachPage } from '#jobs/runner/each-page.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'
import { tellUncovered } from './renewal-notices.ts'
import type { Chore } from '#jobs/runner/timer.ts'

const hour = 3_600_000
const workspacesAtOnce = 1_000
/** In one transaction. A workspace that has more is renewed in one transaction all the same. */
const monitorsAtOnce = 1_000
/** They end problems and incidents, and the engines of their partitions wait. */
const pausedAtOnce = 100
const overdueRuns = 1_000

export type RenewalParts = Pick<JobParts, 'database' | 'log' | 'now'>

/** The outcome of one run: `told` counts workspaces, the others count monitors. */
export type RenewalRun = { renewed: number; overdue: number; told: number; paused: number }

/** Renews monthly monitors from credit every hour; an unpaid period ends (docs/decisions/plans-and-periods.md). */
export function renewalChores(parts: RenewalParts): Chore[] {
  return [
    {
      name: 'renew_monitors',
      everyMs: hour,
      run: async (signal) => {
        const run = await renewMonitors(parts, signal)
        if (Object.values(run).some((number) => number > 0)) parts.log.info('Paid periods have ended.', run)
      },
    },
  ]
}

/** One run. Each step finds by itself what an earlier run has left, so it may break off anywhere. */
export async function renewMonitors(parts: RenewalParts, signal: AbortSignal): Promise<RenewalRun> {
  const at = parts.now()
  const renewed = await renewAll(parts, { at, signal })
  const overdue = await markAllOverdue(parts, { at, signal })
  const paused = await pauseAllUnpaid(parts, { at, signal })
  const told = await tellUncovered(parts, { at, signal })
  return { renewed, overdue, told, paused }
}

type Run = { at: Date; signal: AbortSignal }

async function renewAll({ database, log }: RenewalParts, { at, signal }: Run): Promise<number> {
  const until = new Date(at.getTime() + renewalAheadMs)
  let renewed = 0
  await eachPage(
    {
      list: (after) => listRenewals(database, { until, after, limit: workspacesAtOnce }),
      idOf: ({ workspaceId }) => workspaceId,
      limit: workspacesAtOnce,
      split: byMonitors,
      work: async (workspaces) => {
        const workspaceIds = workspaces.map(({ workspaceId }) => workspaceId)
        renewed += await database.transaction((tx) => renewTogether(tx, { workspaceIds, until, at }))
      },
      onFailure: ({ workspaceId }, error) =>
        log.warn('The monitors of a workspace could not be renewed.', { workspace_id: workspaceId, error }),
    },
    signal,
  )
  return renewed
}

function byMonitors<T extends { monitors: number }>(workspaces: readonly T[]): T[][] {
  const chunks: T[][] = []
  let monitors = Infinity
  for (const workspace of workspaces) {
    monitors += workspace.monitors
    if (monitors > monitorsAtOnce) {
      chunks.push([])
      monitors = workspace.monitors
    }
    chunks.at(-1)?.push(workspace)
  }
  return chunks
}

async function renewTogether(
  tx: Transaction,
  { workspaceIds, until, at }: { workspaceIds: readonly string[]; until: Date; at: Date },
): Promise<number> {
  const held = await holdEnding(tx, { workspaceIds, until })
  const covered = held.flatMap(({ creditCents, ending }) => planRenewals(creditCents, ending).covered)
  if (covered.length === 0) return 0
  await addCredits(
    tx,
    covered.map(({ id, workspaceId, name, locations }) => ({
      workspaceId,
      amountCents: -renewalCents(locations),
      reason: 'renewal',
      description: `${renewalDescription(locations)}: ${name}`,
      monitorId: id,
      at,
    })),
  )
  await setPaidPeriods(
    tx,
    covered.map(({ id, locations, paidUntil }) => ({
      monitorId: id,
      paidUntil: renewedUntil(paidUntil, at),
      paidLocations: locations,
      at,
    })),
  )
  return covered.length
}

async function markAllOverdue({ database }: RenewalParts, { at, signal }: Run): Promise<number> {
  let overdue = 0
  for (let runs = 0; runs < overdueRuns && !signal.aborted; runs += 1) {
    const marked = await markOverdue(database, at)
    if (marked === 0) break
    overdue += marked
  }
  return overdue
}

/** Their workspace is told once, with the last of them. */
async function pauseAllUnpaid({ database, log }: RenewalParts, { at, signal }: Run): Promise<number> {
  const until = graceOverUntil(at)
  let paused = 0
  await eachPage(
    {
      list: (after) => listUnpaid(database, { until, after, limit: workspacesAtOnce }),
      idOf: (workspaceId) => workspaceId,
      limit: workspacesAtOnce,
      split: (workspaceIds) => workspaceIds.map((workspaceId) => [workspaceId]),
      work: async ([workspaceId = '']) => {
        for (let isMore = true; isMore && !signal.aborted;) {
          const step = await database.transaction((tx) => pauseSome(tx, { workspaceId, until, at }))
          paused += step.paused
          isMore = step.isMore
        }
      },
      onFailure: (workspaceId, error) =>
        log.warn('Unpaid monitors of a workspace could not be paused.', { workspace_id: workspaceId, error }),
    },
    signal,
  )
  return paused
}

async function pauseSome(
  tx: Transaction,
  { workspaceId, until, at }: { workspaceId: string; until: Date; at: Date },
): Promise<{ paused: number; isMore: boolean }> {
  const unpaid: EndingMonitor[] = await holdUnpaid(tx, { workspaceId, until, limit: pausedAtOnce + 1 })
  const paused = unpaid.slice(0, pausedAtOnce)
  const isMore = unpaid.length > paused.length
  await pauseUnpaid(tx, paused, at)
  if (paused.length > 0 && !isMore) {
    const readers = await listReaders(tx, workspaceId)
    await enqueueNotices(
      tx,
      readers.map((reader) => ({ notice: 'unpaid_paused', workspace_id: workspaceId, reader })),
    )
  }
  return { paused: paused.length, isMore }
}

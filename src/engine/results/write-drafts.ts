import type { AlertChildren, AlertIncident, StatusAlert } from '#core/contacts/alerting.ts'
import type { Report } from '#core/results/round.ts'
import type { EngineTransaction } from '#store/engine-store.ts'
import type { AlertOrder } from '#store/contacts/deliveries.ts'
import type { StateChange } from '#store/results/store-batch.ts'
import type { ProblemChanges } from '#store/incidents/problems.ts'
import { silenceBetween } from '#core/monitors/silence.ts'
import type { GapChanges } from '#store/monitors/monitor-gaps.ts'
import type { Ending, Opening, ResolvedIncident } from '#store/incidents/transitions.ts'
import type { MonitorFace } from '#store/monitors/watch-rows.ts'
import { alertMonitorOf, alertResultOf, dateOf } from './alert-parts.ts'
import type { Draft, Fold } from './draft-rounds.ts'
import { writeEpisodes } from './write-episodes.ts'

type Folded = Draft & { fold: Fold }

/**
 * Writes what the closed rounds of a batch decided: states, problems, incidents, events, deliveries and their jobs.
 * Returns the monitors whose version had risen meanwhile: nothing was written for them.
 */
export async function writeDrafts(tx: EngineTransaction, drafts: Draft[]): Promise<Set<number>> {
  const closed = drafts.filter(hasFold)
  const written = await tx.writeStates(closed.map(stateChangeOf))
  const current = written === null ? closed : closed.filter(({ watched }) => written.has(watched.key))
  await tx.writeProblems(problemChangesOf(current))
  await tx.writeGaps(gapChangesOf(current))
  await writeTransitions(
    tx,
    current.filter(({ fold }) => fold.transition.type !== 'none'),
  )
  await writeEpisodes(tx, current)
  if (current.length === closed.length) return new Set()
  return new Set(closed.filter((draft) => !current.includes(draft)).map(({ watched }) => watched.key))
}

function hasFold(draft: Draft): draft is Folded {
  return draft.fold !== null
}

function stateChangeOf({ watched, version, open, fold }: Folded): StateChange {
  return {
    monitorKey: watched.key,
    version,
    status: fold.standing.status,
    failures: fold.standing.failures,
    successes: fold.standing.successes,
    round: open.time,
    incidentId: fold.incidentId,
    problemAt: fold.problem.problem?.at ?? null,
    deadline: fold.deadline,
  }
}

function problemChangesOf(closed: Folded[]): ProblemChanges {
  const changes: ProblemChanges = { ended: [], begun: [], grown: [] }
  for (const { watched, open, fold } of closed) {
    const { ended, begun, grown, problem } = fold.problem
    const { incidentId } = fold
    const monitorKey = watched.key
    const isNewIncident = fold.transition.type === 'went_down'
    if (ended !== null) changes.ended.push({ monitorKey, startedAt: ended.at, endedAt: open.time })
    if (begun !== null) changes.begun.push({ monitorKey, ...begun.problem, error: begun.error, incidentId })
    else if (problem !== null && (grown !== null || isNewIncident))
      changes.grown.push({ monitorKey, startedAt: problem.at, locations: problem.locations, incidentId })
  }
  return changes
}

/** Only a monitor that locations check is known to be silent: calls have a deadline, and groups the rhythm of others. */
function gapChangesOf(closed: Folded[]): GapChanges {
  const changes: GapChanges = { ended: [], over: [] }
  for (const { watched, open, fold } of closed) {
    const { key: monitorKey, standing, source, intervalMs, foldedUntil } = watched
    if (standing.status === 'pending') {
      if (fold.standing.status !== 'pending') changes.ended.push({ monitorKey, at: open.time })
    } else if (source.type === 'probed' && foldedUntil > 0) {
      const silence = silenceBetween({ intervalMs }, { knownMs: foldedUntil / 1000, nextMs: open.time / 1000 })
      if (silence === null) continue
      const [from, until] = silence.map((ms) => Math.round(ms * 1000))
      changes.over.push({ monitorKey, from: from ?? open.time, until: until ?? open.time })
    }
  }
  return changes
}

async function writeTransitions(tx: EngineTransaction, changed: Folded[]): Promise<void> {
  if (changed.length === 0) return
  const faces = await tx.readFaces(changed.map(({ watched }) => watched.key))
  const turned = changed.flatMap((draft) => {
    const face = faces.get(draft.watched.key)
    return face === undefined ? [] : [{ draft, face }]
  })
  const down = turned.filter(({ draft }) => draft.fold.transition.type === 'went_down')
  const recovered = turned.filter(({ draft }) => draft.fold.transition.type === 'recovered')
  await tx.openIncidents(down.flatMap(openingOf))
  const resolved = await tx.resolveIncidents(recovered.flatMap(endingOf))
  const children = await tx.readChildren(down.map(({ face }) => face.id))
  const orders = [
    ...down.flatMap((each) => downOrder(each, children.get(each.face.id))),
    ...recovered.flatMap(({ draft, face }) => recoveryOrder({ draft, face }, resolved)),
  ]
  await tx.enqueueAlerts(await tx.foldUnstable(await tx.withholdAlerts(orders)))
}

type Turned = { draft: Folded; face: MonitorFace }

function openingOf({ draft, face }: Turned): Opening[] {
  const { fold, open } = draft
  if (fold.transition.type !== 'went_down' || fold.incidentId === null) return []
  const { report } = fold.transition
  return [
    {
      incidentId: fold.incidentId,
      workspaceId: face.workspaceId,
      monitorId: face.id,
      monitorName: face.name,
      title: titleOf(face),
      cause: report.verdict.error,
      at: dateOf(open.time),
      locationCode: report.location,
    },
  ]
}

function endingOf({ draft }: Turned): Ending[] {
  const { incidentId } = draft.watched
  return incidentId === null ? [] : [{ incidentId, at: dateOf(draft.open.time), message: 'Checks succeed again.' }]
}

function downOrder({ draft, face }: Turned, children: AlertChildren | undefined): AlertOrder[] {
  const { fold, open } = draft
  if (fold.transition.type !== 'went_down' || fold.incidentId === null) return []
  const { report } = fold.transition
  const incident = {
    id: fold.incidentId,
    status: 'open' as const,
    title: titleOf(face),
    cause: report.verdict.error,
    started_at: dateOf(open.time).toISOString(),
    resolved_at: null,
  }
  return [orderOf('monitor.down', { draft, face }, { report, incident, children, at: dateOf(open.time) })]
}

function recoveryOrder({ draft, face }: Turned, resolved: Map<string, ResolvedIncident>): AlertOrder[] {
  const { transition } = draft.fold
  const ended = resolved.get(draft.watched.incidentId ?? '')
  if (transition.type !== 'recovered' || ended === undefined) return []
  const incident = {
    id: ended.id,
    status: 'resolved' as const,
    title: ended.title,
    cause: ended.cause,
    started_at: ended.startedAt.toISOString(),
    resolved_at: ended.resolvedAt.toISOString(),
  }
  return [orderOf('monitor.up', { draft, face }, { report: transition.report, incident, at: ended.resolvedAt })]
}

type Told = { report: Report; incident: AlertIncident; children?: AlertChildren | undefined; at: Date }

function orderOf(
  type: StatusAlert['type'],
  { draft, face }: Turned,
  { report, incident, children, at }: Told,
): AlertOrder {
  return {
    workspaceId: face.workspaceId,
    monitorId: face.id,
    incidentId: incident.id,
    at,
    alert: {
      type,
      timestamp: at.toISOString(),
      data: {
        monitor: alertMonitorOf(face, draft.fold.standing.status),
        incident,
        result: alertResultOf(report),
        ...(children === undefined ? {} : { children }),
      },
    },
  }
}

function titleOf({ name }: MonitorFace): string {
  return `${name} is down`
}

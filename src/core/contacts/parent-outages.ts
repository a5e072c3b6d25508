// Whether an alert of an outage leaves while monitors that its monitor depends on may be down themselves
// (docs/decisions/alerts-and-contacts.md, "Parents").
import { maxParentLevels } from '#core/monitors/parents.ts'
import { oneLine } from '#core/language/one-line.ts'

/** Longest that a new alert waits for its parents to be checked, and for their alerts to arrive. */
export const parentWaitMs = 30_000

/** A monitor that another depends on, as it is now. Times in milliseconds since 1970. */
export type ParentState = {
  id: string
  name: string
  parentIds: readonly string[]
  /** False while its state says nothing: paused, pending, in maintenance, or nobody can tell how it is. */
  isKnown: boolean
  /** Of its outage; null while it is not down. */
  incidentId: string | null
  /** Whether its last round failed, which need not be enough to call it down. */
  hasFailed: boolean
  /** When the last round that it was judged by began; null where no location checks it, and only its state counts. */
  judgedAtMs: number | null
}

/** What became of a parent's alert to one contact. `under_way`: its first attempt has not ended yet. */
export type Told = 'reached' | 'under_way' | 'untold'

/** An alert that waits. */
export type WaitingAlert = {
  contactId: string
  parentIds: readonly string[]
  startedAtMs: number
  untilMs: number
  /** When the parent that kept it back recovered; null where none has yet. */
  parentRecoveredAtMs: number | null
  /** The last round of its own monitor. */
  own: { judgedAtMs: number; hasFailed: boolean }
}

export type Parents = {
  byId: ReadonlyMap<string, ParentState>
  toldOf: (incidentId: string, contactId: string) => Told
}

export type ParentDecision =
  | { type: 'leave' }
  | { type: 'wait' }
  | { type: 'withhold'; by: { incidentId: string; name: string } }

/**
 * The nearest parent that is down and whose alert the contact got keeps the alert back. While that may still come
 * about, and until its time is over, the alert waits.
 */
export function decideAlert(waiting: WaitingAlert, parents: Parents, nowMs: number): ParentDecision {
  let isOpen = isRecovering(waiting)
  for (const parent of troubledParents(waiting, parents.byId)) {
    const { incidentId, name } = parent
    const told = incidentId === null ? 'under_way' : parents.toldOf(incidentId, waiting.contactId)
    if (incidentId !== null && told === 'reached') return { type: 'withhold', by: { incidentId, name } }
    isOpen ||= told === 'under_way'
  }
  return isOpen && nowMs < waiting.untilMs ? { type: 'wait' } : { type: 'leave' }
}

/** Whether no parent is down or may turn out to be. */
export function areParentsWell(of: Pick<WaitingAlert, 'parentIds' | 'startedAtMs'>, byId: Parents['byId']): boolean {
  return troubledParents(of, byId).length === 0
}

/** Whether the outage of a parent still keeps alerts back. */
export function isHolding(parent: ParentState | undefined, incidentId: string): boolean {
  return parent !== undefined && parent.isKnown && parent.incidentId === incidentId
}

/** How long an alert that was kept back waits, once its parent is back, for its own monitor to be back as well. */
export function recoveryWaitMs(of: { intervalSeconds: number; recoveryThreshold: number }): number {
  return Math.max(parentWaitMs, Math.max(2, of.recoveryThreshold) * of.intervalSeconds * 1000)
}

export function withheldEvent(
  contact: { id: string; name: string; kind: string },
  by: { incidentId: string; name: string },
): { message: string; details: { alert_channel_id: string; parent_incident_id: string } } {
  const to = `${oneLine(contact.name)} (${contact.kind})`
  return {
    message: `Alert to ${to} held back: ${oneLine(by.name)}, which it depends on, is down, and ${to} was told of that.`,
    details: { alert_channel_id: contact.id, parent_incident_id: by.incidentId },
  }
}

/** Since its parent recovered no round of its own has failed yet. */
function isRecovering({ parentRecoveredAtMs, own }: WaitingAlert): boolean {
  if (parentRecoveredAtMs === null) return false
  return own.judgedAtMs <= parentRecoveredAtMs || !own.hasFailed
}

/**
 * The parents that are down, or may be as far as is known, the nearest first. What stands behind a parent that is well
 * is of no concern; one whose state says nothing is passed over.
 */
function troubledParents(
  { parentIds, startedAtMs }: Pick<WaitingAlert, 'parentIds' | 'startedAtMs'>,
  byId: Parents['byId'],
): ParentState[] {
  const troubled: ParentState[] = []
  const seen = new Set<string>()
  let level = parentIds
  for (let depth = 0; depth < maxParentLevels; depth += 1) {
    const further: string[] = []
    for (const id of level) {
      const parent = byId.get(id)
      if (parent === undefined || seen.has(id)) continue
      seen.add(id)
      if (parent.isKnown && !isTroubled(parent, startedAtMs)) continue
      if (parent.isKnown) troubled.push(parent)
      further.push(...parent.parentIds)
    }
    level = further
  }
  return troubled
}

function isTroubled({ incidentId, hasFailed, judgedAtMs }: ParentState, startedAtMs: number): boolean {
  return incidentId !== null || hasFailed || (judgedAtMs !== null && judgedAtMs < startedAtMs)
}

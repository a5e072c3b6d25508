// When the subscribers of a status page are told of planned maintenance, and of which change.
import type { Occurrence } from './maintenance.ts'

/** Each occurrence of a window is announced this long before it begins, or at once when it begins sooner. */
export const announcedAheadMs = 24 * 3_600_000

/** What subscribers were told of one occurrence of a window, and what the plan says now. */
export type MaintenanceCourse = {
  told: 'planned' | 'begun'
  known: Occurrence
  /** The occurrence as it is planned now; null when it was cancelled, or no longer covers monitors of the page. */
  present: Occurrence | null
  /** The window's next occurrence that was not announced yet. */
  next: Occurrence | null
}

/** `told` is what subscribers know of the occurrence afterwards; null when the occurrence is forgotten. */
export type MaintenanceStep = { occurrence: Occurrence } & (
  | { type: 'begun'; told: 'begun' }
  | { type: 'ended'; told: 'ended' }
  | { type: 'changed'; told: 'planned' | 'begun' }
  | { type: 'cancelled'; told: null }
)

/** The next message to the subscribers; null while there is none. */
export function nextStep({ told, known, present, next }: MaintenanceCourse, now: Date): MaintenanceStep | null {
  if (present === null) {
    if (told === 'begun') {
      const endsAt = known.endsAt < now ? known.endsAt : now
      return { type: 'ended', told: 'ended', occurrence: { startsAt: known.startsAt, endsAt } }
    }
    return next === null
      ? { type: 'cancelled', told: null, occurrence: known }
      : { type: 'changed', told: 'planned', occurrence: next }
  }
  if (present.endsAt <= now) return { type: 'ended', told: 'ended', occurrence: present }
  if (told === 'planned' && present.startsAt <= now) return { type: 'begun', told: 'begun', occurrence: present }
  if (present.endsAt.getTime() !== known.endsAt.getTime()) return { type: 'changed', told, occurrence: present }
  return null
}

export type MaintenanceNewsType = 'planned' | MaintenanceStep['type']

// What the subscribers of a status page are told of planned maintenance, and when.
import type { Occurrence } from './maintenance.ts'

/** Each time of a window is announced so long before it begins, or at once when it is nearer. */
export const announcedAheadMs = 24 * 3_600_000

/** What was told of one time of a window, and what became of it. */
export type MaintenanceCourse = {
  told: 'planned' | 'begun'
  known: Occurrence
  /** As it is planned now; null when it is not planned any more, or not for what the page shows. */
  present: Occurrence | null
  /** The window's next time of which nothing was told. */
  next: Occurrence | null
}

/** `told`: what is known of the occurrence from then on; null when it is forgotten. */
export type MaintenanceStep = { occurrence: Occurrence } & (
  | { type: 'begun'; told: 'begun' }
  | { type: 'ended'; told: 'ended' }
  | { type: 'changed'; told: 'planned' | 'begun' }
  | { type: 'cancelled'; told: null }
)

/** What is told next; null while nothing is. */
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

import { dayMs } from '#core/language/utc-day.ts'
import { fail } from '#core/language/error.ts'
import {
  type OnCallDetailRecord,
  type OnCallGapRecord,
  type OnCallScheduleRecord,
  type OnCallShiftRecord,
  gapDays,
} from '#core/contacts/on-call-schedule.ts'
import { type OnCallGap, type OnCallShift, gapsOf, shiftsOf } from '#core/contacts/on-call-shifts.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { type StoredSchedule, findSchedule } from '#store/contacts/on-call-schedules.ts'

/** The schedule that a path names. */
export async function findScheduleOf(
  { caller, services }: Context,
  { id = '' }: Record<string, string>,
): Promise<StoredSchedule> {
  return (await findSchedule(services.database, { workspaceId: caller.workspaceId, id })) ?? scheduleGone()
}

export function scheduleGone(): never {
  throw fail('not_found', 'There is no such on-call schedule in this workspace.')
}

export function toScheduleRecord(schedule: StoredSchedule): OnCallScheduleRecord {
  return {
    id: schedule.id,
    name: schedule.name,
    time_zone: schedule.timeZone,
    layers: schedule.layers,
    has_calendar: schedule.hasCalendar,
    created_at: schedule.createdAt.toISOString(),
  }
}

export function toDetailRecord(schedule: StoredSchedule, now: Date): OnCallDetailRecord {
  const span = { from: now, until: new Date(now.getTime() + gapDays * dayMs) }
  return { ...toScheduleRecord(schedule), gaps: gapsOf(shiftsOf(schedule, span), span).map(toGapRecord) }
}

export function toShiftRecord({ startsAt, endsAt, contactId, layer, overrideId }: OnCallShift): OnCallShiftRecord {
  return {
    starts_at: startsAt.toISOString(),
    ends_at: endsAt.toISOString(),
    contact_id: contactId,
    layer,
    override_id: overrideId,
  }
}

export function toGapRecord({ startsAt, endsAt, overrideId }: OnCallGap): OnCallGapRecord {
  return { starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString(), override_id: overrideId }
}

import type { MaintenanceInput, MaintenanceRecord, Schedule } from '../../api/maintenance.ts'
import { isCount, isText, isTexts, listOf, nullOr, oneOf, recordOf } from '../../parts/drafts/draft-shape.ts'
import { instantIn, localIn } from '../../parts/zone-time.ts'

/** A schedule while it is typed: each way of planning keeps what was said of it. Times are those of the zone. */
export type Draft = {
  type: Schedule['type']
  zone: string
  /** For `once`, in the form of `datetime-local`. */
  begins: string
  ends: string
  weekdays: ReadonlySet<number>
  /** For `weekly`. */
  starts: string
  expression: string
  /** For `weekly` and `cron`, in minutes. */
  lasts: string
}

const hourMs = 3_600_000

/** `window` is null for what is new: then it begins at the next full hour. */
export function draftOf(window: MaintenanceRecord | null, now: Date, ownZone: string): Draft {
  const zone = window?.time_zone ?? ownZone
  const nextHour = new Date(Math.ceil(now.getTime() / hourMs) * hourMs)
  const draft: Draft = {
    type: window?.schedule.type ?? 'once',
    zone,
    begins: localIn(zone, nextHour),
    ends: localIn(zone, new Date(nextHour.getTime() + hourMs)),
    weekdays: new Set([7]),
    starts: '03:00',
    expression: '0 3 * * 7',
    lasts: '60',
  }
  return window === null ? draft : { ...draft, ...held(window.schedule, zone) }
}

/** As it is kept while it is not saved. Times of a single window are proposed by the clock where there is none. */
export type KeptDraft = Omit<Draft, 'weekdays' | 'begins' | 'ends'> & {
  weekdays: number[]
  times: [string, string] | null
}

export function keptDraft({ weekdays, begins, ends, ...draft }: Draft): KeptDraft {
  return { ...draft, weekdays: [...weekdays], times: draft.type === 'once' ? [begins, ends] : null }
}

export function withKept(now: Draft, { weekdays, times, ...kept }: KeptDraft): Draft {
  const [begins, ends] = times ?? [now.begins, now.ends]
  return { ...kept, weekdays: new Set(weekdays), begins, ends }
}

export const isKeptDraft = recordOf<KeptDraft>({
  type: oneOf(['once', 'weekly', 'cron']),
  zone: isText,
  weekdays: listOf(isCount),
  times: nullOr(areTimes),
  starts: isText,
  expression: isText,
  lasts: isText,
})

function areTimes(value: unknown): value is [string, string] {
  return isTexts(value) && value.length === 2
}

function held(schedule: Schedule, zone: string): Partial<Draft> {
  switch (schedule.type) {
    case 'once':
      return {
        begins: localIn(zone, new Date(schedule.starts_at)),
        ends: localIn(zone, new Date(schedule.ends_at)),
      }
    case 'weekly':
      return {
        weekdays: new Set(schedule.weekdays),
        starts: schedule.starts,
        lasts: String(schedule.duration_minutes),
      }
    case 'cron':
      return { expression: schedule.expression, lasts: String(schedule.duration_minutes) }
  }
}

/** A text that cannot be read is sent as it is, so that the service says what is wrong with it. */
export function scheduleOf({ type, zone, begins, ends, weekdays, starts, expression, lasts }: Draft): Schedule {
  const duration = Number.parseInt(lasts, 10)
  switch (type) {
    case 'once':
      return { type, starts_at: instantText(zone, begins), ends_at: instantText(zone, ends) }
    case 'weekly':
      return { type, weekdays: [...weekdays].toSorted((one, other) => one - other), starts, duration_minutes: duration }
    case 'cron':
      return { type, expression: expression.trim(), duration_minutes: duration }
  }
}

function instantText(zone: string, local: string): string {
  try {
    return instantIn(zone, local)?.toISOString() ?? ''
  } catch {
    return ''
  }
}

export type Rest = Pick<
  MaintenanceInput,
  'name' | 'description' | 'monitor_ids' | 'monitor_tags' | 'excludes_uptime' | 'tags'
>

export function inputOf(draft: Draft, rest: Rest): MaintenanceInput {
  return { ...rest, schedule: scheduleOf(draft), time_zone: draft.zone }
}

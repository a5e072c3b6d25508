import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { renderCalendar } from '#core/contacts/on-call-calendar.ts'
import { shiftsOf } from '#core/contacts/on-call-shifts.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { findScheduleOfCalendar, listContactNames, setCalendar } from '#store/contacts/on-call-calendars.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findScheduleOf, scheduleGone } from './on-call-records.ts'

/** Below the service's root; the secret part and `.ics` follow. */
export const calendarPath = '/on-call/'

const inConsole = { tag: 'Console', surface: 'console', subject: 'on_call_schedule' } as const
/** 192 bits, as 32 characters that need no escaping: the address is all that a reader needs. */
const tokenBytes = 24

const replace = defineOperation({
  ...inConsole,
  name: 'replace_on_call_calendar',
  method: 'POST',
  path: '/on-call-schedules/{id}/calendar',
  scope: 'write',
  summary: 'Give the calendar of an on-call schedule a new secret address',
  description:
    'Calendar programs read the next 60 days there (iCalendar). The address is shown only here, once, and needs no ' +
    'token. The previous one stops working.',
  errors: [401, 403, 404],
  success: {
    status: 201,
    description: 'The address.',
    schema: z.strictObject({ data: z.strictObject({ url: z.url() }) }),
  },
  find: findScheduleOf,
  run: async ({ services: { database, publicUrl } }, { target: { id } }) => {
    const token = randomBytes(tokenBytes).toString('base64url')
    await database.transaction(async (tx) => {
      if (!(await setCalendar(tx, { id, token }))) scheduleGone()
    })
    return { status: 201, body: { data: { url: `${publicUrl}${calendarPath}${token}.ics` } } }
  },
})

const remove = defineOperation({
  ...inConsole,
  name: 'delete_on_call_calendar',
  method: 'DELETE',
  path: '/on-call-schedules/{id}/calendar',
  scope: 'write',
  summary: 'Remove the secret address of the calendar',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The address was removed.' },
  find: findScheduleOf,
  run: async ({ services: { database }, noteChange }, { target: { id, hasCalendar } }) => {
    await database.transaction(async (tx) => {
      if (!(await setCalendar(tx, { id, token: null }))) scheduleGone()
      if (!hasCalendar) noteChange('nothing')
    })
    return { status: 204, body: undefined }
  },
})

export const onCallCalendarOperations = [replace, remove]

const aheadDays = 60

/** The calendar at a secret address, as iCalendar. Throws 404 for an address that leads nowhere. */
export async function readCalendar(
  { database }: Pick<Services, 'database'>,
  limits: Pick<Limits, 'countCalendar'>,
  { token, now }: { token: string; now: Date },
): Promise<string> {
  const schedule = await findScheduleOfCalendar(database, token)
  if (schedule === null) throw fail('not_found', 'There is nothing at this address.')
  const rate = await limits.countCalendar(schedule.id)
  if (rate.isExceeded)
    throw fail('rate_limited', `More than ${rate.limit} reads within a minute.`, {
      retryAfterSeconds: rate.resetSeconds,
    })
  const span = { from: lastMonday(now), until: new Date(now.getTime() + aheadDays * dayMs) }
  const names = await listContactNames(database, schedule.workspaceId)
  return renderCalendar({ ...schedule, shifts: shiftsOf(schedule, span), names })
}

/**
 * The Monday before the last one. What is under way keeps its beginning from one read to the next, so that calendar
 * programs know it again, unless it is longer than a week.
 */
function lastMonday(now: Date): Date {
  const day = Math.floor(now.getTime() / dayMs)
  // The first of January 1970 was a Thursday.
  return new Date((day - ((day + 3) % 7) - 7) * dayMs)
}

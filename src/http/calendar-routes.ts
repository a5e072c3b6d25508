import type { Hono } from 'hono'
import { calendarPath, readCalendar } from '#operations/contacts/on-call-calendar.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { isKnown, textTag } from './encoded.ts'
import type { HttpEnv } from './environment.ts'

export type CalendarSource = { services: Pick<Services, 'database'>; limits: Limits; now: () => Date }

/** Where calendar programs read who is on call: no credential but the address itself. */
export function addCalendarRoutes(app: Hono<HttpEnv>, { services, limits, now }: CalendarSource): void {
  app.get(`${calendarPath}:file{[A-Za-z0-9_-]{1,64}\\.ics}`, async (context) => {
    const token = context.req.param('file').slice(0, -'.ics'.length)
    const text = await readCalendar(services, limits, { token, now: now() })
    const tag = textTag(text)
    const headers = new Headers({
      ETag: tag,
      'Cache-Control': 'private, max-age=300',
      'Referrer-Policy': 'no-referrer',
    })
    if (isKnown(context.req.header('if-none-match') ?? '', tag)) return new Response(null, { status: 304, headers })
    headers.set('Content-Type', 'text/calendar; charset=utf-8')
    headers.set('Content-Disposition', 'inline; filename="on-call.ics"')
    return new Response(text, { headers })
  })
}

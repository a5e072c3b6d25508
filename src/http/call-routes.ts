import type { Context, Hono } from 'hono'
import { AppError } from '#core/language/error.ts'
import type { Admission } from '#operations/admission/admission.ts'
import { type CallReading, pushPath, readingOfPush, readingsOfPing } from '#core/monitors/imported-calls.ts'
import { callPath } from '#operations/monitors/heartbeat-address.ts'
import {
  type CallServices,
  type CallTime,
  type ReceivedCall,
  callPartsOf,
  takeCall,
} from '#operations/monitors/heartbeat-call.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import { readBytes } from './body.ts'
import type { HttpEnv } from './environment.ts'

export type CallSource = {
  services: CallServices
  limits: Limits
  admission: Pick<Admission, 'within'>
  now: () => Date
}

/** A failed job may send its whole log, of which the beginning is kept; another system its whole report. */
const maxBodyBytes = 1024 * 1024

/** Where jobs and webhooks call: no credential but the address itself. HEAD is answered as GET by the router. */
export function addCallRoutes(app: Hono<HttpEnv>, { services, limits, admission, now }: CallSource): void {
  const timeOf = createCallClock(now)
  const parts = callPartsOf(services)
  const receive = async (
    context: Context<HttpEnv>,
    readings: readonly CallReading[],
    value: string | undefined,
  ): Promise<void> => {
    const readBody = async (): Promise<string> =>
      // A GET has none here, and asking for it would make all that a request may have.
      context.req.method === 'POST' ? Buffer.from(await readBytes(context.req.raw, maxBodyBytes)).toString('utf8') : ''
    const asked = { surface: 'calls', caller: context.get('addressGroup') } as const
    const atPlace: ReceivedCall['atPlace'] = (work) => admission.within(asked, work)
    await takeCall(parts, limits, { readings, readBody, atPlace, timeOf, value })
  }
  const ping = async (context: Context<HttpEnv>): Promise<Response> => {
    const { token, suffix, action } = context.req.param()
    await receive(context, readingsOfPing([token, suffix, action]), context.req.query('value'))
    return new Response('OK', { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })
  }
  const push = async (context: Context<HttpEnv>): Promise<Response> => {
    const { status, msg, ping: measured, value } = context.req.query()
    try {
      const reading = readingOfPush(context.req.param('token') ?? '', { status, msg, ping: measured })
      // Scripts that tell Uptime Kuma a number send it as `ping`.
      await receive(context, [reading], value ?? measured)
      return Response.json({ ok: true })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return refusePush(error)
    }
  }
  const own = `${callPath}:token`
  for (const path of [own, `${own}/:suffix`, `${own}/:suffix/:action`]) app.on(['GET', 'POST'], path, ping)
  app.on(['GET', 'POST'], `${pushPath}:token`, push)
}

/** In the form in which Uptime Kuma answers its callers. */
function refusePush({ status, message, retryAfterSeconds: seconds }: AppError): Response {
  const headers = seconds === undefined ? {} : { 'Retry-After': String(seconds) }
  return Response.json({ ok: false, msg: message }, { status, headers })
}

/** What a clock may go back by and still be the same: two calls of one moment are put one after the other. */
const longestStepUs = 2_000_000

/**
 * Times of receipt, so many milliseconds ago, with rounds in microseconds since 1970 of which no two are alike in this
 * process while its clock goes on. The clock counts milliseconds; what it leaves out is drawn, so that two processes
 * that hear one monitor's calls in the same one give them different names. A clock that goes back is followed: calls of
 * a time to come would be set aside.
 */
export function createCallClock(now: () => Date, random: () => number = Math.random): (agoMs: number) => CallTime {
  let last = 0
  return (agoMs) => {
    const at = new Date(now().getTime() - Math.round(agoMs))
    const heard = at.getTime() * 1000 + Math.floor(random() * 1000)
    last = last - heard > longestStepUs ? heard : Math.max(last + 1, heard)
    return { at, round: last }
  }
}

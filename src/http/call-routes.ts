import type { Context, Hono } from 'hono'
import { callPath } from '#operations/monitors/heartbeat-address.ts'
import { type CallServices, receiveCall } from '#operations/monitors/heartbeat-call.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import { readBytes } from './body.ts'
import type { HttpEnv } from './environment.ts'

export type CallSource = { services: CallServices; limits: Limits; now: () => Date }

/** A failed job may send its whole log, of which the beginning is kept; another system its whole report. */
const maxBodyBytes = 1024 * 1024

/** Where jobs and webhooks call: no credential but the address itself. HEAD is answered as GET by the router. */
export function addCallRoutes(app: Hono<HttpEnv>, { services, limits, now }: CallSource): void {
  const nextRound = createCallClock(now)
  const answer = async (context: Context<HttpEnv>): Promise<Response> => {
    const token = context.req.param('token') ?? ''
    const suffix = context.req.param('suffix') ?? null
    const readBody = async (): Promise<string> =>
      Buffer.from(await readBytes(context.req.raw, maxBodyBytes)).toString('utf8')
    await receiveCall(services, limits, { token, suffix, readBody, at: now(), round: nextRound() })
    return new Response('OK', { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })
  }
  for (const path of [`${callPath}:token`, `${callPath}:token/:suffix`]) app.on(['GET', 'POST'], path, answer)
}

/** What a clock may go back by and still be the same: two calls of one moment are put one after the other. */
const longestStepUs = 2_000_000

/**
 * Times of receipt in microseconds since 1970, no two alike in this process while its clock goes on. The clock counts
 * milliseconds; what it leaves out is drawn, so that two processes that hear one monitor's calls in the same one give
 * them different names. A clock that goes back is followed: calls of a time to come would be set aside.
 */
export function createCallClock(now: () => Date): () => number {
  let last = 0
  return () => {
    const heard = now().getTime() * 1000 + Math.floor(Math.random() * 1000)
    last = last - heard > longestStepUs ? heard : Math.max(last + 1, heard)
    return last
  }
}

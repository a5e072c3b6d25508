import type { Context, Hono } from 'hono'
import { callPath } from '#operations/heartbeat-address.ts'
import { type CallServices, receiveCall } from '#operations/heartbeat-call.ts'
import type { Limits } from '#operations/limits.ts'
import { readBytes } from './body.ts'
import type { HttpEnv } from './environment.ts'

export type CallSource = { services: CallServices; limits: Limits; now: () => Date }

/** Kept of a call's body (decisions.md B16). */
const maxBodyBytes = 10 * 1024

/** Where jobs and webhooks call: no credential but the address itself. HEAD is answered as GET by the router. */
export function addCallRoutes(app: Hono<HttpEnv>, { services, limits, now }: CallSource): void {
  const nextRound = createClock(now)
  const answer = async (context: Context<HttpEnv>): Promise<Response> => {
    const token = context.req.param('token') ?? ''
    const bytes = await readBytes(context.req.raw, maxBodyBytes)
    const suffix = context.req.param('suffix') ?? null
    const call = { token, suffix, body: Buffer.from(bytes).toString(), at: now(), round: nextRound() }
    await receiveCall(services, limits, call)
    return new Response('OK', { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' } })
  }
  for (const path of [`${callPath}:token`, `${callPath}:token/:suffix`]) app.on(['GET', 'POST'], path, answer)
}

/** Times of receipt in microseconds since 1970, no two alike in this process. */
function createClock(now: () => Date): () => number {
  let last = 0
  return () => {
    last = Math.max(last + 1, now().getTime() * 1000)
    return last
  }
}

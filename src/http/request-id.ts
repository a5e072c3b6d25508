import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { HttpEnv } from './environment.ts'

/** An id that a proxy gave may be kept; anything longer or stranger may not enter the log. */
const givenRequestId = /^[\w.-]{1,64}$/

export function requestIdOf(context: Context<HttpEnv>): string {
  const given = context.req.header('x-request-id')
  return given !== undefined && givenRequestId.test(given) ? given : randomUUID()
}

// What stand-ins for receivers of OTLP/HTTP have in common: they take what a schema allows, as JSON in gzip, and answer as
// the specification of OTLP says, or as a test tells them to.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { httpServer } from './http-server.ts'

export type OtlpAnswer = { status: number; headers?: Record<string, string>; body?: string }

export type StandIn<Taken> = {
  url: string
  /** What was taken, a list for each request. */
  taken: Taken[][]
  /** All requests, also those that it refused. */
  requests: { headers: IncomingHttpHeaders; problem: string | null; at: number }[]
  /** The next answers; afterwards everything is taken. `silent` answers nothing, `closed` ends the connection. */
  next: (OtlpAnswer | 'silent' | 'closed')[]
}

/** ProtoJSON: 64-bit integers are decimal strings. */
export const int64 = z.string().regex(/^-?(?:0|[1-9]\d{0,18})$/)

export type StandInOptions<Request, Taken> = {
  path: string
  schema: z.ZodType<Request>
  takenOf: (request: Request) => Taken[]
}

export async function otlpStandIn<Request, Taken>(options: StandInOptions<Request, Taken>): Promise<StandIn<Taken>> {
  const standIn: StandIn<Taken> = { url: '', taken: [], requests: [], next: [] }
  const { port } = await httpServer((request, response) => void answerTo({ standIn, ...options }, request, response))
  standIn.url = `http://127.0.0.1:${port}${options.path}`
  return standIn
}

async function answerTo<Request, Taken>(
  { standIn, path, schema, takenOf }: StandInOptions<Request, Taken> & { standIn: StandIn<Taken> },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers, method, url } = request
  if (url !== path) return void response.writeHead(404).end()
  const parsed = schema.safeParse(JSON.parse(gunzipSync(await buffer(request)).toString()))
  const isRight = `${method} ${headers['content-type']} ${headers['content-encoding']}` === 'POST application/json gzip'
  const problem = isRight ? (parsed.error?.message ?? null) : 'another request'
  standIn.requests.push({ headers, problem, at: performance.now() })
  const answer = problem === null ? (standIn.next.shift() ?? { status: 200 }) : { status: 400 }
  if (answer === 'silent') return
  if (answer === 'closed') return void response.destroy()
  if (answer.status === 200 && parsed.success) standIn.taken.push(takenOf(parsed.data))
  response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers })
  response.end(answer.body ?? '{}')
}

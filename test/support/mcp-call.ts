import assert from 'node:assert/strict'
import { z } from 'zod'
import type { TestApi } from './api.ts'
import { type Challenge, challengeSchema, type Credential } from './payment-client.ts'

export type Sent = {
  /** Null sends none; the default is the owner's write token. */
  token?: string | null
  headers?: Record<string, string>
  /** The origin that is asked; `http://perigee.test` without it. */
  at?: string
  /** The part of the tools that is asked; all of them without it. */
  toolset?: string
  /** Sent as it is, instead of a message. */
  rawBody?: string
  /** Members of the message itself, beside its parameters. */
  meta?: Record<string, unknown>
}

const answerSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
})
export type RpcAnswer = { status: number; headers: Headers } & z.infer<typeof answerSchema>

/** One message to the endpoint as a client of 2025 sends it, which without sessions needs no other before it. */
export async function rpc(
  { app, token }: TestApi,
  [method, params = {}]: [method: string, params?: Record<string, unknown>],
  sent: Sent = {},
): Promise<RpcAnswer> {
  const key = sent.token === undefined ? token : sent.token
  const message = { jsonrpc: '2.0', id: 1, method, params, ...(sent.meta === undefined ? {} : { _meta: sent.meta }) }
  const response = await app.request(
    `${sent.at ?? 'http://perigee.test'}/mcp${sent.toolset === undefined ? '' : `/${sent.toolset}`}`,
    {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(key === null ? {} : { 'X-API-Key': key }),
        ...sent.headers,
      },
      body: sent.rawBody ?? JSON.stringify(message),
    },
    { address: '192.0.2.1' },
  )
  const { status, headers } = response
  return { status, headers, ...answerSchema.parse(JSON.parse(jsonIn(await response.text()))) }
}

const resultSchema = z.object({
  content: z.array(z.object({ text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
})

/** The result of a call of a tool. `payment` is a credential that answers a challenge. */
export async function callTool(
  api: TestApi,
  [name, given = {}]: [name: string, given?: Record<string, unknown> | undefined],
  { payment, ...sent }: Sent & { payment?: Credential } = {},
): Promise<z.infer<typeof resultSchema>> {
  const meta = payment === undefined ? {} : { _meta: { [credentialMember]: payment } }
  const { result, error } = await rpc(api, ['tools/call', { name, arguments: given, ...meta }], sent)
  assert.equal(error, undefined, `${name}: ${JSON.stringify(error)}`)
  return resultSchema.parse(result)
}

export const credentialMember = 'org.paymentauth/credential'

/** The error that asks for a payment, whichever client receives it. */
export const paymentRequiredSchema = z.object({
  code: z.literal(-32_042),
  data: z.object({
    httpStatus: z.literal(402),
    challenges: z.array(challengeSchema).min(1),
    problem: z.looseObject({ type: z.string(), error: z.literal('payment_required'), amount_due: z.string() }),
  }),
})

/** Answers a challenge by card. */
export function credentialFor(challenges: readonly Challenge[], spt = 'spt_test_ok'): Credential {
  const challenge = challenges.find(({ method }) => method === 'card') ?? assert.fail('no card')
  return { challenge, payload: { spt } }
}

/** The only event of a stream, or the whole of what is none. */
function jsonIn(text: string): string {
  return /^data: (.+)$/m.exec(text)?.[1] ?? text
}

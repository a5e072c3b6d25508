// JSON-RPC of a chain's node over HTTP, as far as payments ask it (https://ethereum.github.io/execution-apis/).
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Hex } from './chain-authorization.ts'

/** Asks once more where the node was busy or out of reach. Rejects with RpcError where the node answers with an error. */
export type Rpc = <T>(method: string, params: readonly unknown[], schema: z.ZodType<T>) => Promise<T>

/** What the node says of a request. */
export class RpcError extends Error {
  readonly code: number
  /** What a call that was reverted gave back. */
  readonly revertData: string | null

  constructor({ code, message, data }: z.infer<typeof errorSchema>) {
    super(message.slice(0, mostErrorLetters))
    this.code = code
    this.revertData = typeof data === 'string' ? data : (data?.data ?? null)
  }
}

/** Bytes as hexadecimal digits. */
export const hexSchema = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value))
/** A number as hexadecimal digits. */
export const quantitySchema = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt)

const timeoutMs = 4_000
const retryAfterMs = 150
const mostAnswerBytes = 4 * 1024 ** 2
const mostErrorLetters = 500
/** Of HTTP, and of JSON-RPC (EIP-1474): an internal error, a limit, and the codes by which providers say the same. */
const passing = new Set([403, 408, 429, 500, 502, 503, 504, -32_603, -32_005, -32_007])

const errorSchema = z.object({
  code: z.int(),
  message: z.string().default(''),
  data: z
    .union([z.string(), z.object({ data: z.string().optional() })])
    .nullish()
    .catch(undefined),
})
const answerSchema = z.object({ result: z.unknown().optional(), error: errorSchema.nullish() })

/** A failure that may pass. Its message does not name the address, which may hold a key. */
class Unanswered extends Error {}

export function createRpc(address: string): Rpc {
  const endpoint = endpointOf(address)
  return async (method, params, schema) => {
    const ask = async () => schema.parse(await call(endpoint, method, params))
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Unanswered) && !(error instanceof RpcError && passing.has(error.code))) throw error
      await pause(retryAfterMs)
      return await ask()
    }
  }
}

type Endpoint = { url: string; headers: Readonly<Record<string, string>> }

/** `fetch` takes no address with a user and a password. */
function endpointOf(address: string): Endpoint {
  const url = new URL(address)
  const headers = { 'Content-Type': 'application/json' }
  if (url.username === '' && url.password === '') return { url: url.href, headers }
  const user = [url.username, url.password].map((part) => decodeURIComponent(part)).join(':')
  url.username = ''
  url.password = ''
  return { url: url.href, headers: { ...headers, Authorization: `Basic ${Buffer.from(user).toString('base64')}` } }
}

async function call({ url, headers }: Endpoint, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const signal = AbortSignal.timeout(timeoutMs)
  let answer
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    answer = { status: response.status, text: await textOf(response) }
  } catch {
    throw new Unanswered(`The chain's endpoint did not answer ${method}.`)
  }
  const { result, error } = readAnswer(answer, method)
  if (error) throw new RpcError(error)
  return result
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostAnswerBytes) throw new Error(`The answer has more than ${mostAnswerBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Nodes send errors of JSON-RPC with any status, so the text is read first. */
function readAnswer({ status, text }: { status: number; text: string }, method: string) {
  const read = answerSchema.safeParse(jsonOf(text))
  if (read.success && (status < 400 || read.data.error)) return read.data
  const Failure = status < 400 || passing.has(status) ? Unanswered : Error
  throw new Failure(`The chain's endpoint answered ${method} with status ${status}.`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

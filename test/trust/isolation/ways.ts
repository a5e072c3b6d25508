// How an operation is asked for: over HTTP, and as a tool for models. Both give the same answer.
import { z } from 'zod'
import { pathNames } from '#operations/pipeline/define-operation.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'
import type { TestApi } from '../../support/api.ts'
import { rpc } from '../../support/mcp-call.ts'
import type { Ids } from '../inputs/ids.ts'
import { requestOf } from './bodies.ts'
import type { AskAsOwner } from './workspace.ts'

/** `code` is null for a success; `sent` is all that the request said. */
export type Outcome = { status: number; code: string | null; text: string; sent: string }
export type Way = (operation: AnyOperation, ids: Ids) => Promise<Outcome>

const problem = z.looseObject({ error: z.string(), message: z.string() })
const result = z.looseObject({ content: z.array(z.looseObject({ text: z.string() })), isError: z.boolean().optional() })

export function overHttp(ask: AskAsOwner): Way {
  return async (operation, ids) => {
    const { path, ...request } = requestOf(operation, ids)
    const { status, text, body } = await ask(operation.method, path, request)
    return { status, code: codeIn(body), text, sent: JSON.stringify({ path, ...request }) }
  }
}

export function asTool(api: TestApi, token: string | null): Way {
  return async (operation, ids) => {
    const given = argumentsOf(operation, ids)
    const answer = await rpc(api, ['tools/call', { name: operation.name, arguments: given }], { token })
    const sent = JSON.stringify(given)
    if (answer.error !== undefined)
      return { status: answer.status, code: codeIn(answer.error.data), text: JSON.stringify(answer.error), sent }
    const { content, isError = false } = result.parse(answer.result)
    const [{ text } = { text: '' }] = content
    return { status: isError ? 422 : 200, code: isError ? codeIn(JSON.parse(text)) : null, text, sent }
  }
}

/** Path, query and body in one object, as tools take them. */
function argumentsOf(operation: AnyOperation, ids: Ids): Record<string, unknown> {
  const { path, body } = requestOf(operation, ids)
  const [address = '', query = ''] = path.split('?')
  const parts = address.split('/')
  const places = operation.path.split('/').flatMap((part, at) => (part.startsWith('{') ? [parts[at]] : []))
  const named = pathNames(operation).map((name, at) => [name, places[at]])
  return {
    ...Object.fromEntries([...named, ...new URLSearchParams(query)]),
    ...(typeof body === 'object' && body !== null ? body : {}),
  }
}

function codeIn(body: unknown): string | null {
  const parsed = problem.safeParse(body)
  return parsed.success ? parsed.data.error : null
}

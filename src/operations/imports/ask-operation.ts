import { AppError } from '#core/language/error.ts'
import type { ApiRequest } from '#core/projects/requests.ts'
import { contactOperations } from '#operations/contacts/contacts.ts'
import { contactUpdateOperations } from '#operations/contacts/contact-update.ts'
import { maintenanceOperations } from '#operations/maintenance.ts'
import { importedCallOperations } from '#operations/monitors/imported-calls.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import type { AnyOperation, Context, Reply, WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { importedDaysOperations } from '#operations/results/imported-days.ts'
import { statusPageOperations } from '#operations/status-pages/status-pages.ts'

export type Asked =
  | { type: 'done'; body: unknown }
  /** `fields`: the members and headers that are blamed. */
  | { type: 'refused'; status: number; problem: string; fields: readonly string[] }

const verbs: readonly AnyOperation[] = [
  ...contactOperations,
  ...contactUpdateOperations,
  ...monitorOperations,
  ...statusPageOperations,
  ...maintenanceOperations,
  ...importedCallOperations,
  ...importedDaysOperations,
]

/**
 * Has another operation do what a request of its own would, for the same caller: its rules, its limits and its entry in
 * the audit log hold as they stand. `context` has noted that it changes nothing itself. It takes nothing from credit.
 */
export async function askOperation(context: Context, request: ApiRequest, projectKey?: string): Promise<Asked> {
  const { verb, path } = verbOf(request)
  const { noteChange: _, ...call } = context
  try {
    const reply = await verb.perform(call, {
      path,
      query: {},
      readBody: async () => request.body,
      idempotencyKey: null,
      payment: undefined,
      maxPrice: '0',
      projectKey,
    })
    return outcomeOf(reply)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error
    const { status, fields = {} } = error
    if (fields['Perigee-Max-Price'] !== undefined) return { type: 'refused', status, problem: costs, fields: [] }
    const named = Object.entries(fields).map(([field, [first = '']]) => `${field}: ${first}`)
    return {
      type: 'refused',
      status,
      problem: named.length === 0 ? error.message : named.join(' '),
      fields: Object.keys(fields),
    }
  }
}

const costs = 'The plan has no free slot. It would cost credit, which an import does not spend.'

function outcomeOf({ status, body }: Reply): Asked {
  if (status < 400) return { type: 'done', body }
  const problem = status === 402 ? costs : `It was refused with ${status}.`
  return { type: 'refused', status, problem, fields: [] }
}

function isNamed(part: string): boolean {
  return part.startsWith('{')
}

function verbOf({ method, path }: ApiRequest): { verb: WorkspaceVerb; path: Record<string, string> } {
  const asked = path.split('/')
  for (const verb of verbs) {
    const parts = verb.path.split('/').slice(1)
    if (verb.actsFor === 'person' || verb.method !== method || parts.length !== asked.length) continue
    if (!parts.every((part, at) => isNamed(part) || part === asked[at])) continue
    const members = parts.flatMap((part, at) => (isNamed(part) ? [[part.slice(1, -1), asked[at] ?? '']] : []))
    return { verb, path: Object.fromEntries(members) }
  }
  throw new Error(`No operation takes ${method} ${path}.`)
}

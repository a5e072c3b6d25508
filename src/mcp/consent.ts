// Asks a client's person before something is deleted or paid for, where the client says that it can put a question.
import { createHash } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  type ServerContext,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { decimal } from '#core/money/quote.ts'
import { quoteSchema } from '#core/money/payment-required.ts'
import type { WorkspaceVerb } from '#operations/pipeline/operation.ts'
import type { ToolCall, ToolResult } from './call-tool.ts'
import { type Arguments, nameProblems, requestOf } from './tool-arguments.ts'
import type { Tool } from './tool.ts'
import { type Visit, ask } from './visit.ts'

/** What of a request says whether, and what, its person was asked. */
export type Asking = Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses' | 'requestState'>

export type ConsentOptions = {
  call: Pick<ToolCall, 'given' | 'payment'>
  visit: Visit
  /** All operations: some say what a call would delete or cost. */
  operations: readonly WorkspaceVerb[]
}

/**
 * Null where the call may go on: nobody has to be asked, or the person has agreed to this very call at this very price.
 * Nothing is kept between the two requests: the client sends back what it was asked (revision 2026-07-28, "Multi Round-Trip
 * Requests"). That is no proof that a person has agreed. It protects people from their models, and nobody from a client,
 * which may as well say that it cannot ask.
 */
export async function consentTo(
  tool: Tool,
  asking: Asking,
  options: ConsentOptions,
): Promise<ToolResult | InputRequiredResult | null> {
  const { call, visit } = options
  if (!canBeAsked(asking) || visit.scope !== 'write') return null
  const problems = nameProblems(tool.definition.inputSchema, tool.operation, call.given)
  if (Object.keys(problems).length > 0) return null
  const message = await questionOf(tool, options)
  if (message === null) return null
  const requestState = stateOf(tool, call.given, message)
  const said = inputResponse(asking.inputResponses, key)
  const isThisCall = asking.requestState<string>() === requestState
  if (said.kind !== 'elicit' || (said.action === 'accept' && !isThisCall))
    return inputRequired({ inputRequests: { [key]: question(message) }, requestState })
  return said.action === 'accept' ? null : declined
}

const key = 'confirm'

const declined: ToolResult = {
  content: [
    { type: 'text', text: 'The person who was asked did not agree. Nothing was done, and nothing was charged.' },
  ],
  isError: true,
}

const envelopeSchema = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({
    elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }),
  }),
})

/** A client that names no mode has forms; one that names only addresses has none. */
function canBeAsked({ envelope }: Asking): boolean {
  const parsed = envelopeSchema.safeParse(envelope)
  if (!parsed.success) return false
  const { form, url } = parsed.data[CLIENT_CAPABILITIES_META_KEY].elicitation
  return form !== undefined || url === undefined
}

/** A form without fields: to send it off is to agree. */
function question(message: string): ReturnType<typeof inputRequired.elicit> {
  return inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } })
}

function stateOf({ definition }: Tool, given: Arguments, message: string): string {
  return createHash('sha256')
    .update(canonicalJson([definition.name, given, message]))
    .digest('base64url')
}

/** Null where there is nothing to ask, or where the call will be refused, which then says why. */
function questionOf(tool: Tool, options: ConsentOptions): Promise<string | null> | null {
  if (tool.operation.method === 'DELETE') return deletionOf(tool, options)
  return options.call.payment === undefined ? chargeOf(tool, options) : null
}

async function deletionOf({ operation, finders }: Tool, options: ConsentOptions): Promise<string | null> {
  const { given } = options.call
  const member = Object.keys(finders).at(-1) ?? null
  const own = options.operations.find(({ method, path }) => method === 'GET' && path === operation.path)
  const list = options.operations.find(({ name }) => member !== null && name === finders[member])
  const source = own ?? list
  let name: string | null = null
  if (source !== undefined) {
    const { status, body } = await ask(options.visit, source, () => requestOf(source, idsOf(source, given)))
    if (status >= 400) return null
    name = nameIn(body, own === undefined && member !== null ? given[member] : null)
  }
  const untold = Object.entries(given).filter(([each]) => name === null || each !== member)
  const words = untold.map(([each, value]) => `${each} ${JSON.stringify(value)}`)
  return `${operation.summary}: ${[...(name === null ? [] : [JSON.stringify(name)]), ...words].join(', ')}. It cannot be undone.`
}

const oneSchema = z.object({ data: z.object({ name: z.string() }) })
const manySchema = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) })

/** The name of the one that was asked for, or of the one of this id in a list. */
function nameIn(body: unknown, id: unknown): string | null {
  if (id === null) return oneSchema.safeParse(body).data?.data.name ?? null
  const { data = [] } = manySchema.safeParse(body).data ?? {}
  return data.find((each) => typeof id === 'string' && each.id === id.toLowerCase())?.name ?? null
}

/** What of the arguments belongs to the path of another operation. */
function idsOf({ path }: WorkspaceVerb, given: Arguments): Arguments {
  return Object.fromEntries(Object.entries(given).filter(([name]) => path.includes(`{${name}}`)))
}

/** The operations that say what others cost. */
const quotes: Readonly<Record<string, string>> = {
  create_monitor: 'quote_monitor',
  update_monitor: 'quote_monitor_change',
  renew_monitor: 'quote_renewal',
}

/** What credit does not cover is asked for with the error -32042, as it is of clients that cannot put a question. */
async function chargeOf({ operation }: Tool, { call, visit, operations }: ConsentOptions): Promise<string | null> {
  const quote = operations.find(({ name }) => name === quotes[operation.name])
  if (quote === undefined) return null
  const { status, body } = await ask(visit, quote, () => requestOf(quote, call.given))
  const { data } = z.object({ data: quoteSchema }).safeParse(body)
  if (status >= 400 || data === undefined) return null
  const { billing, price_cents: price, credit_cents: credit, amount_due_cents: due, locations } = data.data
  if (billing !== 'paid' || price === 0 || due > 0) return null
  const period = data.data.billing_period === 'lifetime' ? 'for life' : 'for 30 days'
  return (
    `${operation.summary}: $${decimal(price)} of the credit of $${decimal(credit)} pay for ` +
    `${locations.join(', ')} ${period}. Go on?`
  )
}

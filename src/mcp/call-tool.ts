import { isObject } from '#api-document/openapi-schemas.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { type Size, cutLists, isPaged, pageNote, readPage, readSize } from './answer-size.ts'
import { withIdAdvice } from './ids.ts'
import { paymentRequired, receiptMember } from './payment.ts'
import { type Telling, whileTelling } from './progress.ts'
import { type Arguments, nameProblems, requestOf, withArgumentNames } from './tool-arguments.ts'
import type { Tool } from './tool.ts'
import { shortEvidence } from './short-evidence.ts'
import { uptimeNote } from './uptime-note.ts'
import { type Visit, ask } from './visit.ts'

export type ToolCall = { given: Arguments; payment: unknown; telling: Telling }

export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
  _meta?: Record<string, unknown>
}

/** The result of a call; a refusal is a result too, so that a model reads it. Throws what asks for a payment. */
export async function callTool(tool: Tool, { given, payment, telling }: ToolCall, visit: Visit): Promise<ToolResult> {
  const { operation, definition, finders, longLists } = tool
  const read = isPaged(operation) ? readPage : longLists.length === 0 ? whole : readSize
  const { size, rest, problems } = read(given)
  const wrong = { ...nameProblems(definition.inputSchema, operation, given), ...problems }
  const asking = (): Promise<Reply> =>
    ask(visit, operation, () => requestOf(operation, rest, { payment, problems: wrong }))
  const reply = await (operation.takesLong === true
    ? whileTelling(telling, 'This may take a minute.', asking)
    : asking())
  if (reply.challenges !== undefined) throw paymentRequired(reply)
  return resultOf(tool, withIdAdvice(reply, { operation, finders, given }), size)
}

/** Of answers that are shown whole. */
function whole(given: Arguments): ReturnType<typeof readSize> {
  return { size: { limit: 0, offset: 0 }, rest: given, problems: {} }
}

function resultOf({ operation, longLists }: Tool, reply: Reply, size: Size): ToolResult {
  if (reply.status >= 400) return refusalOf(reply.body)
  if (reply.body === undefined) return { content: [{ type: 'text', text: operation.success.description }] }
  if (operation.name === 'get_incident_evidence') {
    const { body, notes } = shortEvidence(reply.body)
    return contentOf(body, notes)
  }
  const { body, notes } = cutLists(reply.body, longLists, size)
  notes.push(...pageNote(body))
  const summary = operation.name === 'get_uptime' ? uptimeNote(reply.body) : null
  return { ...contentOf(body, summary === null ? notes : [...notes, summary]), ...receiptMember(reply.receipt) }
}

export function refusalOf(body: unknown): ToolResult {
  return { ...contentOf(withArgumentNames(body), []), isError: true }
}

/** JSON for programs, and the same as text for clients that show models nothing else. */
export function contentOf(body: unknown, notes: readonly string[]): ToolResult {
  const texts = [JSON.stringify(body), ...notes]
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    ...(isObject(body) ? { structuredContent: body } : {}),
  }
}

import { AppError } from '#core/language/error.ts'
import { mcpResource } from '#core/language/well-known.ts'
import type { ToolsetName } from '#core/toolsets.ts'
import type { Credentials } from '#operations/pipeline/authenticate.ts'
import { type Frame, invoke } from '#operations/pipeline/invoke.ts'
import type { RawRequest, Reply, Scope, WorkspaceVerb } from '#operations/pipeline/operation.ts'
import { errorReply } from '#operations/pipeline/reply.ts'

/** One request to the endpoint: who sent it, and what its answer needs. */
export type Visit = {
  frame: Frame
  credentials: Credentials
  /** What the credential allows; null for a stranger, who sent none. */
  scope: Scope | null
  /** The part of the tools that it came to; null for all of them. */
  toolset: ToolsetName | null
  /** Told of what went wrong inside; returns what the visitor is told of it. */
  onFailure: (error: unknown, what: string) => AppError
}

/** The reply to an operation, whatever happens. */
export async function ask(visit: Visit, operation: WorkspaceVerb, readRequest: () => RawRequest): Promise<Reply> {
  const { frame, credentials, toolset } = visit
  try {
    return await invoke(operation, { ...readRequest(), credentials }, frame)
  } catch (error) {
    const refusal = error instanceof AppError ? error : visit.onFailure(error, operation.name)
    const { publicUrl } = frame.services
    return errorReply(refusal, publicUrl, mcpResource(publicUrl, toolset))
  }
}

/** Work whose own errors of the protocol reach the visitor, and no other: the SDK would tell the text of a bug. */
export async function guarded<T>(visit: Visit, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isOfProtocol(error)) throw error
    throw Object.assign(new Error(visit.onFailure(error, what).message), { code: internalCode })
  }
}

/** The codes of JSON-RPC 2.0. */
const internalCode = -32_603
const lastReservedCode = -32_000

/** Other errors may have numbers too, such as that of a deadline. */
function isOfProtocol(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code <= lastReservedCode
}

/** Whether a visitor may call an operation; others are not shown to it. */
export function isOpenTo({ scope }: Pick<Visit, 'scope'>, operation: WorkspaceVerb): boolean {
  if (scope === null) return operation.performForStranger !== null
  return scope === 'write' || operation.scope === 'read'
}

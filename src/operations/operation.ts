import type { z } from 'zod'
import { readIds, readInput, undeclared } from './input.ts'
import type { Services } from './services.ts'

export type Scope = 'read' | 'write'

/** Who calls. An operation acts for one workspace and sees nothing beyond it. */
export type Caller = {
  workspaceId: string
  scope: Scope
  /** The token's id, by which requests are counted. */
  tokenId: string
  /** Shown as the actor of events: the token's name. */
  actor: string
}

/** What a transport sends. `body` is undefined where the answer has none. */
export type Reply = { status: number; body: unknown; headers?: Record<string, string> }

/** What `run` works with: the caller, the time, and the services it is allowed to touch. */
export type Context = { caller: Caller; now: Date; services: Services }

export type Success = { status: 200 | 201 | 202 | 204; description: string; schema?: z.ZodType }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The groups of the documents. */
export const tagDescriptions = {
  Account: 'The workspace that a token acts for: plan, credit, prices, billing details, and the contacts it alerts.',
  Monitors: 'What is checked, how often, and from where.',
  'Results and incidents': 'What the checks found, one by one and by the day, and when monitors were down.',
} as const

export type Tag = keyof typeof tagDescriptions

/**
 * A verb of the API: the one object from which the HTTP route, validation, scope check, limits, the OpenAPI
 * operation and later the MCP tool are made. `Target` is what `find` loads, before the body is looked at, so that
 * a foreign or malformed id is 404 whatever the body says (decisions.md C6).
 */
export type Operation<Query, Body, Target> = {
  /** verb_noun, the MCP tool's name and the OpenAPI operationId. */
  name: string
  method: Method
  /** Below /api/v1, with `{id}` for a path member. Every path member is a UUID; `run` gets it in lower case. */
  path: string
  scope: Scope
  tag: Tag
  summary: string
  description?: string
  /** Parsed from the query string: values are strings, repeated ones lists. See query.ts for numbers. */
  query?: { schema: z.ZodType<Query>; /** Status of a refusal; decisions.md A15 has one of 400. */ refusal?: 400 | 422 }
  /** With `isRequired: false` the schema must accept undefined, which stands for no body at all. */
  body?: { schema: z.ZodType<Body>; isRequired: boolean; schemaName: string; /** Default 1 MB. */ maxBytes?: number }
  takesIdempotencyKey?: boolean
  /** Statuses of the specification's table, besides the success and 429. */
  errors: readonly number[]
  success: Success
  /** A second success of another status, such as the replay of a create. */
  otherSuccess?: Success
  find?: (context: Context, path: Record<string, string>) => Promise<Target>
  run: (context: Context, input: Input<Query, Body, Target>) => Promise<Reply>
}

/** What a request says, parsed. Members the operation does not declare are undefined. */
export type Input<Query, Body, Target> = {
  path: Record<string, string>
  query: Query
  body: Body
  target: Target
  /** Null when none was sent, and for operations that take none. */
  idempotencyKey: string | null
}

/** A request as a transport hands it over, before anything in it is believed. */
export type RawRequest = {
  path: Record<string, string>
  query: Record<string, string | string[]>
  /** Undefined when no body was sent. Refuses with 400, 413 or 415. */
  readBody: (maxBytes: number) => Promise<unknown>
  idempotencyKey: string | null
}

/** An operation with its types closed over, as the pipeline and the documents use it. */
export type AnyOperation = Omit<Operation<unknown, unknown, unknown>, 'find' | 'run'> & {
  /** Everything after the scope check: find the target, read the input, run. */
  perform: (context: Context, request: RawRequest) => Promise<Reply>
}

export function defineOperation<Query, Body, Target>(operation: Operation<Query, Body, Target>): AnyOperation {
  const { find, run, ...description } = operation
  return {
    ...description,
    perform: async (context, request) => {
      const path = readIds(request.path)
      const target = find === undefined ? undeclared<Target>().value : await find(context, path)
      const input = await readInput(operation, request)
      return run(context, { path, target, ...input })
    },
  }
}

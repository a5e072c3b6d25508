import { type JsonSchema, schemaRoot } from '#api-document/openapi-schemas.ts'

/** An address that is no operation of the API: it is served at the root, and asks for no token. */
export type Described = {
  path: string
  method: 'get' | 'post'
  operationId: string
  tag: keyof typeof besideTags
  summary: string
  description?: string
  parameters?: readonly JsonSchema[]
  /** `schemas` are names of components, of which the body is any. */
  body?: { type: string; schemas: readonly string[]; isRequired?: boolean }
  answers: Readonly<Record<string, Answered>>
}

/** By media type the names of the components that may come; none for a text. */
export type Answered = { description: string; content?: Readonly<Record<string, readonly string[]>> }

export const besideTags = {
  Discovery: 'What programs find at the bare address, below the root of the service and not below `/api/v1`.',
  'Tokens for agents': 'How a program gets a token by itself, and gives it back. `/auth.md` is the recipe.',
  'Single sign-on': 'What an identity provider of SAML 2.0 reads of a workspace, and where it has browsers post.',
  'Calls of jobs': 'Where jobs and other systems call. The address is the only credential.',
} as const

export function pathsBeside(described: readonly Described[], publicUrl: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const each of described)
    paths[each.path] = { ...paths[each.path], [each.method]: operationObject(each, publicUrl) }
  return paths
}

function operationObject(described: Described, publicUrl: string): JsonSchema {
  const { operationId, tag, summary, description = summary, parameters, body, answers } = described
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    servers: [{ url: publicUrl }],
    security: [],
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: body.isRequired ?? true, content: bodyOf(body) } }),
    responses: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)])),
  }
}

function bodyOf({ type, schemas }: NonNullable<Described['body']>): JsonSchema {
  return { [type]: { schema: anyOf(schemas) } }
}

function answerOf({ description, content }: Answered): JsonSchema {
  if (content === undefined) return { description }
  const types = Object.entries(content).map(([type, schemas]) => [type, { schema: anyOf(schemas) }])
  return { description, content: Object.fromEntries(types) }
}

function anyOf(names: readonly string[]): JsonSchema {
  const [first, ...others] = names.map((name) => ({ $ref: schemaRoot + name }))
  if (first === undefined) return { type: 'string' }
  return others.length === 0 ? first : { anyOf: [first, ...others] }
}

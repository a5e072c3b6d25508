import { isObject } from '#api-document/openapi-schemas.ts'
import type { Reply } from '#operations/pipeline/operation.ts'

/** Codes of JSON-RPC 2.0, and ours from its range for servers. What does not exist is `Invalid params` (SEP-2164). */
const codes = { internal: -32_603, notFound: -32_602, refused: -32_000 }

/** The body of a success; a refusal is thrown as the protocol's error, with the API's body as its data. */
export function bodyOf({ status, body }: Reply): unknown {
  if (status < 400) return body
  const message = isObject(body) && typeof body['message'] === 'string' ? body['message'] : 'It was refused.'
  throw Object.assign(new Error(message), { code: codeOf(status), data: body })
}

export function unknownResource(uri: string): Error {
  return Object.assign(new Error('There is no such resource.'), { code: codes.notFound, data: { uri } })
}

export function unknownName(what: string): Error {
  return Object.assign(new Error(`There is no such ${what}.`), { code: codes.notFound })
}

function codeOf(status: number): number {
  if (status === 404) return codes.notFound
  return status >= 500 ? codes.internal : codes.refused
}

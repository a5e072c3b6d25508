import { errorCodeOf, errorWords, problemTypeOf } from '#core/language/error-words.ts'
import { type ErrorProblem, errorSchema } from '#operations/pipeline/error-schema.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { preferredType } from './response.ts'

const json = 'application/json'
const problem = 'application/problem+json'

type Asked = { accept: string | undefined; publicUrl: string }

/**
 * A refusal as a problem (RFC 9457), where the request prefers that to JSON; as it is otherwise. What has a media type
 * of its own, such as a demand for payment, keeps it.
 */
export function asPreferredRefusal(reply: Reply, { accept = '', publicUrl }: Asked): Reply {
  const { status, body, headers } = reply
  if (status < 400 || headers?.['Content-Type'] !== undefined || preferredType(accept, [json, problem]) !== problem)
    return reply
  const { data: refusal } = errorSchema.safeParse(body)
  const code = errorCodeOf(refusal?.error ?? '')
  if (refusal === undefined || code === null) return reply
  const told: ErrorProblem = {
    type: problemTypeOf(publicUrl, code),
    title: errorWords[code].title,
    status,
    detail: refusal.message,
    ...refusal,
  }
  return { ...reply, body: told, headers: { ...headers, 'Content-Type': problem, Vary: 'Accept' } }
}

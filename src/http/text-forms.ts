import { parseAccept } from 'hono/utils/accept'
import type { Reply, TextForm } from '#operations/pipeline/operation.ts'
import type { Content } from './response.ts'

/** A reply whose body is text, in the form that the request prefers (RFC 9110 12.5.1). */
export function toTextContent(reply: Reply, forms: readonly [TextForm, ...TextForm[]], accept: string): Content {
  const { type, version, write } = preferredForm(forms, accept)
  return {
    status: reply.status,
    text: write(reply.body),
    headers: { ...reply.headers, Vary: 'Accept', 'Content-Type': `${type}; version=${version}; charset=utf-8` },
  }
}

/** Of equal weights the first that is named wins; the first form answers who accepts anything, or none of them. */
function preferredForm(forms: readonly [TextForm, ...TextForm[]], accept: string): TextForm {
  for (const { type, params, q } of parseAccept(accept).toSorted((a, b) => b.q - a.q)) {
    if (q <= 0) continue
    const named = type.toLowerCase()
    if (named === '*/*' || named === 'text/*') return forms[0]
    const form = forms.find((each) => each.type === named && (params['version'] ?? each.version) === each.version)
    if (form !== undefined) return form
  }
  return forms[0]
}

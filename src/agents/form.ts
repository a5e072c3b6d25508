import { fail } from '#core/language/error.ts'

const maxParameters = 100

/**
 * The parameters of a form body. One that is sent without a value counts as left out; one that is sent twice is
 * refused (RFC 6749 3.2).
 */
export function parseForm(text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  const pairs = new URLSearchParams(text)
  if (pairs.size > maxParameters) throw fail('invalid_request', `The form has more than ${maxParameters} parameters.`)
  const seen = new Set<string>()
  for (const [name, value] of pairs) {
    if (seen.has(name)) throw fail('invalid_request', `The parameter ${shown(name)} was sent more than once.`)
    seen.add(name)
    if (value !== '') parameters.set(name, value)
  }
  return parameters
}

/** Whether a Content-Type is that of forms; its parameters say nothing. */
export function isForm(contentType: string | null): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType?.trim() ?? '')
}

export function required(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw fail('invalid_request', `The parameter ${name} is missing.`)
  return value
}

/** A name as the caller wrote it, short, and of characters that RFC 6749 5.2 has in a description. */
function shown(name: string): string {
  return name.slice(0, 50).replaceAll(/[^ !#-[\]-~]/g, '?')
}

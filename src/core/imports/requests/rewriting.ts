// Addresses and bodies of requests with other values in some places, and all else as it was written.
import { innerJson } from '#core/imports/import-json.ts'

/** What stands in the place of a value; a segment of a path has no name. What it returns is written as it is. */
export type Rewrite = (name: string, value: string) => string

/** An absolute address, whose fragment is left out. */
export function rewriteAddress(address: string, rewrite: Rewrite): string {
  const [, origin = '', path = '', query] = /^([^/]*\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(address) ?? []
  const segments = path.split('/').map((segment) => rewritten(segment, segment, (value) => rewrite('', value)))
  return `${origin}${segments.join('/')}${query === undefined ? '' : `?${rewriteForm(query, rewrite)}`}`
}

/** The form of application/x-www-form-urlencoded, which queries of addresses have as well. */
export function rewriteForm(form: string, rewrite: Rewrite): string {
  return form
    .split('&')
    .map((field) => {
      const at = field.indexOf('=') + 1
      if (at === 0) return field
      const name = decoded(field.slice(0, at - 1))
      const written = field.slice(at)
      return field.slice(0, at) + rewritten(written, written.replaceAll('+', ' '), (value) => rewrite(name, value))
    })
    .join('&')
}

function rewritten(written: string, plain: string, change: (value: string) => string): string {
  const value = decoded(plain)
  const changed = change(value)
  return changed === value ? written : changed
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A string with the colon that makes it a name, or a number. */
const token = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d[\d.eE+-]*/g

/** Texts and numbers of a JSON document by the name of their member; null where it is no JSON. */
export function rewriteJson(json: string, rewrite: Rewrite): string | null {
  // Asked first: in JSON every string ends, so that the expression passes over each character once.
  if (innerJson(json) === undefined) return null
  let name = ''
  return json.replaceAll(token, (written) => {
    if (written.endsWith(':')) {
      name = String(innerJson(written.slice(0, -1).trimEnd()))
      return written
    }
    const value = String(innerJson(written))
    const changed = rewrite(name, value)
    if (changed === value) return written
    // What stands for a number has no quotes, so that a number is sent.
    return written.startsWith('"') ? JSON.stringify(changed) : changed
  })
}

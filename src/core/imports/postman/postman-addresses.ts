// Addresses of requests in a collection, with values in the places of variables.
import type { PostmanField, PostmanParts, PostmanUrl } from './postman-rows.ts'
import { encodeAround, plainText, withVariables } from './postman-variables.ts'

/** Absolute, without a fragment. `fill` puts values in the places of variables. */
export function addressOf(
  url: PostmanUrl | null | undefined,
  fill: (text: string) => string,
  missing: Set<string>,
): string {
  if (url === null || url === undefined) return ''
  const written = typeof url === 'string' ? url : (url.raw ?? writtenOf(url))
  const filled = fill(written.trim()).replace(/#.*$/s, '')
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(filled) ? filled : `http://${filled.replace(/^\/\//, '')}`
  const named = typeof url === 'string' ? new Map<string, string>() : withVariables(new Map(), url.variable)
  const [, before = '', path = '', query = ''] = /^([^/]*\/\/[^/?]*)([^?]*)(.*)$/s.exec(address) ?? []
  const segments = path.split('/').map((segment) => {
    const name = /^:([\w.-]{1,200})$/.exec(segment)?.[1]
    const value = name === undefined ? undefined : named.get(name)
    if (name !== undefined && value === undefined) missing.add(`:${name}`)
    return value === undefined ? segment : encodeAround(fill(value))
  })
  return `${before}${segments.join('/')}${query}`
}

/** A collection that a program wrote may have the parts alone. */
function writtenOf({ protocol, host, port, path, query }: Exclude<PostmanUrl, string>): string {
  const place = `${joined(host, '.')}${port === null ? '' : `:${port}`}`
  const route = joined(path, '/')
  const asked = (query ?? []).filter(({ disabled, key }) => !disabled && key !== null).map(writtenPair)
  const scheme = protocol === null ? '' : `${protocol}://`
  return `${scheme}${place}${route === '' || route.startsWith('/') ? route : `/${route}`}${asked.length === 0 ? '' : `?${asked.join('&')}`}`
}

function writtenPair({ key, value }: PostmanField): string {
  return value === null || value === undefined ? `${key}` : `${key}=${plainText(value)}`
}

function joined(parts: PostmanParts, between: string): string {
  if (typeof parts === 'string') return parts
  return (parts ?? []).map((part) => (typeof part === 'object' ? (part.value ?? '') : String(part))).join(between)
}

import fc from 'fast-check'
import { anyCharacter } from './any-character.ts'

const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@".split('')
const segment = fc.string({
  unit: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...unreserved) },
    { weight: 1, arbitrary: anyCharacter.map(encodeURIComponent) },
  ),
})

/**
 * Paths of the web (RFC 3986 3.3). fast-check's own fill a table of 1.1 million characters, in each process that makes
 * one.
 */
export const webPath = fc
  .array(segment, { maxLength: 6 })
  .map((segments) => segments.map((each) => `/${each}`).join(''))

const page = fc.tuple(fc.constantFrom('http', 'https'), fc.domain(), webPath)

/** Addresses of the web without a query. */
export const webAddress = page.map(addressOf)

/** Addresses of the web, most of them with a query and a fragment. */
export const fullWebAddress = fc
  .tuple(page, fc.option(segment), fc.option(segment))
  .map(([parts, query, fragment]) => `${addressOf(parts)}${after('?', query)}${after('#', fragment)}`)

function addressOf([scheme, host, path]: [string, string, string]): string {
  return `${scheme}://${host}${path}`
}

function after(sign: string, text: string | null): string {
  return text === null ? '' : `${sign}${text}`
}

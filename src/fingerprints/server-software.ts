import { type Detection, cleanVersion } from './detection.ts'
import { serverSystems, serverTokens } from './page-rules.ts'

/**
 * Product tokens (RFC 9110 10.2.4) such as `Apache/2.4.58 (Ubuntu) OpenSSL/3.0.13`, and names of several words before a
 * slash.
 */
const token = /([A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*){0,3})(?:\/([\w.+~-]{1,60}))?/g
const comment = /\(([^()]{0,200})\)/g
const maxLength = 1000

/** Reads the products in headers such as `Server` and `X-Powered-By`, and the systems that their comments name. */
export function readServerHeader(name: string, value: string): Detection[] {
  const line = value.slice(0, maxLength)
  const evidence = `${name} header: ${line.slice(0, 200)}`
  const systems = Array.from(line.matchAll(comment), ([, text = '']) => systemOf(text.trim().toLowerCase()))
  const products = Array.from(line.replaceAll(comment, ' ; ').matchAll(token), ([, words = '', version]) => {
    const product = productOf(words)
    return product === undefined ? [] : [{ product, version: cleanVersion(version), evidence }]
  })
  return [
    ...products.flat(),
    ...systems.flatMap((product) => (product === undefined ? [] : [{ product, version: null, evidence }])),
  ]
}

/** The longest known name at the end of the words: `Phusion Passenger`, but also `Server Apache`. */
function productOf(words: string): string | undefined {
  const parts = words.toLowerCase().split(' ')
  for (let from = 0; from < parts.length; from += 1) {
    const product = Object.hasOwn(serverTokens, parts.slice(from).join(' '))
      ? serverTokens[parts.slice(from).join(' ')]
      : undefined
    if (product !== undefined) return product
  }
  return undefined
}

function systemOf(name: string): string | undefined {
  return Object.hasOwn(serverSystems, name) ? serverSystems[name] : undefined
}

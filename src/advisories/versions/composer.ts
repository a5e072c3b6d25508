import { numberKey, releaseKey, wordKey } from './order-key.ts'

/**
 * Versions as Composer normalises them (1.0 is 1.0.0.0, `2.x-dev` is the end of the 2 line, build metadata is dropped),
 * in the order of PHP's version_compare. Branches (`dev-main`) have no place in it.
 */
export function composerKey(text: string): string | null {
  const version = text.replace(/^v(?=\d)/i, '').toLowerCase()
  if (!/^\d/.test(version)) return null
  const tokens = version.replace(/\+.*$/, '').match(/\d+|[a-z]+|\*/g) ?? []
  const firstWord = tokens.findIndex((token) => !isNumberOrWildcard.test(token))
  const numbers = firstWord === -1 ? tokens : tokens.slice(0, firstWord)
  const rest = firstWord === -1 ? [] : tokens.slice(firstWord)
  return releaseKey(numbers.map((token) => (isWildcard.test(token) ? wildcard : token))) + suffixKey(rest)
}

const isNumberOrWildcard = /^(?:\d+|x|\*)$/
const isWildcard = /^[x*]$/
/** Composer's own placeholder for any number. */
const wildcard = '9999999'

function suffixKey(tokens: readonly string[]): string {
  return tokens.map(tokenKey).join('') + endTag
}

function tokenKey(token: string): string {
  if (/^\d/.test(token)) return numberTag + numberKey(token)
  return wordTags.get(token) ?? unknownTag + wordKey(token)
}

const unknownTag = '0'
const endTag = '5'
const numberTag = '6'
const wordTags: ReadonlyMap<string, string> = new Map([
  ['dev', '1'],
  ['alpha', '2'],
  ['a', '2'],
  ['beta', '3'],
  ['b', '3'],
  ['rc', '4'],
  ['stable', ''],
  ['patch', '7'],
  ['pl', '7'],
  ['p', '7'],
  ['post', '7'],
])

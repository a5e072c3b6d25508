import { numberKey } from './order-key.ts'

/**
 * Debian policy 5.6.12: epoch, upstream version, and the revision after the last hyphen; a missing part counts as 0.
 */
export function debianKey(text: string): string | null {
  const colon = text.indexOf(':')
  const epoch = colon === -1 ? '0' : text.slice(0, colon)
  const rest = text.slice(colon + 1)
  if (!/^\d+$/.test(epoch) || !isDebianVersion.test(rest)) return null
  const hyphen = rest.lastIndexOf('-')
  const upstream = hyphen === -1 ? rest : rest.slice(0, hyphen)
  const revision = hyphen === -1 ? '' : rest.slice(hyphen + 1)
  return numberKey(epoch) + partKey(upstream) + partKey(revision)
}

const isDebianVersion = /^[0-9A-Za-z.+~:-]+$/

/** Other characters and numbers alternate; the first of each may be empty. */
function partKey(part: string): string {
  let key = ''
  for (const { 0: pair, 1: characters = '', 2: digits = '', index } of part.matchAll(/([^\d]*)(\d*)/g))
    if (pair !== '' || index === 0) key += charactersKey(characters) + numberKey(digits === '' ? '0' : digits)
  return key + endOfCharacters
}

/** A tilde sorts below the end, letters above it, and everything else above letters. */
function charactersKey(characters: string): string {
  return characters.replace(/[^a-z]/gi, characterKey) + endOfCharacters
}

const endOfCharacters = '"'
const aboveLetters = 0x60

function characterKey(character: string): string {
  return character === '~' ? '!' : String.fromCharCode(character.charCodeAt(0) + aboveLetters)
}

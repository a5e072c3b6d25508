import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogates = 0x800
const last = 0x10_ffff

/**
 * Any character of Unicode, as a unit of `fc.string`. It is what fast-check calls `binary`, whose first use fills a table
 * of 1.1 million characters in each process of tests.
 */
export const anyCharacter = fc.integer({ min: 0, max: last - surrogates }).map(characterOf, placeOf)

function characterOf(place: number): string {
  return String.fromCodePoint(place < firstSurrogate ? place : place + surrogates)
}

function placeOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined
  if (code === undefined || value !== String.fromCodePoint(code) || !value.isWellFormed())
    throw new Error('That is not one character.')
  return code < firstSurrogate ? code : code - surrogates
}

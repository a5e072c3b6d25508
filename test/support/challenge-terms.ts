import fc from 'fast-check'

const texts = fc.string({ unit: 'grapheme-ascii', maxLength: 30 })
// zod drops this name, which no method has.
const names = texts.filter((name) => name !== '__proto__')

/** The request of a challenge, and its description. */
export const challengeTerms = fc.tuple(fc.dictionary(names, texts), texts)

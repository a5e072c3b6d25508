/** Invisible, and of no width. */
export const wordJoiner = '\u2060'

/** Characters by which clients know addresses, names of people and rooms, tags, emojis and mark-up of links. */
const signs = /[@#~!<\]](?=\S)|\.(?=\p{L})|(?<=www\d{0,3})\.(?=\S)|:(?!\s|\d\d\b|$)/giu

/**
 * The text as one in which clients find neither links nor mentions: an invisible word joiner stands behind each sign of
 * one. Where words are told apart by letters and digits, as servers that look for mentions do, a joiner parts them too.
 */
export function unlinked(text: string): string {
  return text.replaceAll(signs, (sign) => `${sign}${wordJoiner}`)
}

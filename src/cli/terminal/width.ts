import { eastAsianWidth } from 'get-east-asian-width'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const plain = /^[\x20-\x7e]*$/

/** The columns that a terminal takes for a text of one line, without escape sequences (Unicode Standard Annex 11). */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOfGrapheme(segment)
  return width
}

/** A text cut to so many columns, with … where something is missing. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width < 1) return ''
  let kept = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += widthOfGrapheme(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** A text of exactly so many columns, cut or with spaces after it. */
export function fitted(text: string, width: number): string {
  const shown = cut(text, width)
  return `${shown}${' '.repeat(Math.max(0, width - widthOf(shown)))}`
}

/** Text with spaces up to so many columns; a longer one stays whole. */
export function padded(text: string, width: number): string {
  return `${text}${' '.repeat(Math.max(0, width - widthOf(text)))}`
}

function widthOfGrapheme(grapheme: string): number {
  if (/^\p{RGI_Emoji}$/v.test(grapheme)) return 2
  let width = 0
  for (const character of grapheme) if (!isUnseen(character)) width += eastAsianWidth(character.codePointAt(0) ?? 0)
  return width
}

/** Marks, the later letters of a Korean syllable, and characters that steer. Two Japanese marks have a column each. */
function isUnseen(character: string): boolean {
  return /^[\p{Mark}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u1160-\u11ff\ud7b0-\ud7ff]$/u.test(character)
}

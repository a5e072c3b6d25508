/** What a game server tells about itself; null where it does not, or not in the form that is expected. */
export type GameStatus = {
  version: string | null
  protocol: number | null
  playersOnline: number | null
  playersMax: number | null
  /** The message it greets with, as plain text. */
  message: string | null
}

/** Thrown by the parsers of answers, and by nothing else: what is wrong, as the end of a sentence about the server. */
export class GameReplyError extends Error {}

/** A sane number of players, or of a protocol. */
export function wholeNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

const maxTextLength = 200

/** Without the marks of colour and style, on one line, cut to a length that can be shown. */
export function plainText(text: string): string {
  return text
    .slice(0, 4 * maxTextLength)
    .replaceAll(/§./gu, '')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxTextLength)
}

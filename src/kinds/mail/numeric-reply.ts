import type { DialogueStep } from '#net/tcp/dialogue.ts'
import { quoted } from '#kinds/readable.ts'

/** The code of a reply's first line, and the texts of its lines without their codes. */
export type NumericReply = { code: number; texts: readonly string[]; firstLine: string }

/**
 * Reads replies of SMTP and FTP: three digits, and a hyphen when more lines follow, of which the last repeats the
 * code (RFC 5321 4.2.1, RFC 959 4.2; in FTP what stands between may be anything). `judge` is given a whole reply and
 * says what is wrong with it, if anything.
 */
export function numericReply(
  speaker: string,
  judge: (reply: NumericReply) => string | null,
): Pick<DialogueStep, 'read'> {
  return {
    read: (lines) => {
      const [firstLine = ''] = lines
      const found = /^([1-5]\d\d)(?:([ -])|$)/.exec(firstLine)
      if (found === null) return { problem: `Not an answer of an ${speaker} server: ${quoted(firstLine)}` }
      const [, code = '', separator] = found
      if (separator === '-' && !isLast(lines, code)) return 'unfinished'
      const problem = judge({ code: Number(code), texts: lines.map((line) => textOf(line, code)), firstLine })
      return problem === null ? 'finished' : { problem }
    },
  }
}

function isLast(lines: readonly string[], code: string): boolean {
  const last = lines.at(-1) ?? ''
  return lines.length > 1 && (last === code || last.startsWith(`${code} `))
}

function textOf(line: string, code: string): string {
  return line.startsWith(code) ? line.slice(code.length + 1) : line
}

import { createRequire } from 'node:module'

export const maxPatternLength = 500
/** Instructions of the compiled program, which a match goes through for each character at worst. */
const maxSteps = 200
/** Of a program that is not yet compiled: the longest that this lets through is compiled in a few milliseconds. */
const maxEstimate = 5000
const repeat = /(.)\{(\d{1,9})(?:,(\d{0,9}))?\}/gs
const tooLong = `Must not be more than ${maxSteps} steps long; each repetition counts as often as it is counted.`

/** What is wrong with a regular expression in the syntax of RE2, as a sentence; null where nothing is. */
export function patternProblem(pattern: string): string | null {
  if (estimatedSteps(pattern) > maxEstimate) return tooLong
  // Few processes ever read a pattern, and a schema cannot wait for an import.
  const { RE2JS, RE2JSSyntaxException }: typeof import('re2js') = createRequire(import.meta.url)('re2js')
  try {
    return RE2JS.compile(pattern).programSize() > maxSteps ? tooLong : null
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    return `Must be a regular expression in the syntax of RE2: ${error.message.replace('error parsing regexp: ', '')}.`
  }
}

/** At least the real length: a repeated group is taken to have begun where the pattern does. */
function estimatedSteps(pattern: string): number {
  let steps = pattern.length
  for (const [, last = '', least, most] of pattern.matchAll(repeat)) {
    const times = Math.max(1, Number(least), Number(most ?? 0))
    steps = /[)*+?}]/.test(last) ? steps * times : steps + times
  }
  return steps
}

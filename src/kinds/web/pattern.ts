import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export const maxPatternLength = 500
/** Instructions of the compiled program, which a match goes through for each character at worst. */
const maxSteps = 200
/** Of a program that is not yet compiled: the longest that this lets through is compiled in a few milliseconds. */
const maxEstimate = 5000
const repeat = /(.)\{(\d{1,9})(?:,(\d{0,9}))?\}/gs
const tooLong = `Must not be more than ${maxSteps} steps long; each repetition counts as often as it is counted.`

const compiler = new URL('./pattern-compiler.ts', import.meta.url)

/** What is wrong with a regular expression in the syntax of RE2, as a sentence; null where nothing is. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > maxPatternLength) return `Must have at most ${maxPatternLength} characters.`
  if (estimatedSteps(pattern) > maxEstimate) return tooLong
  // A schema cannot wait for an import.
  const { measurePattern }: typeof import('./pattern-compiler.ts') = createRequire(compiler)(fileURLToPath(compiler))
  const measured = measurePattern(pattern)
  if ('problem' in measured) return `Must be a regular expression in the syntax of RE2: ${measured.problem}.`
  return measured.steps > maxSteps ? tooLong : null
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

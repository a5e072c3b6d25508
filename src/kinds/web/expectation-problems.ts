// What is wrong with what is expected of a body in a language of its own.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { schemaProblem } from './json-schema-problem.ts'

export const maxPatternLength = 500
/** Instructions of the compiled program, which a match goes through for each character at worst. */
const maxSteps = 200
/** Of a program that is not yet compiled: the longest that this lets through is compiled in a few milliseconds. */
const maxEstimate = 5000
const repeat = /(.)\{(\d{1,9})(?:,(\d{0,9}))?\}/gs
const tooLong = `Must not be more than ${maxSteps} steps long; each repetition counts as often as it is counted.`

const compiler = new URL('./expectation-compiler.ts', import.meta.url)

/** A schema of options cannot wait for an import. */
function compilers(): typeof import('./expectation-compiler.ts') {
  return createRequire(compiler)(fileURLToPath(compiler))
}

/** What is wrong with a regular expression in the syntax of RE2, as a sentence; null where nothing is. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > maxPatternLength) return `Must have at most ${maxPatternLength} characters.`
  if (estimatedSteps(pattern) > maxEstimate) return tooLong
  const measured = compilers().measurePattern(pattern)
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

/** What is wrong with an expression of JSONata, as a sentence; null where nothing is. */
export function jsonataProblem(expression: string): string | null {
  const fault = compilers().jsonataFault(expression)
  return fault === null ? null : `Must be an expression of JSONata: ${fault}.`
}

/** What is wrong with a CSS selector, as a sentence; null where nothing is. */
export function selectorProblem(selector: string): string | null {
  const fault = compilers().selectorFault(selector)
  return fault === null ? null : `Must be a CSS selector: ${fault}.`
}

/** What is wrong with a JSON Schema, as a sentence that says where; null where nothing is. */
export function jsonSchemaProblem(schema: object): string | null {
  const problem = schemaProblem(schema)
  if (problem !== null) return problem
  const reference = compilers().unresolvedReference(schema)
  return reference === null ? null : `The $ref "${reference}" leads to nothing in the schema; no other one is read.`
}

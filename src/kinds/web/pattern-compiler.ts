// Is loaded with the first pattern (pattern.ts): most processes never read one.
import { RE2JS, RE2JSSyntaxException } from 're2js'

/** How many instructions the program of a pattern has, or what is wrong with it. */
export function measurePattern(pattern: string): { steps: number } | { problem: string } {
  try {
    return { steps: RE2JS.compile(pattern).programSize() }
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    return { problem: error.message.replace('error parsing regexp: ', '') }
  }
}

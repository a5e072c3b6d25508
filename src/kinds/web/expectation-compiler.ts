// Is loaded with the first expectation in a language of its own (expectation-problems.ts): most processes never read one.
import { dereference } from '@cfworker/json-schema'
import { compile } from 'css-select'
import jsonata from 'jsonata'
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

/** What is wrong with an expression of JSONata; null where nothing is. */
export function jsonataFault(expression: string): string | null {
  return faultOf(() => jsonata(expression))
}

/** What is wrong with a selector; null where nothing is. */
export function selectorFault(selector: string): string | null {
  return faultOf(() => compile(selector))
}

/** Where the library notes to what a `$ref` leads. */
const absolute = '__absolute_ref__'

/** The first `$ref` that leads to nothing in the schema; null where all lead somewhere. */
export function unresolvedReference(schema: object): string | null {
  // It writes into what it reads.
  const found = dereference(structuredClone(schema))
  for (const each of Object.values(found)) {
    if (typeof each === 'boolean' || each.$ref === undefined) continue
    const { [absolute]: target = each.$ref } = each
    if (found[target] === undefined) return each.$ref
  }
  return null
}

/** JSONata throws objects that are no errors. */
function faultOf(read: () => unknown): string | null {
  try {
    read()
    return null
  } catch (error) {
    const message: unknown = Object(error).message
    return typeof message === 'string' ? message.replace(/\.$/, '') : 'It cannot be read'
  }
}

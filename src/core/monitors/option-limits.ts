import type { Fields } from '#core/language/error.ts'
import { pathProblem } from '#core/language/json-path.ts'

type Options = Record<string, unknown>

/**
 * Problems with options that a caller gives, beyond what their kind says of them. What a monitor had `before` a limit
 * was set may stay and be sent back (docs/versioning.md).
 */
export function limitProblems(options: Options, before: Options): Fields {
  // Once more, because kept secrets came to what the caller gave.
  const tooLarge = sizeProblem(options, before)
  if (tooLarge !== null) return { check_options: [tooLarge] }
  const kept = new Set(pathsOf(before).map(([, path]) => path))
  const problems = pathsOf(options).flatMap(([field, path]): [string, string[]][] => {
    const problem = kept.has(path) ? null : pathProblem(path)
    return problem === null ? [] : [[field, [problem]]]
  })
  return Object.fromEntries(problems)
}

const maxBytes = 65_536

/**
 * What is wrong with the size of options that a caller gives, as a sentence; null for those within the limit, or no
 * larger than what the monitor had `before` it was set. Asked before anything else reads them.
 */
export function sizeProblem(options: Options, before: Options): string | null {
  const bytes = sizeOf(options)
  if (bytes <= maxBytes || bytes <= sizeOf(before)) return null
  return `Must have at most ${maxBytes} bytes of JSON, the bodies of steps aside; has ${bytes}.`
}

/** Bodies of steps have a limit of their own, 65,536 characters each. */
function sizeOf(options: Options): number {
  const { steps } = options
  const counted = Array.isArray(steps) ? { ...options, steps: steps.map(withoutBody) } : options
  return Buffer.byteLength(JSON.stringify(counted))
}

function withoutBody(step: unknown): unknown {
  return isObject(step) && typeof step['body'] === 'string' ? { ...step, body: '' } : step
}

/** The JSON paths of the options and of their steps, each with the field it stands in. */
function pathsOf(options: Options): [field: string, path: string][] {
  const steps = Array.isArray(options['steps']) ? options['steps'] : []
  const places: [string, unknown][] = [
    ['check_options', options],
    ...steps.map((step, at): [string, unknown] => [`check_options.steps.${at}`, step]),
  ]
  return places.flatMap(([place, holder]): [string, string][] => {
    const path = isObject(holder) ? holder['json_path'] : undefined
    return typeof path === 'string' ? [[`${place}.json_path`, path]] : []
  })
}

function isObject(value: unknown): value is Options {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { Fields } from '#core/language/error.ts'
import { pathProblem } from '#core/language/json-path.ts'

type Options = Record<string, unknown>

/**
 * Problems with options that a caller gives, beyond what their kind says of them. What a monitor had `before` a limit
 * was set may stay and be sent back (docs/versioning.md).
 */
export function limitProblems(options: Options, before: Options): Fields {
  const kept = new Set(pathsOf(before).map(([, path]) => path))
  const problems = pathsOf(options).flatMap(([field, path]): [string, string[]][] => {
    const problem = kept.has(path) ? null : pathProblem(path)
    return problem === null ? [] : [[field, [problem]]]
  })
  return Object.fromEntries(problems)
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

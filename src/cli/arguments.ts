import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { OptionDefinition } from './definitions/definition.ts'
import { UsageError } from './terminal.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>

/** node's parser, whose complaints become ours. */
export function readArguments<const T extends Options>(argv: readonly string[], options: T, usage: string): Parsed<T> {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) throw error
    throw new UsageError(error.message.split('. ')[0] ?? error.message, usage)
  }
}

export function asksForHelp(argv: readonly string[]): boolean {
  return argv.includes('--help') || argv.includes('-h')
}

/** Throws UsageError where an option is given that belongs to other verbs. */
export function assertOfVerb(
  verb: string,
  values: Readonly<Record<string, unknown>>,
  { options, usage }: { options: Readonly<Record<string, OptionDefinition>>; usage: string },
): void {
  for (const [name, { of }] of Object.entries(options))
    if (of !== undefined && values[name] !== undefined && !of.includes(verb))
      throw new UsageError(`--${name} only works with ${of.join(' and ')}.`, usage)
}

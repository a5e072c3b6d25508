import { type ImportSource, isImportSource } from '#core/imports/import-source.ts'
import { idForm, idRule } from '#core/projects/entries.ts'
import { readArguments } from '#cli/arguments.ts'
import { centsOf } from '#cli/projects/apply.ts'
import { readService, type Service } from '#cli/service.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { importDefinition } from '#cli/definitions/projects.ts'
import { UsageError } from '#cli/terminal.ts'

export const importUsage = usageOf(importDefinition)

const { options } = importDefinition

/** What is read, and as what. */
export type ImportInput = {
  /** Null: the files tell. */
  source: ImportSource | null
  paths: readonly string[]
  /** Null: the name of the source. */
  project: string | null
  pingKey: string | null
}

export type ReportOrder = {
  type: 'report'
  input: ImportInput
  /** How long checks may take; null where none are made. */
  tryForMs: number | null
  isJson: boolean
  output: string | null
  secrets: string | null
  isInline: boolean
}

export type ApplyOrder = {
  type: 'apply'
  input: ImportInput
  service: Service
  record: string | null
  makesNamesakes: boolean
  payUpToCents: number
  /** Where what the service shows once is added. */
  secrets: string | null
}

export type ImportOrder =
  | ReportOrder
  | ApplyOrder
  | { type: 'finish'; input: ImportInput; service: Service }
  | { type: 'undo'; record: string; service: Service }

const maxSeconds = 3600

/** Throws UsageError. */
export function parseImportArguments(argv: readonly string[]): ImportOrder {
  const { values, positionals } = readArguments(argv, options, importUsage)
  const { apply = false, undo, finish: isFinish = false } = values
  const wanted = [apply, isFinish, undo !== undefined].filter(Boolean).length
  if (wanted > 1) throw wrong('Give only one of --apply, --finish and --undo.')
  if (undo !== undefined) {
    if (positionals.length > 0) throw wrong('--undo takes the record of an import, and no other file.')
    return { type: 'undo', record: undo, service: readService(values, importUsage) }
  }
  const input = inputOf(positionals, values)
  if (isFinish) return { type: 'finish', input, service: readService(values, importUsage) }
  const { secrets = null, output = null, 'inline-secrets': isInline = false } = values
  if (apply) {
    if (output !== null || isInline)
      throw wrong('--apply imports directly. It does not work with --output or --inline-secrets.')
    return {
      type: 'apply',
      input,
      service: readService(values, importUsage),
      record: values.record ?? null,
      makesNamesakes: values.namesakes ?? false,
      payUpToCents: centsOf(values['pay-up-to'], importUsage),
      secrets,
    }
  }
  if (secrets !== null && (isInline || output === null))
    throw wrong('--secrets only works with --output or --apply, and not with --inline-secrets.')
  const seconds = Number(values['try-for'])
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds)
    throw wrong(`--try-for must be 1 to ${maxSeconds}.`)
  const tryForMs = values['no-try'] === true ? null : seconds * 1000
  return { type: 'report', input, tryForMs, isJson: values.json ?? false, output, secrets, isInline }
}

function inputOf(
  positionals: readonly string[],
  { project, 'ping-key': pingKey }: { project?: string; 'ping-key'?: string },
): ImportInput {
  const [first = '', ...rest] = positionals
  const source = isImportSource(first) && rest.length > 0 ? first : null
  const paths = source === null ? positionals : rest
  if (paths.length === 0) throw wrong('Name a file.')
  if (project !== undefined && !idForm.test(project)) throw wrong(`--project: ${idRule}`)
  return { source, paths, project: project ?? null, pingKey: pingKey ?? null }
}

export function wrong(problem: string): UsageError {
  return new UsageError(problem, importUsage)
}

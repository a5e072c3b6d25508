import { chmodSync, closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { restDays } from '#core/projects/prune.ts'
import { StartError } from '#store/database/start-error.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { readService } from '#cli/service.ts'
import { printable } from '#cli/table.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { applyDefinition } from '#cli/definitions/projects.ts'
import { paintChanges, paintFor } from '#cli/terminal/paint.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import type { Applied, ApplyEvent } from './apply-events.ts'
import { applyProject, type ApplyOptions } from './apply-project.ts'
import { loadProject } from './project-files.ts'

const applyUsage = usageOf(applyDefinition)
const { options } = applyDefinition

/** `perigee apply`: see its usage. */
export async function runApply(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { out } = terminal
  if (asksForHelp(argv)) {
    out.write(applyUsage)
    return 0
  }
  const { values, positionals } = readArguments(argv.flatMap(withNumber), options, applyUsage)
  const { file: paths = [], adopt = false, namesakes = false, json = false, secrets } = values
  if (paths.length === 0 || positionals.length > 0)
    throw new UsageError('Name the project files, such as -f monitors/.', applyUsage)
  if (adopt && namesakes) throw new UsageError('Give either --adopt or --namesakes, not both.', applyUsage)
  const payUpToCents = centsOf(values['pay-up-to'] ?? '0')
  const service = readService(values, applyUsage)
  const project = loadProject(paths)
  const file = secrets === undefined ? null : openSecrets(secrets)
  const unkept: string[] = []
  const applied = await applyProject(service, project, {
    adopts: adopt,
    makesNamesakes: namesakes,
    payUpToCents,
    tries: values['no-try'] === true ? 'none' : values['allow-failing'] === true ? 'may fail' : 'must pass',
    prune: pruneOf(values),
    report: (event) => (json ? undefined : out.write(paintChanges(lineOf(event), paintFor(out)))),
    keepSecret: (label, name, value) => {
      if (file === null) unkept.push(`${label} (${name})`)
      else file.add(`${label}.${name}=${value}\n`)
    },
  })
  file?.close()
  out.write(json ? `${JSON.stringify(jsonOf(applied))}\n` : `${summaryOf(applied)}\n`)
  if (unkept.length > 0) terminal.err.write(unkeptText(unkept))
  return applied.events.some(({ type }) => type === 'failed') ? 1 : 0
}

/** The parser of Node.js has no option that may, and need not, have a value. */
function withNumber(argument: string): string[] {
  const [, number] = /^--prune=(.*)$/.exec(argument) ?? []
  return number === undefined ? [argument] : ['--prune-at-most', number]
}

function pruneOf(given: { prune?: boolean; 'prune-at-most'?: string }): ApplyOptions['prune'] {
  const { prune = false, 'prune-at-most': number } = given
  if (number === undefined) return prune ? 'tenth' : 'none'
  if (!/^\d{1,5}$/.test(number)) throw new UsageError('--prune takes a number such as 5, or no value.', applyUsage)
  return Number(number)
}

export function centsOf(text: string, usage = applyUsage): number {
  if (!/^\d{1,7}(\.\d\d)?$/.test(text)) throw new UsageError('--pay-up-to takes an amount such as 1.50.', usage)
  return Math.round(Number(text) * 100)
}

/** For the eyes of its owner, also where the file was there before. */
export function openSecrets(path: string): { add: (line: string) => void; close: () => void } {
  try {
    const file = openSync(path, 'a', 0o600)
    chmodSync(path, 0o600)
    return {
      add: (line) => {
        writeSync(file, line)
        fsyncSync(file)
      },
      close: () => closeSync(file),
    }
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

export function unkeptText(unkept: readonly string[]): string {
  return (
    `The service showed these only once, and without --secrets they were not kept: ${unkept.join(', ')}. You find the ` +
    'address of a monitor in the console, where you can also make a new signing secret for a contact.\n'
  )
}

export function lineOf(event: ApplyEvent): string {
  switch (event.type) {
    case 'adopted':
      return `= ${event.label}\n`
    case 'created':
      return `+ ${event.label}\n`
    case 'changed':
      return `~ ${event.label}\n`
    case 'rested':
      return `- ${event.label}  is deleted by the first --prune after ${restDays} days\n`
    case 'deleted':
      return `- ${event.label}  is deleted\n`
    case 'tried':
      return event.problem === null ? '' : `? ${event.label}: ${printable(event.problem)}\n`
    case 'failed':
      return `! ${event.label}: ${printable(event.problem)}\n`
    case 'waiting':
      return `  waiting ${event.seconds} s because of the rate limits of the service\n`
  }
}

export function summaryOf({ project, events }: Applied): string {
  const counts = (['adopted', 'created', 'changed', 'rested', 'deleted', 'failed'] as const).map(
    (type) => [events.filter((event) => event.type === type).length, type] as const,
  )
  const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  return told.length === 0
    ? `${project}: no changes, the workspace matches the files.`
    : `${project}: ${told.join(', ')}.`
}

function jsonOf({ project, events }: Applied) {
  const labels = (type: 'adopted' | 'created' | 'changed' | 'rested' | 'deleted') =>
    events.flatMap((event) => (event.type === type ? [event.label] : []))
  return {
    project,
    adopted: labels('adopted'),
    created: labels('created'),
    changed: labels('changed'),
    rested: labels('rested'),
    deleted: labels('deleted'),
    failing_checks: events.flatMap((event) =>
      event.type === 'tried' && event.problem !== null ? [{ entry: event.label, problem: event.problem }] : [],
    ),
    failed: events.flatMap((event) =>
      event.type === 'failed' ? [{ entry: event.label, problem: event.problem }] : [],
    ),
  }
}

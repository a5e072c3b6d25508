import { writeFileSync } from 'node:fs'
import { type Config, readConfig } from '#config/config.ts'
import { ProjectError } from '#core/projects/project-error.ts'
import { createNet } from '#net/create-net.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { printable } from '#cli/table.ts'
import { checkFilesDefinition } from '#cli/definitions/checking.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { type Paint, paintFor, styleOf } from '#cli/terminal/paint.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { checkAll, type CheckLimits, type CheckOutcome } from './check-all.ts'
import { junitOf } from './junit.ts'
import { checksOf, type ProjectCheck } from './project-checks.ts'
import { loadProject } from './project-files.ts'

export const checkFilesUsage = usageOf(checkFilesDefinition)

const { options } = checkFilesDefinition

const wrong = 2

/** Whether the arguments of `perigee check` name files in place of a target. */
export function namesFiles(argv: readonly string[]): boolean {
  return argv.some((argument) => /^(?:-f|--file(?:=|$))/.test(argument))
}

/** `perigee check -f`: see its usage. */
export async function runCheckFiles(
  argv: readonly string[],
  terminal: Terminal,
  settings: () => Pick<Config, 'services' | 'dnsServers'> = readConfig,
): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(checkFilesUsage)
    return 0
  }
  const { values, positionals } = readArguments(argv, options, checkFilesUsage)
  if (positionals.length > 0) throw new UsageError('Name a target or project files, not both.', checkFilesUsage)
  const concurrency = wholeNumber('concurrency', values.concurrency ?? '8', 64)
  const deadlineMs = wholeNumber('deadline', values.deadline ?? '600', 3600) * 1000
  const order = { junit: values.junit ?? null, isJson: values.json ?? false, concurrency, deadlineMs }
  try {
    const project = loadProject(values.file ?? [])
    const checks = checksOf(project)
    // Found out before the checks are made.
    if (order.junit !== null) writeJunit(order.junit, '')
    const { services, dnsServers } = settings()
    const net = createNet({ allowPrivate: 'all', services, ...(dnsServers.length === 0 ? {} : { dnsServers }) })
    return await report(project.id, checks, { ...order, net, out: terminal.out })
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error
    terminal.err.write(`${error.message}\n`)
    return wrong
  }
}

type Reporting = CheckLimits & {
  junit: string | null
  isJson: boolean
  out: Terminal['out']
}

async function report(project: string, checks: readonly ProjectCheck[], order: Reporting): Promise<number> {
  const at = new Date()
  const began = performance.now()
  const outcomes: CheckOutcome[] = []
  for await (const outcome of checkAll(checks, order)) {
    outcomes.push(outcome)
    if (!order.isJson) order.out.write(lineOf(outcome, paintFor(order.out)))
  }
  const tookMs = Math.round(performance.now() - began)
  if (order.junit !== null) writeJunit(order.junit, junitOf(project, outcomes, { at, tookMs }))
  order.out.write(order.isJson ? `${JSON.stringify(jsonOf(project, outcomes))}\n` : sumOf(project, outcomes, tookMs))
  return outcomes.some(({ status }) => status === 'down' || status === 'unknown') ? 1 : 0
}

function lineOf({ check, status, latencyMs, reason }: CheckOutcome, paint: Paint): string {
  const found = [...(latencyMs === null ? [] : [`${latencyMs} ms`]), ...(reason === null ? [] : [reason])].join(', ')
  const rest = printable(`${check.key}  ${check.name}${found === '' ? '' : `: ${found}`}`)
  return `${paint(styleOf(status), status.padEnd(8))}  ${rest}\n`
}

const statuses = ['up', 'degraded', 'down', 'unknown', 'skipped'] as const

function sumOf(project: string, outcomes: readonly CheckOutcome[], tookMs: number): string {
  const counts = statuses.flatMap((status) => {
    const count = outcomes.filter((each) => each.status === status).length
    return count === 0 ? [] : [`${count} ${status}`]
  })
  return `${project}: ${counts.length === 0 ? 'no monitors' : counts.join(', ')}, in ${(tookMs / 1000).toFixed(1)} s.\n`
}

function jsonOf(project: string, outcomes: readonly CheckOutcome[]) {
  const counts = statuses.map((status) => [status, outcomes.filter((each) => each.status === status).length])
  return {
    project,
    ...Object.fromEntries(counts),
    monitors: outcomes.map(({ check: { key, name, kind, place }, status, latencyMs, reason }) => ({
      key,
      name,
      kind: kind.name,
      status,
      latency_ms: latencyMs,
      error: reason,
      place,
    })),
  }
}

function writeJunit(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--junit: ${file} cannot be written: ${reason}`, checkFilesUsage)
  }
}

function wholeNumber(name: string, text: string, max: number): number {
  const number = Number(text)
  if (!/^\d{1,4}$/.test(text) || number < 1 || number > max)
    throw new UsageError(`--${name} must be a whole number from 1 to ${max}.`, checkFilesUsage)
  return number
}

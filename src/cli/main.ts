import { AppError } from '#core/language/error.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { StartError } from '#store/database/start-error.ts'
import { ConfigError } from '#config/config.ts'
import { ImportError } from '#core/imports/imported.ts'
import { ProjectError } from '#core/projects/project-error.ts'
import { readRelease } from '#app/release.ts'
import { type PartCommand, partCommands } from '#config/roles.ts'
import { summaries } from './definitions/index.ts'
import { type Command, type Terminal, UsageError } from './terminal.ts'

/** For a reader that takes nothing more. */
const longestWriteMs = 60_000

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).runStart,
  ...Object.fromEntries(partCommands.map((part) => [part, () => loadPart(part)])),
  check: loadCheck,
  monitors: async () => (await import('./monitors/monitors.ts')).runMonitors,
  incidents: async () => (await import('./incidents.ts')).runIncidents,
  top: async () => (await import('./overview/top.ts')).runTop,
  pay: async () => (await import('./pay.ts')).runPay,
  slo: async () => (await import('./slo.ts')).runSlo,
  verify: async () => (await import('./verify.ts')).runVerify,
  export: async () => (await import('./projects/export.ts')).runExport,
  plan: async () => (await import('./projects/plan.ts')).runPlan,
  apply: async () => (await import('./projects/apply.ts')).runApply,
  adopt: async () => (await import('./projects/adopt.ts')).runAdopt,
  discover: async () => (await import('./discovery/discover.ts')).runDiscover,
  schema: async () => (await import('./projects/schema.ts')).runSchema,
  validate: async () => (await import('./projects/validate.ts')).runValidate,
  import: async () => (await import('./imports/import.ts')).runImport,
  token: async () => (await import('./token.ts')).runToken,
  workspace: async () => (await import('./workspace.ts')).runWorkspace,
  status: async () => (await import('./status.ts')).runStatus,
  doctor: async () => (await import('./doctor.ts')).runDoctor,
  completion: async () => (await import('./completion.ts')).runCompletion,
  man: async () => (await import('./completion.ts')).runMan,
  migrate: async () => (await import('./migrate.ts')).runMigrate,
  backup: async () => (await import('./backups/backup.ts')).runBackup,
  restore: async () => (await import('./backups/restore.ts')).runRestore,
  keys: async () => (await import('./keys/keys.ts')).runKeys,
  'resume-sending': async () => (await import('./backups/resume-sending.ts')).runResumeSending,
}

async function loadPart(part: PartCommand): Promise<Command> {
  return (await import('./role.ts')).roleCommand(part)
}

async function loadCheck(): Promise<Command> {
  const [{ runCheck }, files] = await Promise.all([import('./check.ts'), import('./projects/check-files.ts')])
  return (argv, terminal) =>
    files.namesFiles(argv) ? files.runCheckFiles(argv, terminal) : runCheck(argv, terminal.out)
}

const usage = `perigee <command> [arguments]

${Array.from(summaries, ([name, summary]) => `  ${name.padEnd(16)}${summary}`).join('\n')}

Run "perigee <command> --help" for details. Settings are environment variables; docs/configuration.md lists them.
`

const exitCode = await runMain(process.argv.slice(2), { out: process.stdout, err: process.stderr })
await Promise.all([written(process.stdout), written(process.stderr)])
process.exit(exitCode)

/** What is too much for a pipe leaves when its reader takes it, so that an end at once would cut it off. */
async function written(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return
  await new Promise<void>((resolve) => {
    setTimeout(resolve, longestWriteMs)
    stream.once('error', () => resolve())
    stream.write('', () => resolve())
  })
}

/** Resolves to the exit code: 1 for a failure that is told in a line, 2 for a command line that makes no sense. */
async function runMain(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '', ...rest] = argv
  if (['--help', '-h', 'help'].includes(name)) return say(terminal.out, usage, 0)
  if (['--version', '-v'].includes(name)) return say(terminal.out, `${readRelease()}\n`, 0)
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load === undefined) {
    const problem = name === '' ? 'Name a command.' : `There is no command "${name}".`
    return say(terminal.err, `${problem}\n\n${usage}`, 2)
  }
  try {
    const run = await load()
    return await run(rest, terminal)
  } catch (error) {
    return explain(error, terminal)
  }
}

function explain(error: unknown, { err }: Terminal): number {
  if (error instanceof UsageError) return say(err, `${error.message}\n\n${error.usage}`, 2)
  const isTold = [StartError, ConfigError, AppError, OwnTrouble, ProjectError, ImportError].some(
    (kind) => error instanceof kind,
  )
  if (isTold && error instanceof Error) return say(err, `${error.message}\n`, 1)
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return say(err, `Perigee failed. This is a bug:\n${text}\n`, 1)
}

function say(to: Terminal['out'], text: string, code: number): number {
  to.write(text)
  return code
}

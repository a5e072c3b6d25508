import { AppError } from '#core/language/error.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { StartError } from '#store/database/start-error.ts'
import { ConfigError } from '#config/config.ts'
import { readRelease } from '#app/release.ts'
import { type ProcessRole, roles } from '#config/roles.ts'
import { type Command, type Terminal, UsageError } from './terminal.ts'

const commands: Readonly<Record<string, { summary: string; load: () => Promise<Command> }>> = {
  start: {
    summary: 'run the service; also watch the addresses that are given',
    load: async () => (await import('./start.ts')).runStart,
  },
  ...roleCommands(),
  check: {
    summary: 'check one target now, in the terminal',
    load: async () => {
      const { runCheck } = await import('./check.ts')
      return (argv, { out }) => runCheck(argv, out)
    },
  },
  pay: {
    summary: 'pay for a monitor at another Perigee, without an account there',
    load: async () => (await import('./pay.ts')).runPay,
  },
  slo: {
    summary: 'ask a service whether its objectives are met',
    load: async () => (await import('./slo.ts')).runSlo,
  },
  token: { summary: 'create, list and revoke API tokens', load: async () => (await import('./token.ts')).runToken },
  workspace: {
    summary: 'list, create, revoke and restore workspaces, change their plan',
    load: async () => (await import('./workspace.ts')).runWorkspace,
  },
  status: {
    summary: 'say how the service is: engines, locations, queues',
    load: async () => (await import('./status.ts')).runStatus,
  },
  migrate: {
    summary: 'bring the database up to this release',
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
}

/** For installations on more than one machine. */
function roleCommands(): Record<string, { summary: string; load: () => Promise<Command> }> {
  const summaries: Readonly<Record<ProcessRole, string>> = {
    api: 'run the API alone',
    engine: 'run schedule and evaluation alone',
    jobs: 'run alerts, mail and housekeeping alone',
    prober: 'run the checks of a location alone',
  }
  return Object.fromEntries(roles.map((role) => [role, { summary: summaries[role], load: () => loadRole(role) }]))
}

async function loadRole(role: ProcessRole): Promise<Command> {
  return (await import('./role.ts')).roleCommand(role)
}

const usage = `perigee <command> [arguments]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(11)}${summary}`)
  .join('\n')}

"perigee <command> --help" says more. Settings are environment variables; docs/configuration.md lists them.
`

process.exit(await runMain(process.argv.slice(2), { out: process.stdout, err: process.stderr }))

/** Resolves to the exit code: 1 for a failure that is told in a line, 2 for a command line that makes no sense. */
async function runMain(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '', ...rest] = argv
  if (['--help', '-h', 'help'].includes(name)) return say(terminal.out, usage, 0)
  if (['--version', '-v'].includes(name)) return say(terminal.out, `${readRelease()}\n`, 0)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const problem = name === '' ? 'Which command?' : `There is no command "${name}".`
    return say(terminal.err, `${problem}\n\n${usage}`, 2)
  }
  try {
    const run = await command.load()
    return await run(rest, terminal)
  } catch (error) {
    return explain(error, terminal)
  }
}

function explain(error: unknown, { err }: Terminal): number {
  if (error instanceof UsageError) return say(err, `${error.message}\n\n${error.usage}`, 2)
  const isTold = [StartError, ConfigError, AppError, OwnTrouble].some((kind) => error instanceof kind)
  if (isTold && error instanceof Error) return say(err, `${error.message}\n`, 1)
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return say(err, `Perigee failed, which is a bug:\n${text}\n`, 1)
}

function say(to: Terminal['out'], text: string, code: number): number {
  to.write(text)
  return code
}

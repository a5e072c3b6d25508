import type { Running } from '#app/app.ts'
import { type Config, readConfig } from '#config/config.ts'
import { createLog, type Log } from '#app/log.ts'
import type { PartCommand } from '#config/roles.ts'
import { StartError } from '#store/database/start-error.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { roleDefinition } from './definitions/running.ts'
import { runUntilStopped, untilStarted } from './run-until-stopped.ts'
import { listenForStop } from './stop-signals.ts'
import { type Command, UsageError } from './terminal.ts'

/** `perigee api`, `engine`, `jobs`, `prober` and `browser-prober`: one role in a process of its own, any number of each. */
export function roleCommand(role: PartCommand): Command {
  const usage = usageOf(roleDefinition(role))
  return async (argv, terminal) => {
    if (asksForHelp(argv)) {
      terminal.out.write(usage)
      return 0
    }
    if (readArguments(argv, {}, usage).positionals.length > 0)
      throw new UsageError(`${role} takes no arguments.`, usage)
    const config = readConfig()
    assertSpreadOut(config, role)
    const log = createLog({ level: config.logLevel })
    if (config.unknownVariables.length > 0)
      terminal.err.write(`Ignored, because this release does not know them: ${config.unknownVariables.join(', ')}\n`)
    const stopping = listenForStop()
    const running = await untilStarted(startRole({ config, log, role, signal: stopping.signal }), stopping)
    if (!stopping.signal.aborted) terminal.out.write(`Perigee's ${role} is at ${running.url}\n`)
    return runUntilStopped({ running, stopping, terminal, log })
  }
}

type Starting = { config: Config; log: Log; role: PartCommand; signal: AbortSignal }

/** Each loads what it runs, once its settings are known to be right: a prober needs a small part of the service. */
async function startRole({ config, log, role, signal }: Starting): Promise<Running> {
  if (role === 'prober') return (await import('#app/prober-app.ts')).startProberApp(config, log)
  if (role === 'browser-prober') return (await import('#app/prober-app.ts')).startProberApp(config, log, 'browser')
  return (await import('#app/app.ts')).startRoles(config, log, { roles: new Set([role]), signal })
}

/**
 * Roles in processes of their own meet in a database and a broker that all of them can reach. Links lead to the
 * installation, not to whichever process wrote them.
 */
function assertSpreadOut({ databaseUrl, nats, publicUrl }: Config, role: PartCommand): void {
  const missing = [
    ...(databaseUrl === null && role !== 'prober' && role !== 'browser-prober' ? ['PERIGEE_DATABASE_URL'] : []),
    ...(nats === null && role !== 'jobs' ? ['PERIGEE_NATS_URL'] : []),
    ...(publicUrl === null && (role === 'api' || role === 'jobs') ? ['PERIGEE_PUBLIC_URL'] : []),
  ]
  if (missing.length > 0)
    throw new StartError(
      `perigee ${role} needs ${missing.join(' and ')}; "perigee start" runs everything without them.`,
    )
}

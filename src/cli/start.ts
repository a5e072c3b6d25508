import { consoleLink } from '#core/people/person-mail.ts'
import { firstTokenHours } from '#core/people/token-format.ts'
import { setUpHours } from '#store/people/set-up-links.ts'
import type { App } from '#app/app.ts'
import { type Config, readConfig } from '#config/config.ts'
import { allRoles } from '#config/roles.ts'
import { createLog, type Log } from '#app/log.ts'
import { ownCommand } from '#app/release.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { startDefinition } from './definitions/running.ts'
import { runUntilStopped, untilStarted } from './run-until-stopped.ts'
import { type Stopping, listenForStop } from './stop-signals.ts'
import { type Terminal, UsageError } from './terminal.ts'

/** A terminal with more targets than these is no place to read them. */
const maxTargets = 20

const usage = usageOf(startDefinition)

export async function runStart(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(usage)
    return 0
  }
  const targets = readTargets(argv)
  const config = readConfig()
  const log = createLog({ level: config.logLevel })
  if (config.unknownVariables.length > 0)
    terminal.err.write(`Ignored, because this release does not know them: ${config.unknownVariables.join(', ')}\n`)
  const stopping = listenForStop()
  const app = await untilStarted(load(config, log, stopping.signal), stopping)
  if (!stopping.signal.aborted) terminal.out.write(welcome(app, config))
  const watching = watch({ app, targets, terminal, stopping, log })
  return runUntilStopped({ running: app, stopping, terminal, log, beside: watching })
}

/** A setting that is wrong is told before all this. Half of the service loads while the database comes up. */
async function load(config: Config, log: Log, signal: AbortSignal): Promise<App> {
  const { begin } = await import('#app/begin.ts')
  const begun = await begin({ config, log, roles: allRoles, signal })
  const { startApp } = await import('#app/app.ts').catch(async (error: unknown) => {
    await begun.end()
    throw error
  })
  return startApp(config, log, { signal, begun })
}

type Watching = { app: App; targets: string[]; terminal: Terminal; stopping: Stopping; log: Log }

/** Trouble with printing changes is no reason to stop watching over everything else. */
async function watch({ app, targets, terminal, stopping, log }: Watching): Promise<void> {
  const { services, workspaceId } = app
  try {
    const { watchTargets } = await import('./watch-targets.ts')
    await watchTargets(targets, { services, workspaceId, terminal }, stopping.signal)
  } catch (error) {
    if (stopping.signal.aborted) return
    terminal.err.write('Changes of state can no longer be printed. The service keeps running.\n')
    log.error('Changes of state can no longer be printed.', { error })
  }
}

function welcome({ url, firstToken, setUpToken, services }: App, { databaseUrl, dataFolder }: Config): string {
  const lines = [
    `Perigee is at ${url}`,
    databaseUrl === null ? `Its data is in ${dataFolder}` : 'Its data is in the database of PERIGEE_DATABASE_URL',
  ]
  if (setUpToken !== null)
    lines.push(
      `Create your account here (the link works once, for ${setUpHours} hours): ${setUpLink(services, setUpToken)}`,
    )
  if (firstToken !== null)
    lines.push(
      `API token with write scope, shown only once: ${firstToken}`,
      'Try it:',
      example(url, firstToken),
      `This token expires after ${firstTokenHours} hours. Create lasting ones in the console, or with: ${ownCommand()} token create --name scripts --scope write`,
    )
  return `${[...lines, 'Press Ctrl-C to stop.'].join('\n')}\n`
}

function setUpLink({ publicUrl }: App['services'], token: string): string {
  return consoleLink(publicUrl, 'set_up', { token })
}

function example(url: string, token: string): string {
  const body = '{"name": "Example", "kind": "http", "url": "https://example.com"}'
  return `  curl ${url}/api/v1/monitors -H 'X-API-Key: ${token}' -H 'Content-Type: application/json' -d '${body}'`
}

function readTargets(argv: readonly string[]): string[] {
  const { positionals } = readArguments(argv, {}, usage)
  for (const target of positionals)
    if (!URL.canParse(target) || !['http:', 'https:'].includes(new URL(target).protocol))
      throw new UsageError(`${JSON.stringify(target)} is not an address such as https://example.com.`, usage)
  if (positionals.length > maxTargets) throw new UsageError(`Give at most ${maxTargets} addresses.`, usage)
  return [...new Set(positionals)]
}

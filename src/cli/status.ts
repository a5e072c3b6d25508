import type { OperatorStatus } from '#core/operator-status.ts'
import { askForStatus } from '#app/ask-status.ts'
import { readDatabaseStatus } from '#app/process-status.ts'
import { type Config, readConfig } from '#config/config.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { statusDefinition } from './definitions/running.ts'
import { readDatabase } from './operator-database.ts'
import { statusText } from './status-text.ts'
import { paintFor } from './terminal/paint.ts'
import { type Terminal, UsageError } from './terminal.ts'

const usage = usageOf(statusDefinition)

export async function runStatus(argv: readonly string[], { out, err }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, statusDefinition.options, usage)
  if (positionals.length > 0) throw new UsageError('status takes no arguments.', usage)
  const config = readConfig()
  const status = (await askService(config, err)) ?? (await readDatabase(config, readDatabaseStatus))
  if (values.json === true) out.write(`${JSON.stringify(status, null, 2)}\n`)
  else out.write(statusText(status))
  for (const trouble of status.troubles) if (values.json !== true) err.write(`${paintFor(err)('red', trouble)}\n`)
  return status.troubles.length > 0 ? 1 : 0
}

/** A process that asks for another token is named on stderr. */
async function askService(config: Config, err: Terminal['err']): Promise<OperatorStatus | null> {
  const { status, refusing } = await askForStatus(config)
  for (const root of refusing)
    err.write(`${root} requires a token: set PERIGEE_METRICS_TOKEN, or set PERIGEE_DATA_DIR to its data folder.\n`)
  return status
}

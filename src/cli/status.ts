import { isIPv6 } from 'node:net'
import { type OperatorStatus, operatorStatusSchema } from '#core/operator-status.ts'
import { folderHolder } from '#store/embedded/data-folder.ts'
import { readOperatorToken } from '#store/embedded/operator-token.ts'
import { clusterExists } from '#store/embedded/embedded.ts'
import { readDatabaseStatus } from '#app/process-status.ts'
import { type Config, httpAddress, readConfig } from '#config/config.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { statusDefinition } from './definitions/running.ts'
import { readDatabase } from './operator-database.ts'
import { statusText } from './status-text.ts'
import { paintFor } from './terminal/paint.ts'
import { type Terminal, UsageError } from './terminal.ts'

const usage = usageOf(statusDefinition)

/** The endpoint itself waits up to 30 s for the database. */
const answerMs = 35_000

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

/**
 * Null when no process tells; one that asks for another token is named on stderr. A prober knows itself alone: where
 * there is a database, that knows more.
 */
async function askService(config: Config, err: Terminal['err']): Promise<OperatorStatus | null> {
  const refusing: string[] = []
  for (const { root, token } of asksOf(config)) {
    const status = await ask(root, token)
    if (status === 'refused') refusing.push(root)
    else if (status !== null && (status.cluster !== null || config.databaseUrl === null)) return status
  }
  for (const root of refusing)
    err.write(`${root} requires a token: set PERIGEE_METRICS_TOKEN, or set PERIGEE_DATA_DIR to its data folder.\n`)
  return null
}

type Ask = { root: string; token: string | null }

/** The token of the data folder is for processes on this machine, and is sent to no other. */
function asksOf(config: Config): Ask[] {
  const { publicUrl, metricsToken, dataFolder } = config
  const token = metricsToken ?? readOperatorToken(dataFolder)
  const near = nearRoots(config).map((root) => ({ root, token }))
  return [...near, ...(publicUrl === null ? [] : [{ root: publicUrl, token: metricsToken }])]
}

/** A service on the data folder that is named here is the one that is meant, whatever else listens at the usual port. */
function nearRoots({ host, port, dataFolder, databaseUrl }: Config): string[] {
  const near = port === 0 ? [] : [httpAddress(reachable(host), port)]
  if (databaseUrl !== null || !clusterExists(dataFolder)) return near
  const address = folderHolder(dataFolder)?.address ?? null
  return address === null ? [] : [address]
}

/** Where a process that listens at every address can be reached from this machine. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return isIPv6(host) && /^[0:]+$/.test(host) ? '::1' : host
}

async function ask(root: string, token: string | null): Promise<OperatorStatus | 'refused' | null> {
  try {
    const response = await fetch(`${root}/operator/status`, {
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(answerMs),
    })
    if (response.status === 401) return 'refused'
    if (!response.ok) return null
    const parsed = operatorStatusSchema.safeParse(await response.json())
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

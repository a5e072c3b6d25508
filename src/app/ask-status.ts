import { type OperatorStatus, operatorStatusSchema } from '#core/operator-status.ts'
import { type Config, httpAddress } from '#config/config.ts'
import { folderHolder } from '#store/embedded/data-folder.ts'
import { clusterExists } from '#store/embedded/embedded.ts'
import { readOperatorToken } from '#store/embedded/operator-token.ts'

/** The endpoint itself waits up to 30 s for the database. */
const usualAnswerMs = 35_000

export type AskedStatus = {
  /** Null when no process tells. */
  status: OperatorStatus | null
  /** Where no process tells: the addresses of those that ask for another token. */
  refusing: string[]
}

/** A prober knows itself alone: where there is a database, that knows more. */
export async function askForStatus(config: Config, answerMs: number = usualAnswerMs): Promise<AskedStatus> {
  const refusing: string[] = []
  for (const place of asksOf(config)) {
    const status = await ask(place, answerMs)
    if (status === 'refused') refusing.push(place.root)
    else if (status !== null && (status.cluster !== null || config.databaseUrl === null))
      return { status, refusing: [] }
  }
  return { status: null, refusing }
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
  return /^[0:]*:[0:]*$/.test(host) ? '::1' : host
}

async function ask({ root, token }: Ask, answerMs: number): Promise<OperatorStatus | 'refused' | null> {
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

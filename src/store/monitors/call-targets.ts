import type { MonitorSettings } from '#core/monitors/monitor.ts'
import type { Database } from '#store/database/database.ts'
import { gathered } from '#store/database/gathered.ts'
import { hashToken } from '#store/database/secrets.ts'
import { hashPath } from './imported-calls.ts'

/** What a call is for. `startedAt` is when its run said that it began. */
export type CallTarget = Pick<MonitorSettings, 'kind' | 'check_options' | 'keep_evidence'> & {
  monitorId: string
  monitorKey: string
  workspaceId: string
  version: number
  location: string
  isPaused: boolean
  startedAt: Date | null
  /** Whether its run has sent a log. */
  hasLog: boolean
}

type Find = (secret: string) => Promise<CallTarget | undefined>

/** By the secret part of the address, which is all that a caller has. Finds nothing where there is no such address. */
export function createTargetFinder(source: Pick<Database, 'planned'>): Find {
  return createFinder(source, { name: 'find_call_targets', hash: 'm.call_hash', hashOf: hashToken })
}

/** By the path of an address that was imported. */
export function createImportedTargetFinder(source: Pick<Database, 'planned'>): Find {
  return createFinder(source, {
    name: 'find_imported_call_targets',
    join: 'join imported_calls c on c.monitor_id = m.id',
    hash: 'c.path_hash',
    hashOf: hashPath,
  })
}

type Addresses = { name: string; join?: string; hash: string; hashOf: (secret: string) => Buffer }

type TargetRow = {
  hash: Buffer
  id: string
  key: string
  workspace_id: string
  version: number
  kind: MonitorSettings['kind']
  check_options: MonitorSettings['check_options']
  keep_evidence: boolean
  location: string
  status: string
  call_started_at: Date | null
  has_log: boolean
}

/** Calls come at the same second of the minute: those of one turn of the event loop are looked up by one statement. */
function createFinder({ planned }: Pick<Database, 'planned'>, { name, join = '', hash, hashOf }: Addresses): Find {
  const text = `
select
  ${hash} as hash, m.id, m.key, m.workspace_id, m.version, m.kind, m.check_options, m.keep_evidence,
  m.locations[1] as location, m.status, s.call_started_at, s.run_log is not null as has_log
from monitors m
join monitor_state s on s.monitor_key = m.key
${join}
where ${hash} = any($1::bytea[])`
  const find = gathered(async (hashes) => {
    const wanted = hashes.map((known) => Buffer.from(known, 'base64'))
    const { rows } = await planned.query<TargetRow>({ name, text, values: [wanted] })
    return new Map(rows.map((row) => [row.hash.toString('base64'), toTarget(row)]))
  })
  return (secret) => find(hashOf(secret).toString('base64'))
}

function toTarget(row: TargetRow): CallTarget {
  return {
    monitorId: row.id,
    monitorKey: row.key,
    workspaceId: row.workspace_id,
    version: row.version,
    kind: row.kind,
    check_options: row.check_options,
    keep_evidence: row.keep_evidence,
    location: row.location,
    isPaused: row.status === 'paused',
    startedAt: row.call_started_at,
    hasLog: row.has_log,
  }
}

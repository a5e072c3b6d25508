import type { KindName } from '#core/monitors/kind-traits.ts'
import { hashToken } from '#store/database/secrets.ts'
import type { Transaction } from '#store/database/database.ts'

/** Of one monitor: its push address there, or its address by id and the one by name, some times over. */
export const maxImportedCalls = 10

/** What is kept of a path. */
export function hashPath(path: string): Buffer {
  return hashToken(path)
}

/** The kinds of those of the monitors that the workspace has, which stay until the transaction ends. */
export async function listKinds(
  { client }: Transaction,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, KindName>> {
  const { rows } = await client.query<{ id: string; kind: KindName }>(kindsStatement, [workspaceId, ids])
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

export type ImportedCall = { path: string; monitorId: string }

/**
 * Has the paths lead to these monitors of the workspace, no path being among them twice. Returns the paths that lead to
 * monitors of others, which stay as they were.
 */
export async function setImportedCalls(
  { client }: Transaction,
  { workspaceId, calls }: { workspaceId: string; calls: readonly ImportedCall[] },
): Promise<ReadonlySet<string>> {
  const hashes = calls.map(({ path }) => hashPath(path))
  const { rows } = await client.query<{ path_hash: Buffer }>(setStatement, [
    workspaceId,
    hashes,
    calls.map(({ monitorId }) => monitorId),
  ])
  const kept = new Set(rows.map(({ path_hash: hash }) => hash.toString('hex')))
  return new Set(calls.flatMap(({ path }, at) => (kept.has(hashes[at]?.toString('hex') ?? '') ? [] : [path])))
}

/** Has the paths lead nowhere, as far as they lead to monitors of the workspace. */
export async function forgetImportedPaths(
  { client }: Transaction,
  { workspaceId, paths }: { workspaceId: string; paths: readonly string[] },
): Promise<void> {
  await client.query(forgetPathsStatement, [workspaceId, paths.map(hashPath)])
}

/** Has all that lead to the monitor lead nowhere. */
export async function forgetImportedCalls({ client }: Transaction, monitorId: string): Promise<void> {
  await client.query('delete from imported_calls where monitor_id = $1', [monitorId])
}

/** Those of the monitors that have more than may lead to one. */
export async function listOverCalled({ client }: Transaction, monitorIds: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ monitor_id: string }>(overStatement, [monitorIds, maxImportedCalls])
  return rows.map(({ monitor_id: id }) => id)
}

const kindsStatement = `
select id, kind
from monitors
where workspace_id = $1
  and id = any($2::uuid[])
order by id
for key share`

// In the order of the digests, so that two requests with the same paths wait for each other.
const setStatement = `
insert into imported_calls as kept (path_hash, monitor_id)
select given.hash, given.id
from unnest($2::bytea[], $3::uuid[]) as given (hash, id)
order by given.hash
on conflict (path_hash) do update
set monitor_id = excluded.monitor_id
where exists (select from monitors m where m.id = kept.monitor_id and m.workspace_id = $1)
returning path_hash`

const forgetPathsStatement = `
delete from imported_calls c
using monitors m
where m.id = c.monitor_id
  and m.workspace_id = $1
  and c.path_hash = any($2::bytea[])`

const overStatement = `
select monitor_id
from imported_calls
where monitor_id = any($1::uuid[])
group by monitor_id
having count(*) > $2
order by monitor_id`

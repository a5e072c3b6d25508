// Imports of a workspace, each with what it makes.
import {
  importContentDays,
  importDays,
  type ImportState,
  maxImports,
  maxToldSteps,
  type StepState,
  type ToldStep,
} from '#core/imports/import-record.ts'
import type { ImportSource } from '#core/imports/import-source.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database, Transaction } from '#store/database/database.ts'

export type StoredImport = {
  id: string
  workspaceId: string
  source: ImportSource
  project: string
  fileName: string
  actorName: string
  state: ImportState
  createdAt: Date
  /** How many of its steps are in each state. */
  counts: Readonly<Partial<Record<StepState, number>>>
}

type Pool = Pick<Database, 'pool'>

/** The newest first; with `id` that one alone. */
export async function listImports(
  { pool }: Pool,
  { workspaceId, id = null }: { workspaceId: string; id?: string | null },
): Promise<StoredImport[]> {
  const { rows } = await pool.query<StoredImport>(listStatement, [workspaceId, id, maxImports])
  return rows
}

export async function findImport(pool: Pool, which: { workspaceId: string; id: string }): Promise<StoredImport | null> {
  const [found] = await listImports(pool, which)
  return found ?? null
}

/** What there is to tell of steps, in their order. */
export async function listToldSteps({ pool }: Pool, importId: string): Promise<ToldStep[]> {
  const { rows } = await pool.query<ToldStep>(toldStatement, [importId, maxToldSteps])
  return rows
}

export type NewImport = Omit<StoredImport, 'counts' | 'state'>

/** Under the lock of the workspace. False where one of the project is under way, or too many are. */
export async function insertImport({ client }: Transaction, made: NewImport): Promise<boolean> {
  const { id, workspaceId, source, project, fileName, actorName, createdAt } = made
  await client.query(makeRoomStatement, [workspaceId, maxImports - 1])
  const { rowCount } = await client.query(insertStatement, [
    id,
    workspaceId,
    source,
    project,
    fileName,
    actorName,
    createdAt,
    maxImports,
  ])
  return rowCount === 1
}

/** For how long one request may work on an import before another one may. */
const holdMs = 60_000

/** False where another request is working on it, or where it is in another state. */
export async function holdImport(
  { pool }: Pool,
  { id, states, now }: { id: string; states: readonly ImportState[]; now: Date },
): Promise<boolean> {
  const until = new Date(now.getTime() + holdMs)
  const { rowCount } = await pool.query(holdStatement, [id, states, now, until])
  return rowCount === 1
}

/** Ends the hold. The import becomes what it is by its steps: one without anything to do is over. */
export async function releaseImport({ pool }: Pool, { id, now }: { id: string; now: Date }): Promise<void> {
  await pool.query(releaseStatement, [id, now])
}

/** Within a hold. */
export async function setImportState({ client }: Transaction, id: string, state: ImportState): Promise<void> {
  await client.query('update imports set state = $2 where id = $1', [id, state])
}

/** Forgets what is still to be made of imports that nobody went on with, and old imports; returns how many there were. */
export async function forgetImports({ pool }: Pool, now: Date): Promise<number> {
  const ago = (days: number): Date => new Date(now.getTime() - days * dayMs)
  const { rowCount: idle } = await pool.query(idleStatement, [ago(importContentDays)])
  await pool.query(closeStatement, [ago(importContentDays)])
  const { rowCount: old } = await pool.query(oldStatement, [ago(importDays)])
  return (idle ?? 0) + (old ?? 0)
}

const listStatement = `
select
  i.id, i.workspace_id as "workspaceId", i.source, i.project, i.file_name as "fileName",
  i.actor_name as "actorName", i.state, i.created_at as "createdAt",
  (
    select coalesce(json_object_agg(s.state, s.steps), '{}')
    from (select state, count(*)::integer as steps from import_steps where import_id = i.id group by state) as s
  ) as counts
from imports as i
where i.workspace_id = $1
  and ($2::uuid is null or i.id = $2)
order by i.created_at desc, i.id
limit $3`

const toldStatement = `
select section, key, name, state, problem
from import_steps
where import_id = $1
  and problem is not null
order by position
limit $2`

const makeRoomStatement = `
delete from imports
where id in (
  select id
  from imports
  where workspace_id = $1
    and state in ('done', 'undone')
  order by created_at desc, id
  offset $2
)`

const insertStatement = `
insert into imports (id, workspace_id, source, project, file_name, actor_name, state, created_at, changed_at)
select $1, $2, $3, $4, $5, $6, 'open', $7, $7
where not exists (
  select from imports where workspace_id = $2 and project = $4 and state in ('open', 'undoing')
)
and (select count(*) from imports where workspace_id = $2) < $8`

const holdStatement = `
update imports
set held_until = $4, changed_at = $3
where id = $1
  and state = any($2)
  and (held_until is null or held_until < $3)`

const releaseStatement = `
update imports
set
  held_until = null,
  changed_at = $2,
  state = case
    when state = 'open' and not exists (
      select from import_steps where import_id = $1 and state in ('waiting', 'begun')
    ) then 'done'
    when state = 'undoing' and not exists (
      select from import_steps where import_id = $1 and state = 'leaving'
    ) then 'undone'
    else state
  end
where id = $1`

const idleStatement = `
update import_steps
set
  content = null,
  state = case when state in ('waiting', 'begun') then 'failed' else state end,
  problem = coalesce(problem, 'It was not made within ${importContentDays} days.')
where content is not null
  and import_id in (
    select id
    from imports
    where changed_at < $1
      and exists (select from import_steps as s where s.import_id = imports.id and s.content is not null)
    order by changed_at
    limit 20
  )`

const closeStatement = `
update imports
set state = 'done'
where state = 'open'
  and changed_at < $1
  and not exists (select from import_steps where import_id = imports.id and content is not null)`

const oldStatement = `
delete from imports
where id in (select id from imports where changed_at < $1 order by changed_at limit 20)`

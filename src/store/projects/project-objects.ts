import { type Section, sections } from '#core/projects/entries.ts'
import { type Database, preparedOn, type Transaction } from '#store/database/database.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'

/** An object belongs to one project at most. */
export type ProjectObject = {
  project: string
  section: Section
  key: string
  id: string
  /** Since when it stands in the files no more; null while it does. */
  prunedAt: Date | null
}

/** Those of objects that are gone are among them. Bounded by the objects that a workspace has, or had a while ago. */
export async function listProjectObjects(
  source: Database | Transaction,
  workspaceId: string,
): Promise<ProjectObject[]> {
  const { rows } = await preparedOn(source).query<ProjectObject>({
    name: 'list_project_objects',
    text: listStatement,
    values: [workspaceId],
  })
  return rows
}

/** Forgets what is gone, and returns the rest. Such changes of one workspace take turns until the transaction ends. */
export async function holdProjectObjects(tx: Transaction, workspaceId: string): Promise<ProjectObject[]> {
  await lockWorkspace(tx, workspaceId)
  await forgetGone(tx, workspaceId)
  return listProjectObjects(tx, workspaceId)
}

/** Only under the lock of the workspace. */
export async function forgetGone({ client }: Transaction, workspaceId: string): Promise<void> {
  await client.query(forgetStatement, [workspaceId])
}

/** The ids among these that the workspace has, with their sections. */
export async function findObjects(
  { client }: Transaction,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<ReadonlyMap<string, Section>> {
  const { rows } = await client.query<{ id: string; section: Section }>(findStatement, [workspaceId, ids])
  return new Map(rows.map(({ id, section }) => [id, section]))
}

type Keyed = { section: Section; key: string; id: string | null; prunedAt: Date | null }

/** Only under `holdProjectObjects`. A key stands for its new object alone; without one it stands for nothing. */
export async function setProjectObjects(
  { client }: Transaction,
  { workspaceId, project, objects }: { workspaceId: string; project: string; objects: readonly Keyed[] },
): Promise<void> {
  const named = objects.map(({ section }) => section)
  const keys = objects.map(({ key }) => key)
  const ids = objects.map(({ id }) => id)
  await client.query(removeStatement, [workspaceId, project, named, keys, ids])
  const prunedAts = objects.map(({ prunedAt }) => prunedAt)
  await client.query(insertStatement, [workspaceId, project, named, keys, ids, prunedAts])
}

const tables: Readonly<Record<Section, string>> = {
  contacts: 'alert_channels',
  on_call_schedules: 'on_call_schedules',
  escalation_policies: 'escalation_policies',
  monitors: 'monitors',
  status_pages: 'status_pages',
  maintenance: 'maintenance_windows',
  objectives: 'slos',
  reports: 'reports',
}

const objects = sections
  .map((section) => `select '${section}' as section, id from ${tables[section]} where workspace_id = $1`)
  .join('\nunion all\n')

const listStatement = `
select project, section, key, object_id as id, pruned_at as "prunedAt"
from project_objects
where workspace_id = $1
order by project, section, key`

const findStatement = `
select section, id
from (${objects}) as present
where id = any($2::uuid[])`

const forgetStatement = `
delete from project_objects
where workspace_id = $1
  and object_id not in (select id from (${objects}) as present)`

const removeStatement = `
delete from project_objects
where workspace_id = $1
  and (
    (project = $2 and (section, key) in (select * from unnest($3::text[], $4::text[])))
    or object_id = any($5::uuid[])
  )`

const insertStatement = `
insert into project_objects (workspace_id, project, section, key, object_id, pruned_at)
select $1, $2, given.section, given.key, given.id, given.pruned_at
from unnest($3::text[], $4::text[], $5::uuid[], $6::timestamptz[]) as given (section, key, id, pruned_at)
where given.id is not null`

// What an import makes, one thing after the other.
import type { StepState } from '#core/imports/import-record.ts'
import type { Section } from '#core/projects/entries.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

export type NewStep = {
  section: Section
  key: string
  name: string
  /** What is to be made; null for what is there already. */
  content: string | null
  objectId: string | null
}

export type Step = Omit<NewStep, 'content'> & {
  position: number
  state: StepState
  /** Signatures of the fields that it had when it had been made, by their names; null until it is known. */
  noted: Readonly<Record<string, string>> | null
}

type Pool = Pick<Database, 'pool'>

/** Some have years of days with them, which take a while to seal. */
const insertAtOnce = 50

export async function insertSteps(
  { client }: Transaction,
  secrets: Secrets,
  { importId, steps }: { importId: string; steps: readonly NewStep[] },
): Promise<void> {
  for (let at = 0; at < steps.length; at += insertAtOnce) {
    const part = steps.slice(at, at + insertAtOnce)
    await client.query(insertStatement, [
      importId,
      at,
      part.map(({ section }) => section),
      part.map(({ key }) => key),
      part.map(({ name }) => name),
      part.map(({ content, objectId }) => (content === null && objectId !== null ? 'present' : 'waiting')),
      part.map(({ content }, index) =>
        content === null ? null : secrets.encrypt(content, placeOf(importId, at + index)),
      ),
      part.map(({ objectId }) => objectId),
    ])
  }
}

/** Those in one of these states, in their order or against it. */
export async function listSteps({ pool }: Pool, { importId, states, order, limit }: ListedSteps): Promise<Step[]> {
  const { rows } = await pool.query<Step>(order === 'first' ? firstStatement : lastStatement, [importId, states, limit])
  return rows
}

export type ListedSteps = { importId: string; states: readonly StepState[]; order: 'first' | 'last'; limit: number }

/** What is to be made; null where that is not known any more. */
export async function openStep(
  { pool }: Pool,
  secrets: Secrets,
  { importId, position }: StepKey,
): Promise<string | null> {
  const { rows } = await pool.query<{ content: Buffer | null }>(contentStatement, [importId, position])
  const sealed = rows[0]?.content ?? null
  return sealed === null ? null : secrets.decrypt(sealed, placeOf(importId, position))
}

/** The objects of those of the steps with these names that have one, by their names. */
export async function findStepObjects(
  { pool }: Pool,
  { importId, names }: { importId: string; names: readonly { section: Section; key: string }[] },
): Promise<{ section: Section; key: string; id: string }[]> {
  const sections = names.map(({ section }) => section)
  const keys = names.map(({ key }) => key)
  const { rows } = await pool.query<{ section: Section; key: string; id: string }>(objectsStatement, [
    importId,
    sections,
    keys,
  ])
  return rows
}

export type StepKey = { importId: string; position: number }

export type StepChange = {
  state: StepState
  objectId?: string | null
  noted?: Readonly<Record<string, string>> | null
  problem?: string | null
}

/** What is made or given up for good keeps nothing of what was to be made. */
export async function setStep(
  { pool }: Pool,
  { importId, position }: StepKey,
  { state, objectId = null, noted = null, problem = null }: StepChange,
): Promise<void> {
  const isOver = state !== 'waiting' && state !== 'begun' && state !== 'failed'
  await pool.query(setStatement, [importId, position, state, objectId, noted, problem, isOver])
}

/** Has those that could not be made wait again, as far as it is known what they were to be. */
export async function retrySteps({ client }: Transaction, importId: string): Promise<number> {
  const { rowCount } = await client.query(retryStatement, [importId])
  return rowCount ?? 0
}

export type Leaving = { leaving: readonly number[]; gone: readonly number[]; kept: ReadonlyMap<number, string> }

/** What is to be removed, what is there no more, and what stays, with the reason. The rest is made no more. */
export async function markLeaving(
  { client }: Transaction,
  importId: string,
  { leaving, gone, kept }: Leaving,
): Promise<void> {
  await client.query(giveUpStatement, [importId])
  const rows = [
    ...leaving.map((position) => ({ position, state: 'leaving', problem: null })),
    ...gone.map((position) => ({ position, state: 'removed', problem: null })),
    ...[...kept].map(([position, problem]) => ({ position, state: 'kept', problem })),
  ]
  await client.query(markStatement, [
    importId,
    rows.map(({ position }) => position),
    rows.map(({ state }) => state),
    rows.map(({ problem }) => problem),
  ])
}

function placeOf(importId: string, position: number): Place {
  return { column: 'import_steps.content', id: `${importId} ${position}` }
}

const insertStatement = `
insert into import_steps (import_id, position, section, key, name, state, content, object_id)
select $1, $2 + given.number - 1, given.section, given.key, given.name, given.state, given.content, given.object_id
from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::uuid[]) with ordinality
  as given (section, key, name, state, content, object_id, number)`

const chosen = `
select position, section, key, name, state, object_id as "objectId", noted
from import_steps
where import_id = $1
  and state = any($2)`

const firstStatement = `${chosen}
order by position
limit $3`

const lastStatement = `${chosen}
order by position desc
limit $3`

const contentStatement = `
select content
from import_steps
where import_id = $1
  and position = $2`

const objectsStatement = `
select s.section, s.key, s.object_id as id
from import_steps as s
join unnest($2::text[], $3::text[]) as named (section, key) using (section, key)
where s.import_id = $1
  and s.object_id is not null`

const setStatement = `
update import_steps
set
  state = $3,
  object_id = coalesce($4, object_id),
  noted = coalesce($5, noted),
  problem = $6,
  content = case when $7 then null else content end
where import_id = $1
  and position = $2`

const retryStatement = `
update import_steps
set state = 'waiting', problem = null
where import_id = $1
  and state = 'failed'
  and content is not null`

const giveUpStatement = `
update import_steps
set content = null, state = case when state = 'waiting' then 'failed' else state end
where import_id = $1`

const markStatement = `
update import_steps
set state = given.state, problem = given.problem
from unnest($2::integer[], $3::text[], $4::text[]) as given (position, state, problem)
where import_id = $1
  and import_steps.position = given.position`

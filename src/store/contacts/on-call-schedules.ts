import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fail } from '#core/language/error.ts'
import { type OnCallLayer, maxSchedules, storedLayersSchema } from '#core/contacts/on-call-schedule.ts'
import type { OnCallSchedule } from '#core/contacts/on-call-shifts.ts'
import { holdContacts } from './hold-contacts.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

/** A schedule with all that decides who is on call, as the functions of core/contacts/on-call-shifts.ts take it. */
export type StoredSchedule = OnCallSchedule & {
  id: string
  workspaceId: string
  name: string
  layers: OnCallLayer[]
  hasCalendar: boolean
  createdAt: Date
  /** When it or an override last changed. */
  changedAt: Date
}

type Which = { workspaceId: string; id?: string } | { calendarHash: Buffer }

/** By name; with `id` that one alone. */
export async function listSchedules({ query }: Reader, which: Which): Promise<StoredSchedule[]> {
  let schedules = query.selectFrom('on_call_schedules as s').selectAll('s')
  if ('calendarHash' in which)
    schedules = schedules
      .where('s.calendar_hash', '=', which.calendarHash)
      .where(sql<boolean>`exists (select from workspaces w where w.id = s.workspace_id and w.closed_at is null)`)
  else schedules = schedules.where('s.workspace_id', '=', which.workspaceId)
  if ('id' in which && which.id !== undefined) schedules = schedules.where('s.id', '=', which.id)
  const rows = await schedules
    .select([
      sql<[layer: number, contactId: string][]>`(
        select coalesce(jsonb_agg(jsonb_build_array(p.layer, p.alert_channel_id) order by p.layer, p.position), '[]')
        from on_call_participants p
        where p.schedule_id = s.id
      )`.as('participants'),
      sql<[id: string, starts: number, ends: number, contactId: string | null][]>`(
        select coalesce(
          jsonb_agg(
            jsonb_build_array(
              o.id,
              extract(epoch from o.starts_at) * 1000,
              extract(epoch from o.ends_at) * 1000,
              o.alert_channel_id
            )
            order by o.created_at, o.id
          ),
          '[]'
        )
        from on_call_overrides o
        where o.schedule_id = s.id
      )`.as('overrides'),
    ])
    .orderBy('s.name')
    .orderBy('s.id')
    .limit(maxSchedules)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    timeZone: row.time_zone,
    layers: withParticipants(storedLayersSchema.parse(row.layers), row.participants),
    overrides: row.overrides.map(([id, starts, ends, contactId]) => ({
      id,
      startsAt: new Date(starts),
      endsAt: new Date(ends),
      contactId,
    })),
    hasCalendar: row.calendar_hash !== null,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }))
}

function withParticipants(layers: OnCallLayer[], participants: readonly [layer: number, contactId: string][]) {
  for (const [layer, contactId] of participants) layers[layer]?.participants.push(contactId)
  return layers
}

/** Null when the workspace has no such schedule. */
export async function findSchedule(
  reader: Reader,
  of: { workspaceId: string; id: string },
): Promise<StoredSchedule | null> {
  const [found] = await listSchedules(reader, of)
  return found ?? null
}

type Settings = { name: string; timeZone: string; layers: readonly OnCallLayer[] }

/** Refuses with `limit_reached`. The participants are the caller's next step, in the same transaction. */
export async function insertSchedule(
  tx: Transaction,
  { workspaceId, settings, now }: { workspaceId: string; settings: Settings; now: Date },
): Promise<string> {
  await lockWorkspace(tx, workspaceId)
  await assertOpen(tx, workspaceId)
  const { count } = await tx.query
    .selectFrom('on_call_schedules')
    .select((columns) => columns.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxSchedules)
    throw fail('limit_reached', `A workspace can have at most ${maxSchedules} on-call schedules. Delete one first.`)
  const id = randomUUID()
  const { name, timeZone, layers } = settings
  await tx.query
    .insertInto('on_call_schedules')
    .values({
      id,
      workspace_id: workspaceId,
      name,
      time_zone: timeZone,
      layers: layersText(layers),
      created_at: now,
      changed_at: now,
    })
    .execute()
  return id
}

/** False when it is gone. Changes of one schedule take turns. */
export async function updateSchedule(
  tx: Transaction,
  { id, settings, now }: { id: string; settings: Partial<Settings>; now: Date },
): Promise<boolean> {
  const { name, timeZone, layers } = settings
  const changed = await tx.query
    .updateTable('on_call_schedules')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
      ...(layers === undefined ? {} : { layers: layersText(layers) }),
      changed_at: now,
    })
    .where('id', '=', id)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Participants are rows of their own. */
function layersText(layers: readonly OnCallLayer[]): string {
  return JSON.stringify(layers.map(({ participants: _participants, ...layer }) => ({ participants: [], ...layer })))
}

export async function deleteSchedule({ query }: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await query.deleteFrom('on_call_schedules').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Makes these the participants of all layers; returns where contacts are that the workspace does not have. */
export async function setParticipants(
  tx: Transaction,
  { workspaceId, id, layers }: { workspaceId: string; id: string; layers: readonly OnCallLayer[] },
): Promise<{ layer: number; position: number }[]> {
  const rows = layers.flatMap(({ participants }, layer) =>
    participants.map((contactId, position) => ({ schedule_id: id, layer, position, alert_channel_id: contactId })),
  )
  const ids = [...new Set(rows.map((row) => row.alert_channel_id))]
  const known = new Set(await holdContacts(tx, workspaceId, ids))
  const unknown = rows.filter((row) => !known.has(row.alert_channel_id))
  if (unknown.length > 0) return unknown.map(({ layer, position }) => ({ layer, position }))
  await tx.query.deleteFrom('on_call_participants').where('schedule_id', '=', id).execute()
  if (rows.length > 0) await tx.query.insertInto('on_call_participants').values(rows).execute()
  return []
}

/** Which of these are schedules of the workspace; none of them goes before the transaction has written what names it. */
export async function holdSchedules(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx.query
    .selectFrom('on_call_schedules')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}

import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import {
  type MaintenanceInput,
  type MaintenanceRecord,
  maintenanceInputSchema,
  type MaintenancePlan,
  maintenancePlanSchema,
  maintenanceSchema,
  maxWindows,
  type Occurrence,
  occurrenceSchema,
  occurrencesOf,
  planAheadMs,
} from '#core/maintenance.ts'
import type { Transaction } from '#store/database/database.ts'
import { endOccurrence, planAnew } from '#store/maintenance/maintenance-plan.ts'
import {
  deleteMaintenance,
  findMaintenance,
  insertMaintenance,
  listMaintenance,
  setMaintenanceMonitors,
  type StoredMaintenance,
  updateMaintenance,
} from '#store/maintenance/maintenance.ts'
import { assertNamesMonitors } from '#operations/workspaces/assert-claimed.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const forPrograms = {
  tag: 'Status pages and maintenance',
  surface: 'programs',
  subject: 'maintenance_window',
} as const
const body = { schema: maintenanceInputSchema, isRequired: true, schemaName: 'MaintenanceInput' } as const
const one = z.strictObject({ data: maintenanceSchema })

const list = defineOperation({
  ...forPrograms,
  name: 'list_maintenance_windows',
  method: 'GET',
  path: '/maintenance-windows',
  scope: 'read',
  summary: 'List the maintenance windows of the workspace, newest first',
  errors: [401],
  success: { status: 200, description: 'Windows.', schema: z.strictObject({ data: z.array(maintenanceSchema) }) },
  run: async ({ caller: { workspaceId }, services, now }) => {
    const windows = await listMaintenance(services.database, { workspaceId, now })
    return { status: 200, body: { data: windows.map((window) => toMaintenanceRecord(window, now)) } }
  },
})

const create = defineOperation({
  ...forPrograms,
  name: 'create_maintenance_window',
  method: 'POST',
  path: '/maintenance-windows',
  scope: 'write',
  summary: 'Plan maintenance: checks continue, alerts rest',
  description: `An incident that begins in it and outlasts it is alerted when it ends. A workspace has at most ${maxWindows}.`,
  body,
  makes: 'maintenance',
  errors: [401, 403, 422],
  success: { status: 201, description: 'The window.', schema: one },
  run: async ({ caller: { workspaceId }, services, now, noteChange }, { body: input }) => {
    const plannedUntil = new Date(now.getTime() + planAheadMs)
    const occurrences = plan(input, now)
    if (
      input.schedule.type === 'once' &&
      occurrences.length === 0 &&
      Date.parse(input.schedule.ends_at) <= now.getTime()
    )
      throw invalidFields({ 'schedule.ends_at': ['Must be in the future.'] })
    const id = await services.database.transaction(async (tx) => {
      const made = await insertMaintenance(tx, { workspaceId, input, plannedUntil, now })
      await setMonitors(tx, { workspaceId, key: made.key, input })
      await planAnew(tx, { key: made.key, occurrences, now })
      noteChange({ id: made.id })
      return made.id
    })
    return { status: 201, body: { data: await read(services, { workspaceId, id, now }) } }
  },
})

const update = defineOperation({
  ...forPrograms,
  name: 'update_maintenance_window',
  method: 'PUT',
  path: '/maintenance-windows/{id}',
  scope: 'write',
  summary: 'Change maintenance; an ongoing time that is no longer planned ends',
  body,
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The window.', schema: one },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services, now }, { body: input, target: { id, key, schedule, timeZone } }) => {
    const isReplanned = !isDeepStrictEqual(schedule, input.schedule) || timeZone !== input.time_zone
    await services.database.transaction(async (tx) => {
      if (!(await updateMaintenance(tx, { key, input }))) throw gone()
      await setMonitors(tx, { workspaceId, key, input })
      if (isReplanned) await planAnew(tx, { key, occurrences: plan(input, now), now })
    })
    return { status: 200, body: { data: await read(services, { workspaceId, id, now }) } }
  },
})

const remove = defineOperation({
  ...forPrograms,
  name: 'delete_maintenance_window',
  method: 'DELETE',
  path: '/maintenance-windows/{id}',
  scope: 'write',
  summary: 'Delete maintenance, and end it if it is ongoing',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The maintenance was deleted.' },
  find: findTarget,
  run: async ({ services }, { target }) => {
    await services.database.transaction((tx) => deleteMaintenance(tx, target.key))
    return { status: 204, body: undefined }
  },
})

const end = defineOperation({
  ...forPrograms,
  name: 'end_maintenance',
  method: 'POST',
  path: '/maintenance-windows/{id}/end',
  scope: 'write',
  summary: 'End ongoing maintenance early; later times stay planned',
  errors: [401, 403, 404],
  success: { status: 200, description: 'The window.', schema: one },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services, now, noteChange }, { target: { id, key } }) => {
    await services.database.transaction(async (tx) => {
      if (!(await endOccurrence(tx, { key, now }))) noteChange('nothing')
    })
    return { status: 200, body: { data: await read(services, { workspaceId, id, now }) } }
  },
})

const shownTimes = 5

const preview = defineOperation({
  ...forPrograms,
  tag: 'Console',
  surface: 'console',
  name: 'preview_maintenance',
  method: 'POST',
  path: '/maintenance-windows/preview',
  scope: 'write',
  changesNothing: true,
  summary: `Preview the next times of a schedule, at most ${shownTimes} within five weeks`,
  body: { schema: maintenancePlanSchema, isRequired: true, schemaName: 'MaintenancePlan' },
  errors: [401, 403, 422],
  success: { status: 200, description: 'Times.', schema: z.strictObject({ data: z.array(occurrenceSchema) }) },
  run: async ({ now }, { body: asked }) => {
    return { status: 200, body: { data: plan(asked, now).slice(0, shownTimes).map(timesOf) } }
  },
})

export const maintenanceOperations = [list, create, update, remove, end, preview]

type Window = { workspaceId: string; id: string; now: Date }

async function findTarget({ caller, services, now }: Context, { id = '' }: Record<string, string>) {
  const found = await findMaintenance(services.database, { workspaceId: caller.workspaceId, id, now })
  if (found === null) throw gone()
  return found
}

async function read({ database }: Context['services'], window: Window): Promise<MaintenanceRecord> {
  const found = await findMaintenance(database, window)
  if (found === null) throw gone()
  return toMaintenanceRecord(found, window.now)
}

async function setMonitors(
  tx: Transaction,
  { workspaceId, key, input }: { workspaceId: string; key: string; input: MaintenanceInput },
): Promise<void> {
  if (input.monitor_ids === null || input.monitor_tags.length > 0)
    await assertNamesMonitors(tx, workspaceId, 'Windows for all monitors, or for those with a tag,')
  const ids = [...new Set(input.monitor_ids)]
  const unknown = await setMaintenanceMonitors(tx, { workspaceId, key, ids })
  if (unknown.length > 0) throw invalidFields({ monitor_ids: [`There is no monitor ${unknown[0]} in this workspace.`] })
}

function plan({ schedule, time_zone: timeZone }: MaintenancePlan, now: Date): Occurrence[] {
  return occurrencesOf(schedule, { timeZone, from: now, until: new Date(now.getTime() + planAheadMs) })
}

export function toMaintenanceRecord(window: StoredMaintenance, now: Date): MaintenanceRecord {
  const shown = window.occurrences.map((occurrence) => ({ ...occurrence, isCurrent: occurrence.startsAt <= now }))
  const current = shown.find(({ isCurrent }) => isCurrent)
  return {
    id: window.id,
    name: window.name,
    description: window.description,
    schedule: window.schedule,
    time_zone: window.timeZone,
    monitor_ids: window.monitorIds,
    monitor_tags: window.monitorTags,
    excludes_uptime: window.excludesUptime,
    tags: window.tags,
    current: current === undefined ? null : timesOf(current),
    next: shown
      .filter(({ isCurrent }) => !isCurrent)
      .slice(0, 3)
      .map(timesOf),
    created_at: window.createdAt.toISOString(),
  }
}

function timesOf({ startsAt, endsAt }: Occurrence): { starts_at: string; ends_at: string } {
  return { starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString() }
}

function gone() {
  return fail('not_found', 'There is no such maintenance window in this workspace.')
}

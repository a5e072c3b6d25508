import type { MaintenanceInput, MaintenancePlan, MaintenanceRecord, OccurrenceRecord } from '#core/maintenance.ts'
import { api } from './console.ts'

export type { MaintenanceInput, MaintenanceRecord, OccurrenceRecord }
export type Schedule = MaintenanceInput['schedule']

/** Requests about planned maintenance in a workspace. */
export type MaintenanceApi = {
  /** The newest first. */
  list: () => Promise<MaintenanceRecord[]>
  plan: (input: MaintenanceInput) => Promise<MaintenanceRecord>
  change: (id: string, input: MaintenanceInput) => Promise<MaintenanceRecord>
  remove: (id: string) => Promise<void>
  /** Ends what is under way, and nothing else. */
  end: (id: string) => Promise<MaintenanceRecord>
  /** When a schedule would take place next. */
  preview: (plan: MaintenancePlan) => Promise<OccurrenceRecord[]>
}

export function maintenanceApi(workspaceId: string): MaintenanceApi {
  const { list, post, put, remove } = api(workspaceId)
  const root = '/maintenance-windows'
  return {
    list: () => list(root),
    plan: (input) => post(root, input),
    change: (id, input) => put(`${root}/${id}`, input),
    remove: (id) => remove(`${root}/${id}`),
    end: (id) => post(`${root}/${id}/end`, undefined),
    preview: (plan) => post(`${root}/preview`, plan),
  }
}

import type { SloDetail, SloInput, SloRecord } from '#core/objectives/slo.ts'
import { api } from './console.ts'

export type { SloDetail, SloRecord }
/** What a form says of an objective; the service refuses what is wrong in it. */
export type SloContent = Omit<SloInput, 'objective' | 'window_days'> & {
  objective: number | string
  window_days: number | string
}

/** Requests about the service level objectives of a workspace. */
export type ObjectivesApi = {
  /** The oldest first. */
  list: () => Promise<SloRecord[]>
  get: (id: string) => Promise<SloDetail>
  add: (slo: SloContent) => Promise<SloRecord>
  change: (id: string, slo: SloContent) => Promise<SloRecord>
  remove: (id: string) => Promise<void>
  /** Of its alarm. */
  acknowledge: (id: string) => Promise<SloRecord>
}

export function objectivesApi(workspaceId: string): ObjectivesApi {
  const { get, list, post, patch, remove } = api(workspaceId)
  const root = '/slos'
  return {
    list: () => list(root),
    get: (id) => get(`${root}/${id}`),
    add: (slo) => post(root, slo),
    change: (id, slo) => patch(`${root}/${id}`, slo),
    remove: (id) => remove(`${root}/${id}`),
    acknowledge: (id) => post(`${root}/${id}/acknowledge`, undefined),
  }
}

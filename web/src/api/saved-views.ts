import type { SavedChoices, SavedViewInput, SavedViewRecord } from '#core/saved-view.ts'
import { api } from './console.ts'

export type { SavedChoices, SavedViewRecord }

/** Requests about the views of the overview that members saved. */
export type SavedViewsApi = {
  /** By name. */
  list: () => Promise<SavedViewRecord[]>
  add: (view: SavedViewInput) => Promise<SavedViewRecord>
  change: (id: string, change: Partial<SavedViewInput>) => Promise<SavedViewRecord>
  remove: (id: string) => Promise<void>
}

export function savedViewsApi(workspaceId: string): SavedViewsApi {
  const { list, post, patch, remove } = api(workspaceId)
  const root = '/saved-views'
  return {
    list: () => list(root),
    add: (view) => post(root, view),
    change: (id, change) => patch(`${root}/${id}`, change),
    remove: (id) => remove(`${root}/${id}`),
  }
}

import type { ScreenChange, ScreenInput, ScreenRecord } from '#core/screen.ts'
import { api } from './console.ts'

export type { ScreenInput, ScreenRecord }

/** Requests about the screens of a workspace. */
export type ScreensApi = {
  /** The oldest first. */
  list: () => Promise<ScreenRecord[]>
  /** `url` is told this once. */
  add: (screen: ScreenInput) => Promise<{ data: ScreenRecord; url: string }>
  change: (id: string, change: ScreenChange) => Promise<ScreenRecord>
  remove: (id: string) => Promise<void>
}

export function screensApi(workspaceId: string): ScreensApi {
  const { list, page, patch, remove } = api(workspaceId)
  const root = '/screens'
  return {
    list: () => list(root),
    add: (screen) => page(root, screen),
    change: (id, change) => patch(`${root}/${id}`, change),
    remove: (id) => remove(`${root}/${id}`),
  }
}

import type { Exposure } from '#core/software/exposure.ts'
import { api } from './console.ts'

export type ExposureFilter = 'all' | Exposure['status']
export type ExposurePage = { data: Exposure[]; next_cursor: string | null }

const atOnce = 50

/** Of all monitors of a workspace, the newest first. Without a cursor the first page. */
export function pageExposures(
  workspaceId: string,
  { filter, cursor }: { filter: ExposureFilter; cursor: string },
): Promise<ExposurePage> {
  const asked = new URLSearchParams({ limit: String(atOnce) })
  if (filter !== 'all') asked.set('status', filter)
  if (cursor !== '') asked.set('cursor', cursor)
  return api(workspaceId).page(`/exposures?${asked.toString()}`)
}

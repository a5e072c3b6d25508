import type { ExposureFilter } from '../../api/exposures.ts'

export const exposureFilters: readonly ExposureFilter[] = ['open', 'closed', 'all']

/** What the address says; the open ones where it says nothing that is known. */
export function exposureFilterOf(text: string | undefined): ExposureFilter {
  return exposureFilters.find((filter) => filter === text) ?? 'open'
}

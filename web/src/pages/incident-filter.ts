import type { IncidentFilter } from '../api/overview.ts'

export const incidentFilters: readonly { value: IncidentFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'acknowledged', label: 'Acknowledged' },
  { value: 'resolved', label: 'Resolved' },
]

/** What the address says. */
export function readIncidentFilter({ status }: Record<string, unknown>): { status?: IncidentFilter } {
  const found = incidentFilters.find(({ value }) => value === status)?.value
  return found === undefined || found === 'all' ? {} : { status: found }
}

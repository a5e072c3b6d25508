import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { IncidentFilter } from '../../api/overview.ts'

export const incidentWords: Readonly<Record<IncidentFilter, MessageDescriptor>> = {
  all: msg({ message: 'All', context: 'incidents' }),
  open: msg({ message: 'Open', context: 'incident' }),
  acknowledged: msg({ message: 'Acknowledged', context: 'incident' }),
  resolved: msg({ message: 'Resolved', context: 'incident' }),
}

export const incidentFilters = ['all', 'open', 'acknowledged', 'resolved'] as const satisfies readonly IncidentFilter[]

/** Reads the filter from the address. */
export function readIncidentFilter({ status }: Record<string, unknown>): { status?: IncidentFilter } {
  const found = incidentFilters.find((each) => each === status)
  return found === undefined || found === 'all' ? {} : { status: found }
}

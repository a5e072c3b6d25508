import { currentStatuses, monitorStatuses } from './monitor-fields.ts'

/** What monitors are asked for by: whether they are checked, and how those are that are. */
export const monitorStatusFilters = [...currentStatuses, ...monitorStatuses] as const
export type MonitorStatusFilter = (typeof monitorStatusFilters)[number]

// What is read of a period, before it is put into a report.
import type { LatencyHistogram } from '#core/results/latency-histogram.ts'
import type { DayCounts } from '#core/results/uptime.ts'
import type { ReportContent } from './report-content.ts'

export type PeriodCounts = Pick<DayCounts, 'checks' | 'down' | 'latencySumMs' | 'latencyCount'>

/** What was read of a monitor in one period. */
export type MonitorPast = { counts: PeriodCounts; downtimeSeconds: number; incidents: number }

export type MonitorReading = {
  id: string
  name: string
  createdAt: Date
  /** The first UTC day with checks. */
  since: string | null
  past: MonitorPast
  previous: MonitorPast
}

/** Response times of a monitor's UTC days with the dates of the period, and of the period before. */
export type SlowReading = { id: string; days: LatencyHistogram[]; previousDays: LatencyHistogram[] }

export type ReportReadings = Pick<
  ReportContent,
  'workspace' | 'incidents' | 'expiring' | 'expiring_count' | 'findings' | 'exposures'
> & {
  monitors: readonly MonitorReading[]
  /** Monitors of the report beyond those that were read. */
  leftOut: number
  /** Incidents that lay wholly in maintenance that uptime leaves out. */
  inMaintenance: number
  acknowledged: { count: number; meanSeconds: number | null }
  meanSecondsToRecover: number | null
  /** Of the period and of the one before: whether the hours at its ends were known. */
  isExact: boolean
}

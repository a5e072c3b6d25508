// What a reader makes of the file of another tool, in our own words; each reader is a file
// with the name of its source, or several that begin with it. Nothing here asks what a workspace has or what its plan allows.
import type { z } from 'zod'
import type { ContactInput } from '#core/contacts/contact-record.ts'
import type { maintenanceInputSchema } from '#core/maintenance.ts'
import type { MonitorInput } from '#core/monitors/monitor.ts'
import type { DayCounts } from '#core/results/uptime.ts'
import type { statusPageInputSchema } from '#core/status-pages/status-page.ts'

/** What is wrong with a file as a whole, with the place in it. */
export class ImportError extends Error {}

export type ImportNote = {
  /** Where in the file, such as monitor[3] or endpoints[1].conditions[0]. */
  place: string
  /** Whether it means something else here, or has no place here. */
  effect: 'changed' | 'lost'
  message: string
}

/** A key is unique among its like, and stays the same as long as the source keeps names and order. */
type Imported<Input> = { key: string; place: string; input: Input }

/**
 * The fields of our create operation. Where these have ids of others there are keys: `contacts` in place of
 * `alert_channel_ids`, `depends_on`, and `member_ids` among the options of a group.
 */
export type ImportedMonitorInput = Omit<MonitorInput, 'alert_channel_ids'> & {
  /** Null: all contacts of the workspace, for sources that do not say who is told. */
  contacts: readonly string[] | null
}

export type ImportedMonitor = Imported<ImportedMonitorInput> & {
  isPaused: boolean
  /** Oldest first; empty where the source has none. */
  history: readonly DayCounts[]
}

export type ImportedContact = Imported<ContactInput>

/** `monitor_id` in `sections` is the key of a monitor. */
export type ImportedPage = Imported<z.input<typeof statusPageInputSchema>>

/** `monitor_ids` are keys of monitors. */
export type ImportedMaintenance = Imported<z.input<typeof maintenanceInputSchema>>

/** The address at which jobs call the source, by which an imported monitor goes on being called. */
export type ImportedHeartbeat = {
  monitorKey: string
  address: { type: 'kuma_push' | 'healthchecks_ping'; token: string }
}

/** All that a file holds. */
export type ImportedFile = {
  monitors: readonly ImportedMonitor[]
  contacts: readonly ImportedContact[]
  pages: readonly ImportedPage[]
  maintenance: readonly ImportedMaintenance[]
  heartbeats: readonly ImportedHeartbeat[]
  notes: readonly ImportNote[]
}

export const importLimits = {
  /** Characters of a text file. */
  length: 20_000_000,
  monitors: 5_000,
  contacts: 1_000,
  pages: 200,
  maintenance: 1_000,
  /** Of rows that join others, such as tags of monitors. */
  links: 100_000,
  /** Of one monitor. */
  historyDays: 3_660,
  /** Of all monitors together. */
  days: 2_000_000,
} as const

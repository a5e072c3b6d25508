import type { AskedStatus } from '#app/ask-status.ts'
import type { ExaminedConfig } from '#config/config.ts'
import type { Found } from '#core/doctor-report.ts'
import type { ClusterStatus } from '#core/operator-status.ts'
import type { Net } from '#net/net.ts'
import type { Database } from '#store/database/database.ts'

/** One thing that `perigee doctor` looks at. What it throws, and being late, is told as a finding. */
export type DoctorCheck = {
  name: string
  look: (context: DoctorContext, signal: AbortSignal) => Promise<Found[]>
}

/** A database that is not looked at: `found` says why, and the check of the database judges that. */
export type NoDatabase = { isOpen: false; found: Found }
export type OpenDatabase = { isOpen: true; database: Database; place: string; isEmbedded: boolean }

export type DoctorContext = {
  examined: ExaminedConfig
  options: DoctorOptions
  /** Tried once; a database that does not answer is told by its own check alone. */
  database: () => Promise<OpenDatabase | NoDatabase>
  /** Reaches private addresses too, because the operator chose what is asked. */
  net: Net
  /** The status that a running process tells; it is asked once. */
  service: () => Promise<AskedStatus>
  /** The installation as a process, or else the database, knows it; null where neither tells. Read once. */
  cluster: () => Promise<ClusterStatus | null>
}

export type DoctorOptions = {
  /** Where a mail is sent to; null for a try without one. */
  mailTo: string | null
  /** A time server as `host` or `host:port`; null for none. */
  timeServer: string | null
}

import type { Carriers } from '#contacts/contact.ts'
import type { Database } from '#store/database.ts'
import type { Secrets } from '#store/secrets.ts'

type Write = (message: string, details?: Record<string, unknown>) => void
export type JobLog = { debug: Write; info: Write; warn: Write; error: Write }

/** What jobs work with. */
export type JobParts = {
  database: Database
  carriers: Carriers
  secrets: Secrets
  /** Root of every link we hand out, without a final slash. */
  publicUrl: string
  log: JobLog
  now: () => Date
}

import type { Change } from '#bus/bus.ts'
import type { Carriers } from '#contacts/contact.ts'
import type { AgentIssuer } from '#core/people/agent.ts'
import type { SignUp } from '#core/people/person.ts'
import type { Plans } from '#core/money/plan.ts'
import type { Result } from '#core/results/result.ts'
import type { AskedTrial, TrialOutcome } from '#core/monitors/trial.ts'
import type { Payments } from '#payments/index.ts'
import type { VatIds } from '#payments/vat-id.ts'
import type { Database } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'
import type { StatusPage } from '#store/status-pages/status-pages.ts'
import type { ReadManifest } from '#manifests/manifest-reader.ts'

/** What operations may touch. `app` builds it; tests build it with their own parts. */
export type Services = {
  database: Database
  secrets: Secrets
  /** Told after commit that a monitor was written, so that its engine looks at once. */
  announceChange: (change: Change) => void
  /** Hands results of a location, such as calls bring, to their engine; resolves when they are durable. */
  publishResults: (location: string, results: Result[]) => Promise<void>
  /** Has a location check a configuration once. Nothing is kept of it; bounded in number and time, never rejects. */
  tryCheck: (trial: AskedTrial) => Promise<TrialOutcome>
  /** Whether a location has a prober present. */
  isOnline: (locationCode: string) => boolean
  /** Whether a host is a literal address this installation may not dial; given to a kind's `targetProblem`. */
  isForbiddenAddress: (host: string) => boolean
  plans: Plans
  /** Null where payments are off. */
  payments: Payments | null
  vatIds: VatIds
  /** Providers whose word about agents counts. */
  agentIssuers: readonly AgentIssuer[]
  /** Whether anybody may sign up, or those who were invited. */
  signUp: SignUp
  /** Root of every link we hand out, without a final slash. */
  publicUrl: string
  /** Reads a file that lists software, in a thread of its own. */
  readManifest: ReadManifest
  /** The HTML of a status page as its readers see it, or would: drafts too. */
  previewStatusPage: (page: StatusPage) => Promise<string>
  /** Whether there is a mail server; without one mail is kept for the operator. */
  sendsMail: boolean
  /** How a test alert leaves. */
  carriers: Carriers
}

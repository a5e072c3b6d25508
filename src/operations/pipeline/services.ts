import type { Change } from '#bus/bus.ts'
import type { Carriers } from '#contacts/send.ts'
import type { AgentIssuer } from '#core/people/agent.ts'
import type { SignUp } from '#core/people/person.ts'
import type { Plans } from '#core/money/plan.ts'
import type { Result } from '#core/results/result.ts'
import type { AskedTrial, TrialOutcome } from '#core/monitors/trial.ts'
import type { Payments } from '#payments/index.ts'
import type { VatIds } from '#payments/vat-id.ts'
import type { ReadUpload } from '#operations/imports/uploaded-source.ts'
import type { Database } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'
import type { DraftMonitors } from '#store/status-pages/page-reports.ts'
import type { StatusPage } from '#store/status-pages/status-pages.ts'
import type { CanaryToken } from '#core/money/canary.ts'
import type { ReadManifest } from '#manifests/manifest-reader.ts'
import type { RenderTemplates } from '#templates/template-thread.ts'

/** What operations may use. `app` builds it; tests build it with their own parts. */
export type Services = {
  database: Database
  secrets: Secrets
  /** Called after a commit that wrote a monitor, so that its engine reads it at once. */
  announceChange: (change: Change) => void
  /** Hands results, such as those of calls, to their engine; resolves when they are durable. */
  publishResults: (location: string, results: Result[]) => Promise<void>
  /** Told of each call of a job that was turned away because of us: it must not count as missed. */
  noteLostCall: () => void
  /** Has a location check a configuration once and stores nothing. Bounded in number and time; never rejects. */
  tryCheck: (trial: AskedTrial) => Promise<TrialOutcome>
  /** Whether a location has a prober present. */
  isOnline: (locationCode: string) => boolean
  /** The machine on which a location stands; null while it has no prober present. */
  witnessOf: (locationCode: string) => string | null
  /** Whether a host is a literal address this installation may not dial; given to a kind's `targetProblem`. */
  isForbiddenAddress: (host: string) => boolean
  /** The same for monitors whose owner let them reach the own network; null where that is not the owner's to say. */
  ownNetwork: { isForbiddenAddress: (host: string) => boolean } | null
  /** What monitors may buy with; none where the operator lets them buy nothing. */
  canaryTokens: readonly CanaryToken[]
  /** Whether monitors may ask databases by statements of their own: not where strangers have monitors. */
  allowsStatements: boolean
  /** Whether visits with a browser may run scripts: where the operator lets them. */
  allowsScripts: boolean
  plans: Plans
  /** Null where payments are off. */
  payments: Payments | null
  vatIds: VatIds
  /** Providers whose assertions about agents are accepted. */
  agentIssuers: readonly AgentIssuer[]
  /** Whether every visitor may sign up, or invited people only. */
  signUp: SignUp
  /** Whether a program that asks people for access may be a document at an address of its own. */
  takesClientDocuments: boolean
  /** Root of every link we hand out, without a final slash. */
  publicUrl: string
  /** Reads a file that lists software, in a thread of its own. */
  readManifest: ReadManifest
  /** Reads the file of another tool that somebody sent, in a thread of its own. */
  readUpload: ReadUpload
  /** Renders or checks the words of a contact, in a thread of its own. */
  renderTemplates: RenderTemplates
  /** The HTML of a status page as its readers see it, or would: with other monitors where these are given. */
  previewStatusPage: (page: StatusPage, monitors?: DraftMonitors) => Promise<string>
  /** Whether a mail server is configured; without one, mail is kept for the operator. */
  sendsMail: boolean
  /** What the operator has to look at; no tenant is told. */
  readTroubles: () => Promise<string[]>
  /** What sends test alerts. */
  carriers: Carriers
}

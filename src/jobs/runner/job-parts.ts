import type { Carriers } from '#contacts/send.ts'
import type { FeedRoots } from '#core/software/feed-roots.ts'
import type { Net } from '#net/net.ts'
import type { PageLanguage } from '#core/status-pages/page-languages.ts'
import type { PageTexts } from '#core/status-pages/page-texts.ts'
import type { Till } from '#payments/settle.ts'
import type { Database } from '#store/database/database.ts'
import type { RenderForContact } from '#templates/fair-templates.ts'
import type { Secrets } from '#store/database/secrets.ts'

type Write = (message: string, details?: Record<string, unknown>) => void
export type JobLog = { debug: Write; info: Write; warn: Write; error: Write }

/** Told what jobs did; for metrics. */
export type JobsObserver = {
  /** One attempt of one alert; `kind` is the contact's. */
  attempted: (attempt: { kind: string; outcome: 'delivered' | 'retry' | 'failed'; delaySeconds: number }) => void
  /** One run of a job or a chore. */
  ran: (run: { task: string; isDone: boolean; seconds: number }) => void
}

/** Everything that a job may use. */
export type JobParts = {
  database: Database
  carriers: Carriers
  /** For monitors whose owner let them reach the own network; null where that is not the owner's to say. */
  privateNet: Net | null
  secrets: Secrets
  /** Seals anew, after a change of the secret key, what signing in sealed for authenticator apps. */
  resealsSecondFactors: () => Promise<(sealed: string) => Promise<string>>
  /** Renders the words of contacts that have templates, in a thread. */
  renderTemplates: RenderForContact
  /** Root of every link we hand out, without a final slash. */
  publicUrl: string
  /** Who is told of troubles of the installation itself; null for the log alone. */
  operatorEmail: string | null
  /** Whether a VAT id is registered; null means no answer. The function is null where VIES is switched off. */
  confirmVatId: ((vatId: string) => Promise<boolean | null>) | null
  /** Null while payments are off. */
  till: Till | null
  /** The addresses from which advisories are read. */
  feeds: FeedRoots
  /** Without a key the NVD allows fewer requests. */
  nvdApiKey: string | null
  /** The languages in which subscribers of status pages are told. */
  textsIn: (language: PageLanguage) => PageTexts
  log: JobLog
  observer: JobsObserver
  now: () => Date
}

import { fileURLToPath } from 'node:url'
import { countryCodes } from '#core/language/countries.ts'
import type { RequestLine } from '#core/log-lines.ts'
import { defaultRates } from '#core/language/rate-limit.ts'
import { kinds } from '#kinds/index.ts'
import { createAdmission, type Admission } from '#operations/admission/admission.ts'
import { createAuthenticate, createAuthenticatePerson } from '#operations/pipeline/authenticate.ts'
import { components } from '#operations/pipeline/named-schemas.ts'
import { operations } from '#operations/index.ts'
import { type Limits, createLimits } from '#operations/pipeline/limits.ts'
import type { Frame } from '#operations/pipeline/invoke.ts'
import { createOwnerWatch } from '#operations/people/owner.ts'
import type { LiveFeed } from '#operations/overview/live-feed.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { locationCodes } from '#operations/locations.ts'
import { createAgents } from '#agents/create-agents.ts'
import type { Config } from '#config/config.ts'
import { createFailureLog } from './failure-log.ts'
import { createLiveRoutes } from '#console/live-routes.ts'
import { contactForms } from '#console/contact-forms.ts'
import { monitorForms } from '#console/monitor-forms.ts'
import { contactKinds } from '#contacts/index.ts'
import { createEntrance } from '#api-document/entrance/entrance.ts'
import { createErrorsPage } from '#api-document/errors-page.ts'
import { createOpenApiSource } from '#api-document/openapi.ts'
import { createLongBodies } from '#http/json-thread.ts'
import { createHttp } from '#http/server.ts'
import { type ConsoleSettings, createConsoleRoutes } from '#console/console-routes.ts'
import { createStatusRoutes } from '#status-site/status-routes.ts'
import type { SystemSources } from '#http/system-routes.ts'
import type { Log } from './log.ts'
import type { Metrics } from '#metrics/metrics.ts'
import { createOutageNotice } from './outage-notice.ts'
import { advertisedOffers } from '#payments/offers.ts'
import { createMcp } from '#mcp/create-mcp.ts'
import { createAcknowledgePages } from '#http/acknowledge-pages.ts'
import { createPages } from '#http/contact-pages.ts'
import { createScreenRoutes } from '#http/overview/screen-routes.ts'
import { createReportPages } from '#http/report-pages.ts'
import { createStatusMailPages } from '#status-site/status-mail-pages.ts'
import { createStatusSite } from '#status-site/status-site.ts'
import { createReference } from '#api-document/reference.ts'
import { createShortForm } from '#api-document/short-form.ts'
import { type People, createPeople } from '#people/people.ts'
import { readRelease } from './release.ts'

/** Where scripts/build-web.ts puts the console. */
const consoleFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))

type Answer = Parameters<Metrics['answered']>[0]

export type HttpParts = {
  config: Config
  log: Log
  services: Services
  metrics: Metrics
  system: SystemSources
  now: () => Date
  /** What the console is told of changes. */
  feed: LiveFeed
}

/** The whole surface of the api role. */
export function createApiHttp(parts: HttpParts): ReturnType<typeof createHttp> {
  const { config, log, services, metrics, system, now, feed } = parts
  const { database, publicUrl } = services
  const limits = limitsOf(config, database)
  const admission = createAdmission({ onRefused: metrics.refused })
  metrics.watch({ admission })
  const people = createPeople({ ...services, limits, admission, log, now })
  const frame = frameOf(parts, { limits, admission, people })
  const paymentOffers = advertisedOffers(services.payments)
  const onError = createFailureLog(log)
  const onUnavailable = createOutageNotice({ log, now })
  const longBodies = createLongBodies()
  const described = { operations, kinds, contactKinds, paymentOffers }
  const readLocationCodes = (): Promise<string[]> => locationCodes(services)
  const openApi = createOpenApiSource({ ...described, components, publicUrl, readLocationCodes, now })
  return createHttp({
    operations,
    frame,
    longBodies,
    openApi,
    system,
    trustedProxies: config.trustedProxies,
    onError,
    onUnavailable,
    onAnswer: (answer) => {
      metrics.answered(answer)
      log.debug('A request was answered.', answerLine(answer))
    },
    within: log.within,
    addRoutes: (app) => {
      const { secrets, agentIssuers: issuers, carriers, takesClientDocuments } = services
      // Before everything else: at the domain of a status page there is nothing but that page.
      const site = createStatusSite({ services, now, sendsMail: services.sendsMail })
      app.route('/', createStatusRoutes({ site, services, limits, now }))
      app.route('/', createPages({ services }))
      app.route('/', createReportPages({ services }))
      app.route('/', createAcknowledgePages({ services, limits, now }))
      app.route('/', createScreenRoutes({ services, limits, now }))
      app.route('/', createStatusMailPages({ services, now }))
      const { securityContact } = config
      app.route('/', createEntrance({ publicUrl, version: readRelease(), operations, securityContact, now }))
      app.route('/', createReference({ openApi }))
      app.route('/', createShortForm({ openApi }))
      app.route('/', createErrorsPage())
      app.route('/', people.routes)
      app.route('/', createLiveRoutes({ frame, feed }))
      const readSettings = settingsReader(config, services)
      const forms = { monitorForms: () => monitorForms(kinds), contactForms: () => contactForms(contactKinds) }
      const pushKey = carriers.pushKeys?.publicKey ?? null
      app.route('/', createConsoleRoutes({ folder: consoleFolder, readSettings, pushKey, ...forms }))
      const from = { database, secrets, publicUrl, carriers, takesClientDocuments }
      app.route('/', createAgents({ ...from, limits, admission, issuers, now }))
      app.route('/', createMcp({ ...described, frame, longBodies, onError, onUnavailable, version: readRelease() }))
    },
  })
}

function answerLine({ method, route, status, seconds }: Answer): Omit<RequestLine, 'request_id'> {
  return { method, path: route, status, ms: Math.round(seconds * 1000) }
}

function limitsOf(config: Config, database: Services['database']): Limits {
  const rates = {
    readsPerMinute: config.readsPerMinute,
    writesPerMinute: config.writesPerMinute,
    failuresPerMinute: defaultRates.failuresPerMinute,
    registrationsPerMinute: config.registrationsPerMinute,
    anonymousPerDay: config.anonymousPerDay,
  }
  // Several processes count together; one alone needs no table for that.
  return createLimits(rates, config.nats === null ? null : database)
}

type FrameParts = { limits: Limits; admission: Admission; people: People }

/** What the pipeline of every operation works with. */
function frameOf({ services, log, now }: HttpParts, given: FrameParts): Frame {
  const { database } = services
  const { limits, admission } = given
  const { readSession } = given.people
  const onTouchFailure = (error: unknown): void =>
    log.warn('The last use of a token could not be stored.', { error: String(error) })
  return {
    services,
    authenticate: createAuthenticate({ database, limits, readSession, onTouchFailure }),
    authenticatePerson: createAuthenticatePerson({ readSession }),
    limits,
    admission,
    now,
  }
}

function settingsReader({ payments }: Config, services: Services): () => Promise<ConsoleSettings> {
  const { database, signUp, publicUrl, sendsMail } = services
  const awaitsOwner = createOwnerWatch(database)
  return async () => ({
    sign_up: signUp,
    public_url: publicUrl,
    sends_mail: sendsMail,
    payments: payments.mode,
    countries: [...countryCodes],
    awaits_owner: await awaitsOwner(),
  })
}

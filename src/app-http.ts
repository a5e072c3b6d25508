import { fileURLToPath } from 'node:url'
import { defaultRates } from '#core/rate-limit.ts'
import { kinds } from '#kinds/index.ts'
import { createAuthenticate, createAuthenticatePerson } from '#operations/authenticate.ts'
import { components } from '#operations/components.ts'
import { operations } from '#operations/index.ts'
import { createLimits } from '#operations/limits.ts'
import type { Services } from '#operations/services.ts'
import { listLocations } from '#store/locations.ts'
import { createAgents } from './agents/create-agents.ts'
import type { Config } from './config.ts'
import { createFailureLog } from './failure-log.ts'
import { createOpenApiSource } from './http/openapi.ts'
import { createHttp } from './http/server.ts'
import { createConsoleRoutes } from './http/console-routes.ts'
import type { SystemSources } from './http/system-routes.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createOutageNotice } from './outage-notice.ts'
import { advertisedOffers } from './payments/offers.ts'
import { createMcp } from './mcp/create-mcp.ts'
import { createPages } from './pages/contacts.ts'
import { createPeople } from './people/people.ts'
import { readRelease } from './release.ts'

/** Where scripts/build-web.ts puts the console. */
const consoleFolder = fileURLToPath(new URL('../web/dist', import.meta.url))

export type HttpParts = {
  config: Config
  log: Log
  services: Services
  metrics: Metrics
  system: SystemSources
  now: () => Date
}

/** The whole surface of the api role. */
export function createApiHttp({
  config,
  log,
  services,
  metrics,
  system,
  now,
}: HttpParts): ReturnType<typeof createHttp> {
  const { database, publicUrl } = services
  const rates = {
    readsPerMinute: config.readsPerMinute,
    writesPerMinute: config.writesPerMinute,
    failuresPerMinute: defaultRates.failuresPerMinute,
    registrationsPerMinute: config.registrationsPerMinute,
    anonymousPerDay: config.anonymousPerDay,
  }
  // Several processes count together; one alone needs no table for that.
  const limits = createLimits(rates, config.nats === null ? null : database)
  const onTouchFailure = (error: unknown): void =>
    log.warn('A token could not be noted as used.', { error: String(error) })
  const people = createPeople({ ...services, limits, log, now })
  const { readSession } = people
  const frame = {
    services,
    authenticate: createAuthenticate({ database, limits, readSession, onTouchFailure }),
    authenticatePerson: createAuthenticatePerson({ readSession }),
    limits,
    now,
  }
  const paymentOffers = advertisedOffers(services.payments)
  const onError = createFailureLog(log)
  const onUnavailable = createOutageNotice({ log, now })
  const described = { operations, kinds, paymentOffers }
  return createHttp({
    operations,
    frame,
    openApi: createOpenApiSource({
      ...described,
      components,
      publicUrl,
      readLocationCodes: async () => (await listLocations(database)).map(({ code }) => code),
      now,
    }),
    system,
    trustedProxies: config.trustedProxies,
    onError,
    onUnavailable,
    onAnswer: metrics.answered,
    addRoutes: (app) => {
      const { secrets, agentIssuers: issuers, carriers } = services
      app.route('/', createPages({ services }))
      app.route('/', people.routes)
      app.route(
        '/',
        createConsoleRoutes({ folder: consoleFolder, settings: { sign_up: services.signUp, public_url: publicUrl } }),
      )
      app.route('/', createAgents({ database, secrets, publicUrl, limits, issuers, net: carriers.net, now }))
      app.route('/', createMcp({ ...described, frame, onError, onUnavailable, version: readRelease() }))
    },
  })
}

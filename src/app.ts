import { defaultRates } from '#core/rate-limit.ts'
import { createAuthenticate } from '#operations/authenticate.ts'
import { components } from '#operations/components.ts'
import { operations } from '#operations/index.ts'
import { createLimits } from '#operations/limits.ts'
import type { Services } from '#operations/services.ts'
import { createGuard } from '#net/guard.ts'
import { createNet } from '#net/create-net.ts'
import { bootstrap } from '#store/bootstrap.ts'
import { listLocations } from '#store/locations.ts'
import { StartError } from '#store/start-error.ts'
import { type Flow, startFlow } from './app-flow.ts'
import { createFront } from './app-front.ts'
import { type Foundation, openFoundation } from './app-store.ts'
import type { Config } from './config.ts'
import { endAll, type Ends } from './end-all.ts'
import { ListenError, listen } from './http/listen.ts'
import { createOpenApiSource } from './http/openapi.ts'
import { createHttp } from './http/server.ts'
import { startJobs } from './jobs/index.ts'
import { createMailer } from './jobs/mail.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createPages } from './pages/contacts.ts'

export type App = {
  /** Root of the service, without a final slash. */
  url: string
  /** The write token made at the very first start, when none was configured. */
  firstToken: string | null
  /** The owner's. */
  workspaceId: string
  services: Services
  /** Resolves when the service cannot go on. */
  failed: Promise<StartError>
  /** Stops taking work, finishes or hands back what runs, and closes everything. */
  stop: () => Promise<void>
}

const jobsAtOnce = 10
const closeHttpMs = 5_000

/** Starts every role in this process: API, engine, jobs, and probers in threads of their own. */
export async function startApp(config: Config, log: Log): Promise<App> {
  const ends: Ends = []
  const stop = (): Promise<void> => endAll(ends)
  try {
    return { ...(await start(config, log, ends)), stop }
  } catch (error) {
    await stop()
    throw error instanceof ListenError ? new StartError(error.message, { cause: error }) : error
  }
}

async function start(config: Config, log: Log, ends: Ends): Promise<Omit<App, 'stop'>> {
  const foundation = await openFoundation(config, log)
  ends.push(foundation.close)
  const front = createFront()
  const listening = await listen(front, config)
  ends.push(() => listening.close(closeHttpMs))
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listening.port}`
  foundation.dataFolder.publishAddress(url)
  const { owner, locations } = config
  const owned = await bootstrap(foundation.database, { ...owner, locations, now: new Date() })
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    outboxFolder: foundation.dataFolder.outboxFolder,
  })
  ends.push(mailer.close)
  const metrics = createMetrics()
  const flow = await startFlow({
    config,
    log,
    foundation,
    observer: metrics.observer,
    onStarted: (end) => ends.push(end),
  })
  metrics.watch(flow.engine)
  const services = servicesOf({
    config,
    foundation,
    flow,
    publicUrl: config.publicUrl ?? url,
    sendMail: mailer.sendMail,
  })
  const jobs = await startJobs({ ...services, log, concurrency: jobsAtOnce })
  ends.push(jobs.stop)
  front.open(httpOf({ config, log, services, flow, metrics }))
  // Requests come to an end before anything that they use does; closing twice is harmless.
  ends.push(() => listening.close(closeHttpMs))
  return { url, ...owned, services, failed: foundation.failed }
}

type ServiceParts = {
  config: Config
  foundation: Foundation
  flow: Flow
  publicUrl: string
  sendMail: Services['carriers']['sendMail']
}

function servicesOf({ config, foundation, flow, publicUrl, sendMail }: ServiceParts): Services {
  const { allowPrivateTargets: allowPrivate, dnsServers } = config
  return {
    database: foundation.database,
    secrets: foundation.secrets,
    announceChange: flow.bus.announceChange,
    publishResult: flow.publishResult,
    isOnline: flow.isOnline,
    isForbiddenAddress: createGuard(allowPrivate).isForbiddenAddress,
    plans: config.plans,
    arePaymentsEnabled: config.arePaymentsEnabled,
    publicUrl,
    carriers: { net: createNet({ allowPrivate, ...(dnsServers.length === 0 ? {} : { dnsServers }) }), sendMail },
  }
}

function now(): Date {
  return new Date()
}

type HttpParts = { config: Config; log: Log; services: Services; flow: Flow; metrics: Metrics }

function httpOf({ config, log, services, flow, metrics }: HttpParts): ReturnType<typeof createHttp> {
  const { database, publicUrl } = services
  const limits = createLimits({
    readsPerMinute: config.readsPerMinute,
    writesPerMinute: config.writesPerMinute,
    failuresPerMinute: defaultRates.failuresPerMinute,
  })
  const onTouchFailure = (error: unknown): void =>
    log.warn('A token could not be noted as used.', { error: String(error) })
  return createHttp({
    operations,
    frame: { services, authenticate: createAuthenticate({ database, limits, onTouchFailure }), limits, now },
    openApi: createOpenApiSource({
      operations,
      components,
      publicUrl,
      readLocationCodes: async () => (await listLocations(database)).map(({ code }) => code),
      now,
    }),
    system: {
      readiness: async () => ({
        database: (await database.pool.query('select 1')).rowCount === 1,
        partitions: flow.engine.partitions > 0,
      }),
      metrics: metrics.read,
      metricsToken: config.metricsToken,
    },
    trustedProxies: config.trustedProxies,
    onError: (error, request) =>
      log.error('A request failed.', { ...request, error: error instanceof Error ? error.stack : String(error) }),
    onAnswer: metrics.answered,
    addRoutes: (app) => app.route('/', createPages({ services })),
  })
}

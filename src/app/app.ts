import type { Carriers } from '#contacts/send.ts'
import { BusStartError } from '#bus/nats-options.ts'
import { createLiveFeed } from '#operations/overview/live-feed.ts'
import { createManifestReader } from '#manifests/manifest-reader.ts'
import { createUploadReader } from '#operations/imports/uploaded-source.ts'
import { createTemplates } from '#templates/template-thread.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { temporaryFailure } from '#operations/pipeline/temporary-failure.ts'
import { createGuard } from '#net/dial/guard.ts'
import { createNet, type NetOptions } from '#net/create-net.ts'
import { withOwnNetwork } from '#net/dial/own-network.ts'
import { readPushKeys } from '#store/installation/push-keys.ts'
import { bootstrap } from '#store/installation/bootstrap.ts'
import { endPrivateTargets } from '#store/monitors/private-targets.ts'
import { StartError } from '#store/database/start-error.ts'
import { type CallStore, createCallStore } from '#store/call-store.ts'
import { areCallsAwaited } from '#store/monitors/calls.ts'
import { backupFolder } from '#store/embedded/data-folder.ts'
import { type Flow, startFlow } from './flow.ts'
import { createFront, type Front } from './front.ts'
import { createApiHttp } from './api-http.ts'
import type { Foundation } from './foundation.ts'
import { type Begun, begin } from './begin.ts'
import { findKeys } from './secret-keys.ts'
import { createSystem, type System } from './system.ts'
import { type Config, httpAddress } from '#config/config.ts'
import { isOneOwners, takesStrangers } from '#config/strangers.ts'
import { endAll, type Ends } from './end-all.ts'
import { createFailureLog } from './failure-log.ts'
import { ListenError, listen, type Listening } from '#http/listen.ts'
import { createSystemHttp } from '#http/system-server.ts'
import type { BackupOrders } from '#jobs/backups.ts'
import { startJobs } from '#jobs/index.ts'
import { createMailer, type Mailer } from '#jobs/contacts/mailer.ts'
import { watchMail } from '#jobs/contacts/mail-watch.ts'
import { readSendingHeld } from '#store/installation/sending.ts'
import { endMailTrouble, noteMailTrouble } from '#store/installation/own-troubles.ts'
import { type CallIntakeOptions, keepCallIntake, rememberLostCalls } from './call-intake.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from '#metrics/metrics.ts'
import { createPayments, type Payments } from '#payments/index.ts'
import { createStatusPreview } from '#status-site/status-preview.ts'
import { createVatIds } from '#payments/vat-id.ts'
import { processName } from './process-name.ts'
import { readRelease } from './release.ts'
import { type RunWatchOptions, watchRuns } from './run-watch.ts'
import { openTracing, type Tracing } from './tracing.ts'
import { ensureOwner } from '#people/owner.ts'
import { allRoles, type Roles } from '#config/roles.ts'

/** A process that runs. */
export type Running = {
  /** Root of what it serves, without a final slash. */
  url: string
  /** Resolves when it cannot go on. */
  failed: Promise<StartError>
  /** Stops taking work, finishes or hands back what runs, and closes everything. */
  stop: () => Promise<void>
}

/** A process that does everything. */
export type App = Running & Owned

type Owned = {
  /** The write token made at the very first start, when none was configured; it ends after a day. */
  firstToken: string | null
  /** The token of the owner's set-up link, made at the very first start, when no owner was configured. */
  setUpToken: string | null
  /** The owner's. */
  workspaceId: string
  services: Services
}

/** Most of them wait for a receiver's answer (docs/decisions/alerts-and-contacts.md, "Lanes"). */
const jobsAtOnce = 64
const closeHttpMs = 5_000

/** `signal` gives up the start, which throws then. `begun`: what was begun before this could be called. */
export type StartOptions = { signal?: AbortSignal; begun?: Begun }

/** Starts every role in this process. */
export async function startApp(config: Config, log: Log, options: StartOptions = {}): Promise<App> {
  const { owned, ...running } = await startRoles(config, log, { ...options, roles: allRoles })
  if (owned === null) throw new Error('A process with all roles has an owner.')
  return { ...running, ...owned }
}

/** Starts these roles in this process; the probers in threads of their own. `owned` is what the api role knows. */
export async function startRoles(
  config: Config,
  log: Log,
  options: StartOptions & { roles: Roles },
): Promise<Running & { owned: Owned | null }> {
  const ends: Ends = []
  const stop = (): Promise<void> => endAll(ends)
  try {
    return { ...(await start({ config, log, ends, ...options })), stop }
  } catch (error) {
    await stop()
    const isTold = error instanceof ListenError || error instanceof BusStartError
    throw isTold ? new StartError(error.message, { cause: error }) : error
  }
}

type Starting = StartOptions & { config: Config; log: Log; roles: Roles; ends: Ends }

async function start(starting: Starting): Promise<Omit<Running, 'stop'> & { owned: Owned | null }> {
  const { config, log, roles, ends } = starting
  const begun = starting.begun ?? (await begin(starting))
  ends.push(begun.end)
  const { apart } = begun
  const foundation = await begun.foundation
  const gate = createFront()
  const listening = await listen(gate, config)
  ends.push(() => listening.close(closeHttpMs))
  const url = httpAddress(config.host, listening.port)
  foundation.publishAddress(url)
  if (roles.has('api') && !isOneOwners(config)) await endPrivateTargets(foundation.database)
  const owned = roles.has('api') ? await setUp(config, log, foundation) : null
  const { smtpUrl, mailFrom: from } = config
  const mailer = createMailer({ smtpUrl, from, outboxFolder: foundation.outboxFolder })
  ends.push(mailer.close)
  const metrics = createMetrics({ roles, version: readRelease() })
  const name = processName()
  // A restored copy has the monitors of the original, and so the ids of its traces.
  const isHeld = (await readSendingHeld(foundation.database)) !== null
  const tracing = isHeld ? null : openTracing({ config, name, roles, log, metrics })
  if (tracing !== null) ends.push(tracing.close)
  const common = { config, log, foundation, metrics, tracing, publicUrl: config.publicUrl ?? url }
  const parts = { ...common, payments: paymentsOf(common) }
  const pushKeys = await readPushKeys(foundation.database, foundation.secrets)
  const carriers = { ...carriersOf(config, watchedMail(foundation, mailer)), pushKeys }
  const needsBus = roles.size > 1 || !roles.has('jobs')
  const flow = needsBus
    ? await startFlow({ ...parts, roles, name, port: listening.port, apart, onStarted: (end) => ends.push(end) })
    : null
  const beginJobs = async (): Promise<void> => {
    if (roles.has('jobs')) ends.push(await startJobsRole({ ...parts, carriers, port: listening.port }))
  }
  const system = createSystem({ config, roles, name, foundation, flow, metrics })
  if (owned === null || flow === null) {
    await flow?.online()
    gate.open(createSystemHttp(system, createFailureLog(log)))
    await beginJobs()
    return { url, owned: null, failed: foundation.failed }
  }
  const services = await openApi({ ...parts, carriers, flow, system, gate, listening, ends })
  // Last, because the first look at everything keeps the database busy for a while.
  await beginJobs()
  return { url, owned: { ...owned, services }, failed: foundation.failed }
}

type Opening = Parts & {
  carriers: Carriers
  flow: Flow
  system: System
  gate: Front
  listening: Listening
  ends: Ends
}

/** Requests and calls are taken from now on. */
async function openApi({ carriers, flow, system, gate, listening, ends, ...parts }: Opening): Promise<Services> {
  const { config, log, foundation, metrics } = parts
  const { noteLostCall, wasCallLost } = rememberLostCalls()
  const readTroubles = async (): Promise<string[]> => (await system.status()).troubles
  const services = { ...servicesOf({ ...parts, flow, carriers }), noteLostCall, readTroubles }
  const feed = createLiveFeed({
    database: foundation.database,
    now: () => new Date(foundation.now()),
    onFailure: (error) => reportFeed(error, log),
  })
  metrics.watch({ feed })
  const api = createApiHttp({ config, log, services, metrics, system, feed, now: () => new Date(foundation.now()) })
  await flow.online()
  gate.open(api)
  const { publishResults } = services
  const endIntake = await beginIntake({ ...intakeOf(foundation, flow), wasCallLost, publishResults, log })
  // Requests come to an end before anything that they use does; closing twice is harmless. Before that, no deadline
  // counts any more that a caller could not meet, and pages that are told of changes are told that it is over.
  ends.push(
    () => listening.close(closeHttpMs),
    endIntake,
    async () => feed.close(),
  )
  return services
}

type Intake = Pick<CallIntakeOptions, 'areCallsKept' | 'areCallsAwaited'> & { store: CallStore }

function intakeOf({ quietDatabase, secrets, isAlone }: Foundation, { bus }: Flow): Intake {
  const intake = { store: createCallStore(quietDatabase, secrets), areCallsKept: bus.isConnected }
  return isAlone ? { ...intake, areCallsAwaited: () => areCallsAwaited(quietDatabase) } : intake
}

/** Says that calls are taken, and tells of runs that do not end. Returns the end of both. */
async function beginIntake(options: CallIntakeOptions & RunWatchOptions): Promise<() => Promise<void>> {
  const endIntake = await keepCallIntake(options)
  const endRunWatch = watchRuns(options)
  return async () => {
    await Promise.all([endIntake(), endRunWatch()])
  }
}

/** An outage of the database is told by the requests that it fails; what else goes wrong is a bug. */
function reportFeed(error: unknown, log: Log): void {
  const details = { error: String(error) }
  if (temporaryFailure(error) === null) log.error('Changes could not be sent to the console.', details)
  else log.debug('Changes could not be sent to the console: the database is away.', details)
}

/** The first start of an installation sets up its owner; every start brings what the configuration adds. */
async function setUp(
  { owner, locations, nats }: Config,
  log: Log,
  { database }: Foundation,
): Promise<Omit<Owned, 'services'>> {
  // On NATS locations become known by the presence of their probers.
  const served = nats === null ? locations : []
  const now = new Date()
  const { token, plan, person } = owner
  const first = { token, plan, locations: served, isOwnerKnown: person !== null, now }
  const { isTokenDead, ...owned } = await bootstrap(database, first)
  if (isTokenDead) log.warn('PERIGEE_OWNER_TOKEN was revoked or has expired, so it does not work.')
  if (person === null) return owned
  const outcome = await ensureOwner(database, { workspaceId: owned.workspaceId, ...person, now })
  if (outcome === 'taken')
    log.warn('PERIGEE_OWNER_EMAIL already has an account, but not as an owner. Nothing was changed.')
  return owned
}

type Common = {
  config: Config
  log: Log
  foundation: Foundation
  metrics: Metrics
  tracing: Tracing | null
  publicUrl: string
}
/** One till for all roles of a process, so that its relayer does not overtake itself. */
type Parts = Common & { payments: Payments | null }

async function startJobsRole(parts: Parts & { carriers: Carriers; port: number }): Promise<() => Promise<void>> {
  const { port, config, log, foundation, metrics, tracing, publicUrl, carriers, payments } = parts
  const { database, commits, isAlone, secrets } = foundation
  const jobs = await startJobs({
    database,
    commits: isAlone ? commits : null,
    secrets,
    carriers,
    privateNet: isOneOwners(config) ? createNet(withOwnNetwork(netOptionsOf(config), { ownPorts: [port] })) : null,
    publicUrl,
    log,
    within: log.within,
    tracer: tracing?.tracer ?? null,
    operatorEmail: config.operatorEmail,
    heartbeatUrl: config.heartbeatUrl,
    otlp: config.otlp,
    backups: backupsOf(config),
    confirmVatId: config.viesUrl === null ? null : createVatIds(carriers.net, config.viesUrl).confirm,
    till: payments,
    feeds: config.feeds,
    nvdApiKey: config.nvdApiKey,
    concurrency: jobsAtOnce,
    retention: { resultDays: config.resultDays, problemDays: longestProblemDays(config.plans) },
    observer: metrics.jobs,
    resealsSecondFactors: async () =>
      (await import('#people/auth-keys.ts')).resealsSecondFactors({ database, secrets }),
  })
  return jobs.stop
}

/** Null where no backups are made by the schedule. */
function backupsOf(config: Config): BackupOrders | null {
  const { backups, dataFolder } = config
  const { folder, everyMs, keep, passphrase } = backups
  if (everyMs === null) return null
  return {
    folder: folder ?? backupFolder(dataFolder),
    everyMs,
    keep,
    passphrase,
    release: readRelease(),
    readKeys: () => findKeys(config),
  }
}

function carriersOf(config: Config, sendMail: Carriers['sendMail']): Carriers {
  return { net: createNet(netOptionsOf(config)), sendMail }
}

function netOptionsOf(config: Config): NetOptions {
  const { allowPrivateTargets: allowPrivate, deniedTargets: denied, dnsServers, services } = config
  const asked = { services, ...(dnsServers.length === 0 ? {} : { dnsServers }) }
  return { allowPrivate, denied, hidesInternal: takesStrangers(config), ...asked }
}

/** Every process that sends mail notes for the operator how the server takes it. */
function watchedMail({ database }: Foundation, { sendMail }: Mailer): Carriers['sendMail'] {
  return watchMail({
    sendMail,
    onFailing: (error) => noteMailTrouble(database, error),
    onWell: () => endMailTrouble(database),
  })
}

function servicesOf(
  parts: Parts & { flow: Flow; carriers: Carriers },
): Omit<Services, 'readTroubles' | 'noteLostCall'> {
  const { config, foundation, flow, publicUrl, carriers, payments } = parts
  const { database, secrets, now } = foundation
  const sendsMail = config.smtpUrl !== null
  return {
    database,
    secrets,
    announceChange: flow.bus.announceChange,
    publishResults: flow.bus.publishResults,
    tryCheck: flow.tryCheck,
    isOnline: flow.isOnline,
    witnessOf: flow.witnessOf,
    ...guardsOf(config),
    canaryTokens: config.canary?.tokens ?? [],
    allowsStatements: !takesStrangers(config),
    allowsScripts: config.runsScripts,
    plans: config.plans,
    payments,
    vatIds: createVatIds(carriers.net, config.viesUrl),
    agentIssuers: config.agentIssuers,
    signUp: config.signUp,
    takesClientDocuments: config.takesClientDocuments,
    publicUrl,
    readManifest: createManifestReader(),
    readUpload: createUploadReader(),
    renderTemplates: createTemplates(),
    previewStatusPage: createStatusPreview({ database, publicUrl, sendsMail, now: () => new Date(now()) }),
    sendsMail,
    carriers,
  }
}

function guardsOf(config: Config): Pick<Services, 'isForbiddenAddress' | 'ownNetwork'> {
  const { allowPrivateTargets: allowPrivate, deniedTargets: denied } = config
  const { isForbiddenAddress } = createGuard(allowPrivate, { denied })
  if (!isOneOwners(config) || allowPrivate === 'all') return { isForbiddenAddress, ownNetwork: null }
  const own = withOwnNetwork({ allowPrivate, denied }, { ownPorts: [] })
  return { isForbiddenAddress, ownNetwork: createGuard(own.allowPrivate, own) }
}

/** A payment is kept even where its operation fails, so payments write to the database beside its transaction. */
function paymentsOf({ config, foundation, log, publicUrl }: Common): Payments | null {
  const { database, secrets, now } = foundation
  return createPayments(config.payments, {
    database,
    secrets,
    seller: config.seller,
    now: () => new Date(now()),
    publicUrl,
    onUnknown: (unknown) => log.warn('A payment processor did not say whether it charged the payment.', unknown),
  })
}

/** A workspace may change its plan, so problems are kept for as long as any plan shows them. */
function longestProblemDays(plans: Config['plans']): number {
  return Math.max(...Object.values(plans).map(({ problemDays }) => problemDays))
}

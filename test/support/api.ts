import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { defaultPlans } from '#core/money/plan.ts'
import { createTokenText } from '#core/people/token-format.ts'
import { defaultRates } from '#core/language/rate-limit.ts'
import { kinds } from '#kinds/index.ts'
import { type Admission, createAdmission } from '#operations/admission/admission.ts'
import { createAuthenticate, createAuthenticatePerson } from '#operations/pipeline/authenticate.ts'
import { components } from '#operations/pipeline/named-schemas.ts'
import { operations as allOperations } from '#operations/index.ts'
import type { Frame } from '#operations/pipeline/invoke.ts'
import { type Limits, type Rates, createLimits } from '#operations/pipeline/limits.ts'
import { locationCodes } from '#operations/locations.ts'
import { contactKinds } from '#contacts/index.ts'
import { createTemplates } from '#templates/template-thread.ts'
import type { AnyOperation } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { bootstrap } from '#store/installation/bootstrap.ts'
import type { Database } from '#store/database/database.ts'
import { createSecrets, type Secrets } from '#store/database/secrets.ts'
import { createToken } from './tokens.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import { createAgents } from '../../src/agents/create-agents.ts'
import { apiRoot } from '../../src/http/api-routes.ts'
import type { HttpEnv } from '../../src/http/environment.ts'
import { createOpenApiSource } from '#api-document/openapi.ts'
import { createHttp, type HttpOptions } from '../../src/http/server.ts'
import { createLongBodies } from '../../src/http/json-thread.ts'
import { createStatusRoutes } from '#status-site/status-routes.ts'
import { createMcp } from '../../src/mcp/create-mcp.ts'
import { createStatusMailPages } from '#status-site/status-mail-pages.ts'
import { createStatusPreview } from '#status-site/status-preview.ts'
import { createStatusSite } from '#status-site/status-site.ts'
import { createPayments, type PaymentOptions } from '../../src/payments/index.ts'
import { advertisedOffers } from '../../src/payments/offers.ts'
import { createVatIds } from '../../src/payments/vat-id.ts'
import { createPeople } from '../../src/people/people.ts'
import type { PeopleParts } from '#people/people-parts.ts'
import { testDatabase, usualConnections } from './database.ts'
import { noNet } from './net.ts'
import { readManifestsInOne, readUploadsInOne } from './one-thread.ts'
import { quickPasswords } from './passwords.ts'
import { testSeller } from './payments.ts'
import { assertReply } from './reply-schema.ts'

export type Answer = { status: number; headers: Headers; text: string; body: unknown }

export type ApiRequest = {
  /** Null sends none; the default is the owner's write token. */
  token?: string | null
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
  /** The socket's address. */
  address?: string
}

export type TestApi = {
  app: Hono<HttpEnv>
  database: Database
  services: Services
  frame: Frame
  /** Monitors announced as changed, in order. */
  changes: { monitorId: string; partition: number }[]
  workspaceId: string
  /** A token with write scope. */
  token: string
  readToken: string
  /** Errors that were answered with 500. A test that expects none need not look: they fail the request. */
  errors: unknown[]
  /** Below /api/v1. Fails when the answer is not what the operation's schema says. */
  request: (method: string, path: string, request?: ApiRequest) => Promise<Answer>
  get: (path: string, request?: ApiRequest) => Promise<Answer>
  post: (path: string, body?: unknown, request?: ApiRequest) => Promise<Answer>
  /** A workspace beside the owner's, to show that nothing leaks. */
  addWorkspace: (plan?: string) => Promise<{ workspaceId: string; token: string }>
}

export type TestApiOptions = {
  services?: Partial<Services>
  operations?: readonly AnyOperation[]
  http?: Partial<HttpOptions>
  rates?: Partial<Rates>
  /** Default: as many requests at once as a test likes. */
  admission?: Admission
  now?: () => Date
  plan?: string
  locations?: { code: string; name: string }[]
  /** Locations with a prober; the default is all. */
  online?: string[]
  allowsInternalErrors?: boolean
  /** Default off. */
  payments?: PaymentOptions
  /** The connection limit of the database that is made for the test; default `usualConnections`. */
  maxConnections?: number
  /** An empty database of the test's own. */
  database?: Database
  /** Collects the lines that signing in logs. */
  log?: unknown[]
  /** Whether a hash of a password costs what it costs in a service. */
  hasCostlyPasswords?: boolean
}

const defaultLocations = [
  { code: 'amsterdam', name: 'Amsterdam' },
  { code: 'boston', name: 'Boston' },
  { code: 'chennai', name: 'Chennai' },
]
const generousRates: Rates = {
  readsPerMinute: 100_000,
  writesPerMinute: 100_000,
  failuresPerMinute: 100_000,
  registrationsPerMinute: 100_000,
  anonymousPerDay: 100_000,
  strangersPerMinute: 100_000,
  signIns: { perMinute: 100_000, passwordsPerQuarterHour: 100_000, mailsPerHour: 100_000 },
}

/** Tests ask at once what they like, and on machines that are busy. */
function wideAdmission(): Admission {
  const wide = { atOnce: 1000, atOnceEach: 1000 }
  return createAdmission({
    bounds: { reads: wide, writes: wide, long: wide, agents: wide, sign_in: wide, pages: wide, calls: wide },
    loop: { isLate: () => false },
  })
}

/** The whole API on a database of its own, asked through the app's `fetch`. */
export async function testApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { operations = allOperations, now = (): Date => new Date(), locations = defaultLocations } = options
  const { maxConnections = usualConnections } = options
  const database = options.database ?? (await testDatabase({ maxConnections, hasDays: true }))
  const changes: TestApi['changes'] = []
  const errors: unknown[] = []
  const services = {
    ...defaultServices(database, options),
    announceChange: changes.push.bind(changes),
    ...options.services,
  }
  const limits = createLimits({ ...generousRates, ...options.rates })
  const { admission = wideAdmission() } = options
  const people = createPeople({
    ...services,
    limits,
    admission,
    log: logOf(options.log ?? []),
    now,
    ...(options.hasCostlyPasswords === true ? {} : { passwords: quickPasswords }),
  })
  const { readSession } = people
  const authenticate = createAuthenticate({
    database,
    limits,
    readSession,
    onTouchFailure: (error) => errors.push(error),
  })
  const authenticatePerson = createAuthenticatePerson({ readSession })
  const frame = { services, authenticate, authenticatePerson, limits, admission, now }
  const described = { operations, kinds, contactKinds, paymentOffers: advertisedOffers(services.payments) }
  const onError = (error: unknown): void => void errors.push(error)
  const longBodies = createLongBodies()
  const mcp = createMcp({ ...described, frame, longBodies, onError, onUnavailable: () => {}, version: '0.0.0' })
  const app = createHttp({
    operations,
    frame,
    longBodies,
    openApi: createOpenApiSource({
      ...described,
      components,
      publicUrl: services.publicUrl,
      readLocationCodes: () => locationCodes(services),
      now,
    }),
    system: {
      readiness: async () => ({ database: true }),
      metrics: async () => ({ contentType: 'text/plain', text: 'perigee_up 1\n' }),
      status: async () => ({ troubles: [] }),
      operator: { readTokens: () => [], needsToken: false },
    },
    trustedProxies: [],
    addRoutes: (to) =>
      to
        .route('/', statusOf(services, { limits, now }))
        .route('/', agentsOf(services, { limits, admission, now }))
        .route('/', people.routes)
        .route('/', mcp),
    onError,
    ...options.http,
  })
  const token = createTokenText(randomBytes)
  const { workspaceId } = await bootstrap(database, { token, plan: options.plan ?? 'pro', locations, now: now() })
  const reader = await createToken(database, { workspaceId, name: 'Reader', scope: 'read', expiresAt: null }, now())
  const request: TestApi['request'] = (method, path, sent = {}) =>
    ask(
      { app, operations, errors: options.allowsInternalErrors === true ? [] : errors },
      { method, path },
      { token, ...sent },
    )
  return {
    app,
    database,
    services,
    frame,
    changes,
    workspaceId,
    token,
    readToken: reader.text,
    errors,
    request,
    get: (path, sent) => request('GET', path, sent),
    post: (path, body, sent) => request('POST', path, { ...(body === undefined ? {} : { body }), ...sent }),
    addWorkspace: (plan = 'pro') => addWorkspace(database, plan, now()),
  }
}

export { defaultRates }

function logOf(lines: unknown[]): PeopleParts['log'] {
  const write = (message: string, details: Record<string, unknown> = {}): void => void lines.push({ message, details })
  return { debug: write, warn: write, error: write }
}

async function addWorkspace(
  database: Database,
  plan: string,
  now: Date,
): Promise<{ workspaceId: string; token: string }> {
  const workspaceId = crypto.randomUUID()
  await createWorkspace(database, { id: workspaceId, name: 'Another', plan })
  const { text } = await createToken(database, { workspaceId, name: 'Other', scope: 'write', expiresAt: null }, now)
  return { workspaceId, token: text }
}

function paymentsOf(database: Database, secrets: Secrets, options: TestApiOptions): Services['payments'] {
  const now = options.now ?? (() => new Date())
  const publicUrl = options.services?.publicUrl ?? defaultPublicUrl
  const parts = { database, secrets, seller: testSeller, now, publicUrl, onUnknown: () => {} }
  return createPayments(options.payments ?? { mode: 'off' }, parts)
}

const defaultPublicUrl = 'http://perigee.test'

function defaultServices(database: Database, options: TestApiOptions): Services {
  const secrets = createSecrets(randomBytes(32))
  return {
    database,
    secrets,
    announceChange: () => {},
    publishResults: () => assert.fail('this test gave no bus'),
    noteLostCall: () => {},
    tryCheck: () => assert.fail('this test gave no bus'),
    isOnline: (code) => options.online?.includes(code) ?? true,
    witnessOf: (code) => ((options.online?.includes(code) ?? true) ? code : null),
    plans: defaultPlans,
    payments: paymentsOf(database, secrets, options),
    vatIds: createVatIds(noNet, null),
    agentIssuers: [],
    signUp: 'open',
    takesClientDocuments: true,
    isForbiddenAddress: () => false,
    ownNetwork: null,
    canaryTokens: [],
    allowsStatements: true,
    allowsScripts: true,
    publicUrl: defaultPublicUrl,
    readManifest: readManifestsInOne(),
    readUpload: readUploadsInOne(),
    renderTemplates: createTemplates({ timeoutMs: 60_000 }),
    previewStatusPage: createStatusPreview({
      database,
      publicUrl: options.services?.publicUrl ?? defaultPublicUrl,
      sendsMail: true,
      now: options.now ?? (() => new Date()),
    }),
    sendsMail: true,
    readTroubles: async () => [],
    carriers: {
      net: noNet,
      sendMail: () => assert.fail('this test gave no mail'),
    },
  }
}

/** Status pages with their forms; the jobs send the mail. */
function statusOf(services: Services, { limits, now }: { limits: Limits; now: () => Date }): Hono<HttpEnv> {
  const site = createStatusSite({ services, now, sendsMail: services.sendsMail })
  const routes = createStatusRoutes({ site, services, limits, now })
  return routes.route('/', createStatusMailPages({ services, now }))
}

function agentsOf(services: Services, given: { limits: Limits; admission: Admission; now: () => Date }): Hono<HttpEnv> {
  const { database, secrets, publicUrl, agentIssuers: issuers, carriers, takesClientDocuments } = services
  return createAgents({ database, secrets, publicUrl, issuers, takesClientDocuments, carriers, ...given })
}

type Asked = { app: Hono<HttpEnv>; operations: readonly AnyOperation[]; errors: unknown[] }

async function ask(
  { app, operations, errors }: Asked,
  to: { method: string; path: string },
  sent: ApiRequest,
): Promise<Answer> {
  const body = sent.rawBody ?? (sent.body === undefined ? null : JSON.stringify(sent.body))
  const headers = {
    ...(typeof sent.token === 'string' ? { 'X-API-Key': sent.token } : {}),
    ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    ...sent.headers,
  }
  const url = `http://perigee.test${apiRoot}${to.path}`
  const response = await app.request(
    url,
    { method: to.method, headers, body },
    { address: sent.address ?? '192.0.2.1' },
  )
  const text = await response.text()
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : isText(response) ? text : JSON.parse(text),
  }
  if (answer.status === 500 && errors.length > 0) throw errors[0]
  const operation = operations.find(({ method, path }) => method === to.method && serves(path, to.path))
  if (operation !== undefined) assertReply(operation, answer)
  return answer
}

function isText({ headers }: Response): boolean {
  return !/json(?!l)/.test(headers.get('content-type') ?? 'json')
}

/** Whether an operation's path is the one asked; a literal path stands before one with an id in the list. */
function serves(pattern: string, path: string): boolean {
  const [asked = ''] = path.split('?')
  const compiled = patterns.get(pattern) ?? new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
  patterns.set(pattern, compiled)
  return compiled.test(asked)
}

/** By the path of the operation: every answer asks many of them. */
const patterns = new Map<string, RegExp>()

import { canaryContradictions, canaryOf, type CanarySettings, canaryVariables } from './config-canary.ts'
import { isIPv6 } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { AgentIssuer } from '#core/people/agent.ts'
import type { FeedRoots } from '#core/software/feed-roots.ts'
import type { OtlpReceiver } from '#core/results/otlp.ts'
import type { OutsideServices } from '#core/monitors/outside-services.ts'
import { defaultPlans } from '#core/money/plan.ts'
import { agentIssuers } from './config-agents.ts'
import { backupsOf, backupVariables, secretBackupVariables, type BackupSettings } from './config-backups.ts'
import { checkContradictions, checkVariables, servicesOf } from './config-checks.ts'
import { type SecretFile, withFiles } from './config-files.ts'
import { feedsOf, feedVariables } from './config-feeds.ts'
import { keyContradictions, type KeySettings, keysOf, keyVariables, secretKeyVariables } from './config-keys.ts'
import { moneyContradictions, moneyVariables, sellerOf } from './config-money.ts'
import {
  otlpContradictions,
  otlpOf,
  otlpVariables,
  secretOtlpVariables,
  tracesOf,
  type TraceSettings,
} from './config-otlp.ts'
import { paymentContradictions, paymentsOf, paymentVariables, secretPaymentVariables } from './config-payments.ts'
import { natsContradictions, natsOf, natsServers, replicas } from './config-nats.ts'
import {
  address,
  dnsServers,
  hostsAndPorts,
  locations,
  matching,
  plans,
  password,
  privateTargets,
  ranges,
  variable,
  wholeNumber,
} from './config-values.ts'
import type { PaymentOptions } from '#payments/index.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import type { SignUp } from '#core/people/person.ts'
import type { Plans } from '#core/money/plan.ts'
import type { Seller } from '#core/money/receipt.ts'
import type { ConfiguredLocation, HostAndPort } from './config-values.ts'

export type OwnerPerson = { email: string; password: string }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Everything the environment says, read once (docs/configuration.md). */
export type Config = KeySettings & {
  host: string
  /** 0 lets the system choose a free one. */
  port: number
  /** Root of every link handed out, without a final slash; null for the address the service listens at. */
  publicUrl: string | null
  /** Absolute. */
  dataFolder: string
  /** Null for the embedded PostgreSQL. */
  databaseUrl: string | null
  /** Null for the bus in memory. */
  nats: NatsOptions | null
  owner: {
    token: string | null
    plan: string
    /** Who owns the installation; null for a set-up link. */ person: OwnerPerson | null
  }
  signUp: SignUp
  /** Whether programs that ask people for access may be described by a document on the internet. */
  takesClientDocuments: boolean
  plans: Plans
  readsPerMinute: number
  writesPerMinute: number
  /** Registrations of agents from one address. */
  registrationsPerMinute: number
  anonymousPerDay: number
  agentIssuers: AgentIssuer[]
  /** How long results are kept. */
  resultDays: number
  locations: ConfiguredLocation[]
  allowPrivateTargets: 'all' | 'none' | string[]
  /** Ranges that are never dialled, whatever allows them. */
  deniedTargets: string[]
  payments: PaymentOptions
  /** Whom receipts name, and how VAT is declared. */
  seller: Seller
  /** Without a final slash; null where VAT ids are not confirmed. */
  viesUrl: string | null
  smtpUrl: string | null
  mailFrom: string
  /** Empty for the system's own. */
  dnsServers: string[]
  trustedProxies: string[]
  referenceTargets: HostAndPort[]
  asksRootServers: boolean
  /** What the locations of this process are together; null for what its machine is. */
  witness: string | null
  /** Where the key lies with which a location signs the history as well; null where it signs none. */
  countersignFile: string | null
  /** Null where monitors buy nothing. */
  canary: CanarySettings | null
  services: OutsideServices
  /** Whether checks take up TLS sessions again where their monitors do not say. */
  resumesTls: boolean
  /** Whether visits with a browser may run scripts of their monitors. */
  runsScripts: boolean
  /** Where advisories are read. */
  feeds: FeedRoots
  /** With it the NVD lets itself be asked ten times as often. */
  nvdApiKey: string | null
  metricsToken: string | null
  /** Who is told of troubles of the installation itself; null for the log alone. */
  operatorEmail: string | null
  /** Where those who find a weakness write to, as RFC 9116 has it; null where none is named. */
  securityContact: string | null
  /** Called each minute while the installation does what it is for; null for no such call. */
  heartbeatUrl: string | null
  /** Where results are pushed; null for nowhere. */
  otlp: OtlpReceiver | null
  /** Where traces are pushed, and of which share of all rounds; null for none. */
  traces: TraceSettings | null
  backups: BackupSettings
  /** Null for one per spare core. */
  proberThreads: number | null
  /** Whether `perigee start` has its probers in a process of their own; `auto` where there is more than one core. */
  proberProcess: 'auto' | 'on' | 'off'
  logLevel: LogLevel
  /** PERIGEE_ variables that are set and that this release does not read: misspelt, or of another release. */
  unknownVariables: string[]
}

/** The environment says something impossible. Each problem is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const webAddress = 'an http:// or https:// address'
const owned = 'pgk_ followed by 32 to 128 letters and digits'
const file = variable('a file', (text) => resolve(text))
const variables = z.object({
  PERIGEE_HOST: matching('a host name or address to listen at', /^[A-Za-z0-9._:%-]{1,253}$/).default('127.0.0.1'),
  PERIGEE_PORT: wholeNumber(0, 65_535).default(3000),
  PERIGEE_PUBLIC_URL: address(webAddress, ['http', 'https']).optional(),
  PERIGEE_DATA_DIR: variable('a folder', (text) => resolve(text)).prefault('data'),
  PERIGEE_DATABASE_URL: address('a postgres:// address', ['postgres', 'postgresql']).optional(),
  PERIGEE_NATS_URL: variable(
    'up to 100 addresses as nats://host:port or tls://host:port, all of one kind and with the same user:password@ or token@, if any',
    natsServers,
  ).optional(),
  PERIGEE_NATS_CREDENTIALS: file.optional(),
  PERIGEE_NATS_CA: file.optional(),
  PERIGEE_NATS_CERT: file.optional(),
  PERIGEE_NATS_KEY: file.optional(),
  PERIGEE_NATS_REPLICAS: variable('1, 3 or 5', replicas).prefault('1'),
  PERIGEE_NATS_STORAGE: z.enum(['file', 'memory'], { error: 'file or memory' }).default('file'),
  PERIGEE_NATS_MAX_MB: wholeNumber(1, 1_000_000).default(1024),
  ...keyVariables,
  PERIGEE_OWNER_TOKEN: matching(owned, /^pgk_[A-Za-z0-9]{32,128}$/).optional(),
  PERIGEE_OWNER_PLAN: z.string().default('pro'),
  PERIGEE_OWNER_EMAIL: z.email({ error: 'a mail address' }).max(254, 'a mail address').optional(),
  PERIGEE_OWNER_PASSWORD: variable('10 to 128 characters', password).optional(),
  PERIGEE_SIGN_UP: z.enum(['open', 'invited'], { error: 'open or invited' }).default('invited'),
  PERIGEE_CLIENT_DOCUMENTS: z.enum(['on', 'off'], { error: 'on or off' }).default('on'),
  PERIGEE_PLANS: z.string().transform(plans).default(defaultPlans),
  PERIGEE_READS_PER_MINUTE: wholeNumber(1, 1_000_000).default(300),
  PERIGEE_WRITES_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
  PERIGEE_REGISTRATIONS_PER_MINUTE: wholeNumber(1, 1_000_000).default(10),
  PERIGEE_ANONYMOUS_PER_DAY: wholeNumber(0, 1_000_000).default(20),
  PERIGEE_AGENT_ISSUERS: variable(
    'a JSON list of up to 50 different providers such as [{"issuer":"https://login.example.com","jwks_uri":"https://login.example.com/jwks.json","name":"Example"}]',
    agentIssuers,
  ).prefault('[]'),
  PERIGEE_RESULT_DAYS: wholeNumber(2, 1000).default(90),
  PERIGEE_LOCATIONS: variable(
    'up to 32 different locations as code=Name,code=Name, a code being up to 32 lower-case letters, digits and single dashes',
    locations,
  ).prefault('local=This machine'),
  PERIGEE_ALLOW_PRIVATE_TARGETS: variable(
    'true, false or a list of ranges such as 10.0.0.0/8,fd00::/8',
    privateTargets,
  ).prefault('false'),
  PERIGEE_DENIED_TARGETS: variable('a list of ranges such as 192.0.2.0/24,2001:db8::/32', ranges).default([]),
  PERIGEE_PAYMENTS: z.enum(['off', 'sandbox', 'live'], { error: 'off, sandbox or live' }).default('off'),
  ...paymentVariables,
  ...moneyVariables,
  PERIGEE_SMTP_URL: address('an smtp:// or smtps:// address', ['smtp', 'smtps']).optional(),
  PERIGEE_MAIL_FROM: matching(
    'a mail address such as Perigee <alerts@example.com>',
    /^[^\r\n]{0,200}[^\s<>@]@[^\s<>@]{1,253}>?$/,
  ).default('Perigee <perigee@localhost>'),
  PERIGEE_DNS_SERVERS: variable(
    'a list of addresses with or without a port, such as 192.0.2.53,[2001:db8::53]:5353',
    dnsServers,
  ).default([]),
  PERIGEE_TRUSTED_PROXIES: variable('a list of ranges such as 10.0.0.0/8,fd00::/8', ranges).default([]),
  PERIGEE_REFERENCE_TARGETS: variable('a list of host:port', hostsAndPorts).default([]),
  PERIGEE_ROOT_SERVERS: z.enum(['ask', 'off'], { error: 'ask or off' }).default('ask'),
  PERIGEE_WITNESS: matching('up to 64 letters, digits, dots, dashes and underscores', /^[\w.-]{1,64}$/).optional(),
  PERIGEE_COUNTERSIGN_FILE: file.optional(),
  ...checkVariables,
  ...feedVariables,
  PERIGEE_OPERATOR_EMAIL: z.email({ error: 'a mail address' }).max(254, 'a mail address').optional(),
  PERIGEE_SECURITY_CONTACT: matching(
    'a mailto: or https:// address',
    /^(?:mailto:[^\s@]{1,64}@[^\s@]{1,200}|https:\/\/\S{1,300})$/,
  ).optional(),
  PERIGEE_HEARTBEAT_URL: address(webAddress, ['http', 'https']).optional(),
  ...otlpVariables,
  ...canaryVariables,
  ...backupVariables,
  PERIGEE_METRICS_TOKEN: matching('16 to 256 visible characters', /^[!-~]{16,256}$/).optional(),
  PERIGEE_PROBER_THREADS: wholeNumber(1, 64).optional(),
  PERIGEE_PROBER_PROCESS: z.enum(['auto', 'on', 'off'], { error: 'auto, on or off' }).default('auto'),
  PERIGEE_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'], { error: 'debug, info, warn or error' })
    .default('warn'),
})
type Variables = z.infer<typeof variables>

/** Their text could carry a secret, so a problem with them tells only its length. */
const secretVariables = new Set<string>([
  'PERIGEE_DATABASE_URL',
  'PERIGEE_NATS_URL',
  'PERIGEE_OWNER_TOKEN',
  'PERIGEE_OWNER_PASSWORD',
  'PERIGEE_SMTP_URL',
  'PERIGEE_NVD_API_KEY',
  'PERIGEE_METRICS_TOKEN',
  'PERIGEE_HEARTBEAT_URL',
  ...secretKeyVariables,
  ...secretOtlpVariables,
  ...secretBackupVariables,
  ...secretPaymentVariables,
])

/** Throws ConfigError with a line for each problem. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { config, problems } = examineConfig(environment)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** What the environment says and what is wrong with it, for a command that has to work without a sound configuration. */
export type ExaminedConfig = {
  /** Variables that cannot be read count as not set. */
  config: Config
  /** A line each; none where a process would start. */
  problems: readonly string[]
  /** The variables that are set and cannot be read. */
  unread: ReadonlySet<string>
  /** All that are set, with what may be shown of them. */
  settings: readonly { name: string; shown: string }[]
  secretFiles: readonly SecretFile[]
  knownVariables: readonly string[]
}

/** An empty variable counts as not set. */
export function examineConfig(environment: NodeJS.ProcessEnv = process.env): ExaminedConfig {
  const set = Object.fromEntries(
    Object.entries(environment).filter(
      ([name, text]) => name.startsWith('PERIGEE_') && text !== undefined && text.trim() !== '',
    ),
  )
  const { given, files, ...fromFiles } = withFiles(set, secretVariables)
  const parsed = variables.safeParse(given)
  const issues = parsed.error?.issues ?? []
  const unread = new Set([...fromFiles.unread, ...issues.map(nameOf)])
  const read =
    parsed.data ?? variables.parse(Object.fromEntries(Object.entries(given).filter(([name]) => !unread.has(name))))
  const single = [...fromFiles.problems, ...issues.map((issue) => problem(issue, given))]
  const unknownVariables = Object.keys(given).filter((name) => !(name in variables.shape))
  return {
    config: { ...toConfig(read), unknownVariables },
    // Where a variable cannot be read, what it does not fit with is not known.
    problems: single.length > 0 ? single : contradictions(read),
    unread,
    settings: Object.entries(set).map(([name, text = '']) => ({ name, shown: shownSetting(name, text) })),
    secretFiles: files,
    knownVariables: Object.keys(variables.shape),
  }
}

/** `http://host:port`, with brackets where the host is an IPv6 address. */
export function httpAddress(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

function toConfig(read: Variables): Omit<Config, 'unknownVariables'> {
  return {
    host: read.PERIGEE_HOST,
    port: read.PERIGEE_PORT,
    publicUrl: read.PERIGEE_PUBLIC_URL ?? null,
    dataFolder: read.PERIGEE_DATA_DIR,
    databaseUrl: read.PERIGEE_DATABASE_URL ?? null,
    nats: natsOf(read),
    ...keysOf(read),
    owner: { token: read.PERIGEE_OWNER_TOKEN ?? null, plan: read.PERIGEE_OWNER_PLAN, person: ownerOf(read) },
    signUp: read.PERIGEE_SIGN_UP,
    takesClientDocuments: read.PERIGEE_CLIENT_DOCUMENTS === 'on',
    plans: read.PERIGEE_PLANS,
    readsPerMinute: read.PERIGEE_READS_PER_MINUTE,
    writesPerMinute: read.PERIGEE_WRITES_PER_MINUTE,
    registrationsPerMinute: read.PERIGEE_REGISTRATIONS_PER_MINUTE,
    anonymousPerDay: read.PERIGEE_ANONYMOUS_PER_DAY,
    agentIssuers: read.PERIGEE_AGENT_ISSUERS,
    resultDays: read.PERIGEE_RESULT_DAYS,
    locations: read.PERIGEE_LOCATIONS,
    allowPrivateTargets: read.PERIGEE_ALLOW_PRIVATE_TARGETS,
    deniedTargets: read.PERIGEE_DENIED_TARGETS,
    payments: paymentsOf(read),
    seller: sellerOf(read),
    viesUrl: read.PERIGEE_VIES_URL ?? null,
    smtpUrl: read.PERIGEE_SMTP_URL ?? null,
    mailFrom: read.PERIGEE_MAIL_FROM,
    dnsServers: read.PERIGEE_DNS_SERVERS,
    trustedProxies: read.PERIGEE_TRUSTED_PROXIES,
    referenceTargets: read.PERIGEE_REFERENCE_TARGETS,
    asksRootServers: read.PERIGEE_ROOT_SERVERS === 'ask',
    witness: read.PERIGEE_WITNESS ?? null,
    countersignFile: read.PERIGEE_COUNTERSIGN_FILE ?? null,
    services: servicesOf(read),
    resumesTls: read.PERIGEE_TLS_RESUMPTION === 'on',
    runsScripts: read.PERIGEE_BROWSER_SCRIPTS === 'on',
    feeds: feedsOf(read),
    nvdApiKey: read.PERIGEE_NVD_API_KEY ?? null,
    metricsToken: read.PERIGEE_METRICS_TOKEN ?? null,
    operatorEmail: read.PERIGEE_OPERATOR_EMAIL ?? null,
    securityContact: read.PERIGEE_SECURITY_CONTACT ?? null,
    heartbeatUrl: read.PERIGEE_HEARTBEAT_URL ?? null,
    otlp: otlpOf(read),
    canary: canaryOf(read),
    traces: tracesOf(read),
    backups: backupsOf(read),
    proberThreads: read.PERIGEE_PROBER_THREADS ?? null,
    proberProcess: read.PERIGEE_PROBER_PROCESS,
    logLevel: read.PERIGEE_LOG_LEVEL,
  }
}

function ownerOf({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: secret }: Variables): OwnerPerson | null {
  return email === undefined || secret === undefined ? null : { email, password: secret }
}

/** What no variable can tell alone. */
function contradictions(read: Variables): string[] {
  const problems = [
    ...natsContradictions(read),
    ...paymentContradictions(read, read.PERIGEE_PAYMENTS === 'live'),
    ...moneyContradictions(read),
    ...otlpContradictions(read),
    ...canaryContradictions(read),
    ...checkContradictions(read),
    ...keyContradictions(read),
  ]
  if (read.PERIGEE_DATABASE_URL !== undefined && read.PERIGEE_SECRET_KEY === undefined)
    problems.push(
      'PERIGEE_SECRET_KEY is required with PERIGEE_DATABASE_URL: 32 bytes in base64 (made by "openssl rand -base64 32"), the same for every process on that database.',
    )
  if ((read.PERIGEE_OWNER_EMAIL === undefined) !== (read.PERIGEE_OWNER_PASSWORD === undefined))
    problems.push('PERIGEE_OWNER_EMAIL and PERIGEE_OWNER_PASSWORD must be set together.')
  if (!(read.PERIGEE_OWNER_PLAN in read.PERIGEE_PLANS))
    problems.push(
      `PERIGEE_OWNER_PLAN must be one of ${Object.keys(read.PERIGEE_PLANS).join(', ')}; it is ${shown(read.PERIGEE_OWNER_PLAN)}.`,
    )
  return problems
}

function problem(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const name = nameOf(issue)
  const text = given[name] ?? ''
  const got = secretVariables.has(name) ? `${text.length} characters that are not shown` : shown(text)
  return `${name} must be ${issue.message}; it is ${got}.`
}

function nameOf(issue: z.core.$ZodIssue): string {
  return String(issue.path[0])
}

/**
 * Addresses may hold a password, and keys among their parameters, whichever variable they are in. A variable that is not
 * known may be a secret whose name is misspelt.
 */
function shownSetting(name: string, text: string): string {
  const isShown = name in variables.shape ? !secretVariables.has(name) : isSecretFile(name)
  if (!isShown) return 'set, not shown'
  return shown(text.replaceAll(/\/\/[^/@\s]*@/g, '//…@').replaceAll(/\?[^\s,"]*/g, '?…'))
}

function isSecretFile(name: string): boolean {
  return name.endsWith('_FILE') && secretVariables.has(name.slice(0, -'_FILE'.length))
}

function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}

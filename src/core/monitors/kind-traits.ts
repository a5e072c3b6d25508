// What the service has to know of a kind of monitor without asking its code. Everything that treats kinds differently
// reads this table; SQL gets the lists below as parameters.
import { inWords } from '#core/language/in-words.ts'

export type KindTraits = {
  /** Where results come from: checks that locations make, calls to the monitor's address, or the group's members. */
  source: 'probed' | 'called' | 'group'
  /** A monitor takes one location and costs one. */
  isSingle: boolean
  /** The end that checks report, if they report one: of a certificate or of a domain's registration. */
  reportedEnd: 'certificate' | 'domain' | null
  /**
   * The registered domain of the target is looked up beside the checks, and `expiry_alerts` decides whether its end and
   * the certificate's alert. A kind whose own `warn_days` make it degraded needs no such alerts.
   */
  hasExpiryAlerts: boolean
  /** Whether the software of the target is scanned: always, where `vulnerability_alerts` is on, or never. */
  software: 'always' | 'chosen' | 'none'
  /** What a check may take where that is not the monitor's own timeout; 0 where it is. */
  longestCheckMs: number
  /**
   * Whether the first connection of a check leads to the target itself, so that its address is the target's, and not to
   * a name server, a registry or a service that is asked about the target.
   */
  dialsTarget: boolean
  /** A check is one web request, so that the API shows every phase of it, null where it did not get that far. */
  isWebRequest: boolean
  /** Checked by probers that do nothing else, where a location has such. */
  needsBrowser: boolean
}

const probed = {
  source: 'probed',
  isSingle: false,
  reportedEnd: null,
  hasExpiryAlerts: false,
  software: 'none',
  longestCheckMs: 0,
  dialsTarget: false,
  isWebRequest: false,
  needsBrowser: false,
} as const satisfies KindTraits

const dialling = { ...probed, dialsTarget: true } as const satisfies KindTraits

const website = {
  ...dialling,
  reportedEnd: 'certificate',
  hasExpiryAlerts: true,
  software: 'chosen',
  isWebRequest: true,
} as const satisfies KindTraits

const called = { ...probed, source: 'called', isSingle: true } as const satisfies KindTraits

/** A new kind is a line here; what else it needs then fails to compile until it is there. The API lists this order. */
export const kindTraits = {
  http: website,
  api: website,
  ssl: { ...dialling, reportedEnd: 'certificate' },
  domain: { ...probed, reportedEnd: 'domain' },
  dns: probed,
  blacklist: probed,
  email_auth: probed,
  malware: probed,
  tcp: dialling,
  ssh: dialling,
  smtp: dialling,
  imap: dialling,
  pop: dialling,
  ftps: dialling,
  ping: dialling,
  ntp: dialling,
  udp: dialling,
  // A neutral name: the protocols that it speaks belong to several vendors.
  game_server: dialling,
  transaction: dialling,
  micro_transaction: dialling,
  extended_transaction: dialling,
  group: { ...probed, source: 'group', isSingle: true },
  cloud_status: probed,
  // A measurement loads the page in a browser whose connection and processor are slowed down on purpose.
  page_speed: { ...probed, longestCheckMs: 120_000 },
  webhook: called,
  heartbeat: called,
  paid_endpoint: { ...dialling, isWebRequest: true },
  // The first answer has the monitor's own time; a listing that is fetched after it has the rest of this.
  repository: { ...dialling, isSingle: true, software: 'always', longestCheckMs: 60_000 },
  redis: dialling,
  postgresql: dialling,
  mysql: dialling,
  ldap: dialling,
  snmp: dialling,
  websocket: dialling,
  mqtt: dialling,
  grpc: dialling,
  rabbitmq: dialling,
  push_metric: called,
  // A browser has to be started, and steps have as long as the page each.
  browser: { ...probed, longestCheckMs: 60_000, needsBrowser: true },
} as const satisfies Readonly<Record<string, KindTraits>>

export type KindName = keyof typeof kindTraits

/** Kinds that a location checks. */
export type ProbedKind = NamesWith<'source', 'probed'>
/** Kinds whose software is scanned. */
export type ScannedKind = NamesWith<'software', 'always' | 'chosen'>

type NamesWith<Trait extends keyof KindTraits, Value> = {
  [Name in KindName]: (typeof kindTraits)[Name][Trait] extends Value ? Name : never
}[KindName]

export const kindNames: readonly KindName[] = Object.keys(kindTraits).filter(isKindName)

/** Kind of a monitor whose input names none. */
export const usualKind = 'http' satisfies KindName

/** Kinds without a target, which no location checks: a call or the members of a group make their results. */
export const passiveKinds: readonly KindName[] = kindsWhere(({ source }) => source !== 'probed')
/** Kinds that have an address of their own to be called at, and a time that a call may be late. */
export const calledKinds: readonly KindName[] = kindsWhere(({ source }) => source === 'called')
export const singleLocationKinds: readonly KindName[] = kindsWhere(({ isSingle }) => isSingle)
/** Kinds whose checks report the end of a registration. */
export const registrationKinds: readonly KindName[] = kindsWhere(({ reportedEnd }) => reportedEnd === 'domain')
export const expiryAlertKinds: readonly KindName[] = kindsWhere(({ hasExpiryAlerts }) => hasExpiryAlerts)
/** Kinds whose software is scanned whatever `vulnerability_alerts` says. */
export const alwaysScannedKinds: readonly KindName[] = kindsWhere(({ software }) => software === 'always')
/** Kinds whose software is scanned where `vulnerability_alerts` is on. */
export const choosablyScannedKinds: readonly KindName[] = kindsWhere(({ software }) => software === 'chosen')
/** Milliseconds that checks may take, of the kinds where that is not the monitor's own timeout. */
export const longestChecks: Readonly<Record<string, number>> = Object.fromEntries(
  kindsWhere(({ longestCheckMs }) => longestCheckMs > 0).map((name) => [name, kindTraits[name].longestCheckMs]),
)
/** As a sentence names them: `http, api and repository`. */
export const scannedKindsText: string = inWords(kindsWhere(({ software }) => software !== 'none'))

/** Milliseconds that a check of a monitor may take. A prober may be asked for a kind of a later release. */
export function checkTimeMs({ kind, timeoutMs }: { kind: KindName; timeoutMs: number }): number {
  return longestChecks[kind] ?? timeoutMs
}

function kindsWhere(holds: (traits: KindTraits) => boolean): readonly KindName[] {
  return kindNames.filter((name) => holds(kindTraits[name]))
}

export function isKindName(text: string): text is KindName {
  return Object.hasOwn(kindTraits, text)
}

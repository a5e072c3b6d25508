import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isKindName, kindTraits } from '#core/monitors/kind-traits.ts'
import type { KindName } from '../../api/monitors.ts'

/** What people call a kind. What it takes is in its schema, what it is in that's description. */
export type KindWords = {
  title: MessageDescriptor
  /** Where the kind stands when one is chosen. */
  group: keyof typeof groupTitles
  /**
   * Which requests its checks send. `whole`: method, headers, body and what is expected of the answer count; `sent`: the
   * first three; `headers`: the headers alone.
   */
  request?: 'whole' | 'sent' | 'headers'
}

const groupTitles = {
  web: msg`Web`,
  network: msg`Network`,
  names: msg`Names and certificates`,
  mail: msg`Mail`,
  servers: msg`Servers and files`,
  safety: msg`Code and safety`,
  jobs: msg`Jobs and groups`,
} as const satisfies Readonly<Record<string, MessageDescriptor>>

/** In the order in which kinds are offered, within each group. */
export const kindWords: Readonly<Record<KindName, KindWords>> = {
  http: {
    title: msg`Website`,
    group: 'web',
    request: 'whole',
  },
  api: {
    title: msg`HTTP API`,
    group: 'web',
    request: 'whole',
  },
  websocket: {
    title: msg`WebSocket`,
    group: 'web',
    request: 'headers',
  },
  grpc: {
    title: msg`gRPC`,
    group: 'web',
    request: 'headers',
  },
  browser: {
    title: msg`Page in a browser`,
    group: 'web',
  },
  page_speed: {
    title: msg`Page speed`,
    group: 'web',
  },
  transaction: {
    title: msg`Transaction`,
    group: 'web',
    request: 'whole',
  },
  micro_transaction: {
    title: msg`Short transaction`,
    group: 'web',
    request: 'whole',
  },
  extended_transaction: {
    title: msg`Long transaction`,
    group: 'web',
    request: 'whole',
  },
  cloud_status: {
    title: msg`Cloud provider`,
    group: 'web',
    request: 'headers',
  },
  paid_endpoint: {
    title: msg`Endpoint that sells`,
    group: 'web',
    request: 'sent',
  },
  ping: {
    title: msg`Ping`,
    group: 'network',
  },
  tcp: {
    title: msg`TCP port`,
    group: 'network',
  },
  udp: {
    title: msg`UDP service`,
    group: 'network',
  },
  ssh: {
    title: msg`SSH server`,
    group: 'servers',
  },
  ftps: {
    title: msg`FTPS server`,
    group: 'servers',
  },
  ntp: {
    title: msg`Time server`,
    group: 'network',
  },
  game_server: {
    title: msg`Game server`,
    group: 'servers',
  },
  smtp: {
    title: msg`Mail server (SMTP)`,
    group: 'mail',
  },
  imap: {
    title: msg`Mailbox (IMAP)`,
    group: 'mail',
  },
  pop: {
    title: msg`Mailbox (POP3)`,
    group: 'mail',
  },
  email_auth: {
    title: msg`Mail authentication`,
    group: 'mail',
  },
  blacklist: {
    title: msg`DNS blacklist`,
    group: 'mail',
  },
  domain: {
    title: msg`Domain registration`,
    group: 'names',
  },
  dns: {
    title: msg`DNS records`,
    group: 'names',
  },
  ssl: {
    title: msg`Certificate`,
    group: 'names',
  },
  malware: {
    title: msg`Malware lists`,
    group: 'safety',
  },
  repository: {
    title: msg`Repository`,
    group: 'safety',
  },
  heartbeat: {
    title: msg`Heartbeat`,
    group: 'jobs',
  },
  webhook: {
    title: msg`Webhook`,
    group: 'jobs',
  },
  push_metric: {
    title: msg`Number by call`,
    group: 'jobs',
  },
  postgresql: {
    title: msg`PostgreSQL`,
    group: 'servers',
  },
  mqtt: {
    title: msg`MQTT`,
    group: 'servers',
  },
  rabbitmq: {
    title: msg`RabbitMQ`,
    group: 'servers',
  },
  mysql: {
    title: msg`MySQL or MariaDB`,
    group: 'servers',
  },
  ldap: {
    title: msg`LDAP`,
    group: 'servers',
  },
  snmp: {
    title: msg`SNMP`,
    group: 'servers',
  },
  redis: {
    title: msg`Redis`,
    group: 'servers',
  },
  group: {
    title: msg`Group`,
    group: 'jobs',
  },
}

const kinds = Object.keys(kindWords).filter(isKindName)

/** Kinds that differ in how much they take, and nothing else: chosen as one, then by that. The least comes first. */
export const stepKinds = ['micro_transaction', 'transaction', 'extended_transaction'] as const satisfies KindName[]

export const kindGroups: readonly { title: MessageDescriptor; kinds: readonly KindName[] }[] = Object.entries(
  groupTitles,
).map(([name, title]) => ({ title, kinds: kinds.filter((kind) => kindWords[kind].group === name) }))

/** What people call it. */
export function kindTitle(kind: KindName): string {
  return i18n._(kindWords[kind].title)
}

/** Whether a kind has an address of its own to be called at, and a time that a call may be late. */
export function isCalled(kind: KindName): boolean {
  return kindTraits[kind].source === 'called'
}

/** Whether a location checks the target of this kind. */
export function isProbed(kind: KindName): boolean {
  return kindTraits[kind].source === 'probed'
}

/** Whether the software of the target can be followed. */
export function isScanned(kind: KindName): boolean {
  return kindTraits[kind].software !== 'none'
}

import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isKindName, kindTraits } from '#core/monitors/kind-traits.ts'
import type { KindName } from '../../api/monitors.ts'

/** What people call a kind, and where they begin. What it takes is in its schema, what it is in that's description. */
export type KindWords = {
  title: MessageDescriptor
  /** Where the kind stands when one is chosen. */
  group: keyof typeof groupTitles
  /** Label of the field `url`; null where there is no target. */
  target: MessageDescriptor | null
  example: string
  /** How often it makes sense to look, where that is not every five minutes. */
  intervalSeconds?: number
  /** Which requests its checks send: then method, headers, body and the rest count. */
  request?: 'whole' | 'headers'
}

const groupTitles = {
  web: msg`Web`,
  servers: msg`Servers and network`,
  mail: msg`Mail`,
  security: msg`Domains and security`,
  others: msg`Jobs, other systems, groups`,
} as const satisfies Readonly<Record<string, MessageDescriptor>>

const hour = 3600

/** In the order in which kinds are offered, within each group. */
export const kindWords: Readonly<Record<KindName, KindWords>> = {
  http: {
    title: msg`Website`,
    group: 'web',
    target: msg`Address`,
    example: 'https://www.example.com',
    request: 'whole',
  },
  api: {
    title: msg`HTTP API`,
    group: 'web',
    target: msg`Address`,
    example: 'https://api.example.com/v1/health',
    request: 'whole',
  },
  page_speed: {
    title: msg`Page speed`,
    group: 'web',
    target: msg`Address`,
    example: 'https://www.example.com',
    intervalSeconds: hour,
  },
  transaction: {
    title: msg`Transaction`,
    group: 'web',
    target: msg`Address`,
    example: 'https://shop.example.com',
    request: 'whole',
  },
  micro_transaction: {
    title: msg`Short transaction`,
    group: 'web',
    target: msg`Address`,
    example: 'https://shop.example.com',
    request: 'whole',
  },
  extended_transaction: {
    title: msg`Long transaction`,
    group: 'web',
    target: msg`Address`,
    example: 'https://shop.example.com',
    request: 'whole',
  },
  cloud_status: {
    title: msg`Cloud provider`,
    group: 'web',
    target: msg`Address of the status page`,
    example: 'https://status.example.com',
    request: 'headers',
  },
  ping: { title: msg`Ping`, group: 'servers', target: msg`Host`, example: 'router.example.com' },
  tcp: { title: msg`TCP port`, group: 'servers', target: msg`Host and port`, example: 'db.example.com:5432' },
  udp: { title: msg`UDP service`, group: 'servers', target: msg`Host and port`, example: 'voice.example.com:3478' },
  ssh: { title: msg`SSH server`, group: 'servers', target: msg`Host`, example: 'ssh.example.com' },
  ftps: { title: msg`FTPS server`, group: 'servers', target: msg`Host`, example: 'ftp.example.com' },
  ntp: { title: msg`Time server`, group: 'servers', target: msg`Host`, example: 'time.example.com' },
  game_server: { title: msg`Game server`, group: 'servers', target: msg`Host`, example: 'play.example.com' },
  smtp: { title: msg`Mail server (SMTP)`, group: 'mail', target: msg`Host`, example: 'mail.example.com' },
  imap: { title: msg`Mailboxes (IMAP)`, group: 'mail', target: msg`Host`, example: 'imap.example.com' },
  pop: { title: msg`Mailboxes (POP3)`, group: 'mail', target: msg`Host`, example: 'pop.example.com' },
  email_auth: {
    title: msg`Mail authentication`,
    group: 'mail',
    target: msg`Domain`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  blacklist: {
    title: msg`DNS blacklist`,
    group: 'mail',
    target: msg`Domain or host`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  domain: {
    title: msg`Domain registration`,
    group: 'security',
    target: msg`Domain`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  dns: { title: msg`DNS records`, group: 'security', target: msg`Domain name`, example: 'example.com' },
  ssl: {
    title: msg`Certificate`,
    group: 'security',
    target: msg`Host`,
    example: 'www.example.com',
    intervalSeconds: hour,
  },
  malware: {
    title: msg`Malware lists`,
    group: 'security',
    target: msg`Address`,
    example: 'https://www.example.com',
    intervalSeconds: hour,
  },
  repository: {
    title: msg`Repository`,
    group: 'security',
    target: msg`Address of the repository`,
    example: 'https://github.com/example/shop',
    intervalSeconds: hour,
  },
  heartbeat: { title: msg`Heartbeat`, group: 'others', target: null, example: '', intervalSeconds: 24 * hour },
  webhook: { title: msg`Webhook`, group: 'others', target: null, example: '', intervalSeconds: hour },
  group: { title: msg`Group`, group: 'others', target: null, example: '' },
}

const kinds = Object.keys(kindWords).filter(isKindName)

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

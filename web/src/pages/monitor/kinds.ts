import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { KindName } from '../../api/monitors.ts'

/** What people call a kind, and where they begin. What it takes is in its schema, what it is in that's description. */
export type KindWords = {
  title: MessageDescriptor
  /** Of the field `url`; null where there is no target. */
  target: MessageDescriptor | null
  example: string
  /** How often it makes sense to look, where that is not every five minutes. */
  intervalSeconds?: number
  /** Which requests its checks send: then method, headers, body and the rest count. */
  request?: 'whole' | 'headers'
}

const hour = 3600

export const kindWords: Readonly<Record<KindName, KindWords>> = {
  http: { title: msg`Website`, target: msg`Address`, example: 'https://www.example.com', request: 'whole' },
  api: { title: msg`HTTP API`, target: msg`Address`, example: 'https://api.example.com/v1/health', request: 'whole' },
  transaction: { title: msg`Transaction`, target: msg`Address`, example: 'https://shop.example.com', request: 'whole' },
  micro_transaction: {
    title: msg`Short transaction`,
    target: msg`Address`,
    example: 'https://shop.example.com',
    request: 'whole',
  },
  extended_transaction: {
    title: msg`Long transaction`,
    target: msg`Address`,
    example: 'https://shop.example.com',
    request: 'whole',
  },
  page_speed: {
    title: msg`Page speed`,
    target: msg`Address`,
    example: 'https://www.example.com',
    intervalSeconds: hour,
  },
  cloud_status: {
    title: msg`Cloud provider`,
    target: msg`Address of the status page`,
    example: 'https://status.example.com',
    request: 'headers',
  },
  ping: { title: msg`Ping`, target: msg`Host`, example: 'router.example.com' },
  tcp: { title: msg`TCP port`, target: msg`Host and port`, example: 'db.example.com:5432' },
  udp: { title: msg`UDP service`, target: msg`Host and port`, example: 'voice.example.com:3478' },
  ssh: { title: msg`SSH server`, target: msg`Host`, example: 'ssh.example.com' },
  ftps: { title: msg`FTPS server`, target: msg`Host`, example: 'ftp.example.com' },
  ntp: { title: msg`Time server`, target: msg`Host`, example: 'time.example.com' },
  game_server: { title: msg`Game server`, target: msg`Host`, example: 'play.example.com' },
  smtp: { title: msg`Mail server (SMTP)`, target: msg`Host`, example: 'mail.example.com' },
  imap: { title: msg`Mailboxes (IMAP)`, target: msg`Host`, example: 'imap.example.com' },
  pop: { title: msg`Mailboxes (POP3)`, target: msg`Host`, example: 'pop.example.com' },
  email_auth: { title: msg`Mail authentication`, target: msg`Domain`, example: 'example.com', intervalSeconds: hour },
  blacklist: { title: msg`DNS blacklist`, target: msg`Domain or host`, example: 'example.com', intervalSeconds: hour },
  dns: { title: msg`DNS records`, target: msg`Domain name`, example: 'example.com' },
  domain: { title: msg`Domain registration`, target: msg`Domain`, example: 'example.com', intervalSeconds: hour },
  ssl: { title: msg`Certificate`, target: msg`Host`, example: 'www.example.com', intervalSeconds: hour },
  malware: {
    title: msg`Malware lists`,
    target: msg`Address`,
    example: 'https://www.example.com',
    intervalSeconds: hour,
  },
  repository: {
    title: msg`Repository`,
    target: msg`Address of the repository`,
    example: 'https://github.com/example/shop',
    intervalSeconds: hour,
  },
  heartbeat: { title: msg`Heartbeat`, target: null, example: '', intervalSeconds: 24 * hour },
  webhook: { title: msg`Webhook`, target: null, example: '', intervalSeconds: hour },
  group: { title: msg`Group`, target: null, example: '' },
}

export const kindGroups: readonly { title: MessageDescriptor; kinds: readonly KindName[] }[] = [
  {
    title: msg`Web`,
    kinds: ['http', 'api', 'page_speed', 'transaction', 'micro_transaction', 'extended_transaction', 'cloud_status'],
  },
  { title: msg`Servers and network`, kinds: ['ping', 'tcp', 'udp', 'ssh', 'ftps', 'ntp', 'game_server'] },
  { title: msg`Mail`, kinds: ['smtp', 'imap', 'pop', 'email_auth', 'blacklist'] },
  { title: msg`Domains and security`, kinds: ['domain', 'dns', 'ssl', 'malware', 'repository'] },
  { title: msg`Jobs, other systems, groups`, kinds: ['heartbeat', 'webhook', 'group'] },
]

/** What people call it. */
export function kindTitle(kind: KindName): string {
  return i18n._(kindWords[kind].title)
}

/** Whether a text of an address names a kind. */
export function isKind(text: string): text is KindName {
  return Object.hasOwn(kindWords, text)
}

/** Kinds that are called: with an address of their own, and a time that a call may be late. */
export function isCalled(kind: KindName): boolean {
  return kind === 'heartbeat' || kind === 'webhook'
}

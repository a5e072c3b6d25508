import type { KindName } from '../../api/monitors.ts'

/** What people call a kind, and where they begin. What it takes is in its schema, what it is in that's description. */
export type KindWords = {
  title: string
  /** Of the field `url`; null where there is no target. */
  target: string | null
  example: string
  /** How often it makes sense to look, where that is not every five minutes. */
  intervalSeconds?: number
  /** Which requests its checks send: then method, headers, body and the rest count. */
  request?: 'whole' | 'headers'
}

const hour = 3600

export const kindWords: Readonly<Record<KindName, KindWords>> = {
  http: { title: 'Website', target: 'Address', example: 'https://www.example.com', request: 'whole' },
  api: { title: 'HTTP API', target: 'Address', example: 'https://api.example.com/v1/health', request: 'whole' },
  transaction: { title: 'Transaction', target: 'Address', example: 'https://shop.example.com', request: 'whole' },
  micro_transaction: {
    title: 'Short transaction',
    target: 'Address',
    example: 'https://shop.example.com',
    request: 'whole',
  },
  extended_transaction: {
    title: 'Long transaction',
    target: 'Address',
    example: 'https://shop.example.com',
    request: 'whole',
  },
  page_speed: { title: 'Page speed', target: 'Address', example: 'https://www.example.com', intervalSeconds: hour },
  cloud_status: {
    title: 'Cloud provider',
    target: 'Address of the status page',
    example: 'https://status.example.com',
    request: 'headers',
  },
  ping: { title: 'Ping', target: 'Host', example: 'router.example.com' },
  tcp: { title: 'TCP port', target: 'Host and port', example: 'db.example.com:5432' },
  udp: { title: 'UDP service', target: 'Host and port', example: 'voice.example.com:3478' },
  ssh: { title: 'SSH server', target: 'Host', example: 'ssh.example.com' },
  ftps: { title: 'FTPS server', target: 'Host', example: 'ftp.example.com' },
  ntp: { title: 'Time server', target: 'Host', example: 'time.example.com' },
  game_server: { title: 'Game server', target: 'Host', example: 'play.example.com' },
  smtp: { title: 'Mail server (SMTP)', target: 'Host', example: 'mail.example.com' },
  imap: { title: 'Mailboxes (IMAP)', target: 'Host', example: 'imap.example.com' },
  pop: { title: 'Mailboxes (POP3)', target: 'Host', example: 'pop.example.com' },
  email_auth: { title: 'Mail authentication', target: 'Domain', example: 'example.com', intervalSeconds: hour },
  blacklist: { title: 'DNS blacklist', target: 'Domain or host', example: 'example.com', intervalSeconds: hour },
  dns: { title: 'DNS records', target: 'Domain name', example: 'example.com' },
  domain: { title: 'Domain registration', target: 'Domain', example: 'example.com', intervalSeconds: hour },
  ssl: { title: 'Certificate', target: 'Host', example: 'www.example.com', intervalSeconds: hour },
  malware: { title: 'Malware lists', target: 'Address', example: 'https://www.example.com', intervalSeconds: hour },
  repository: {
    title: 'Repository',
    target: 'Address of the repository',
    example: 'https://github.com/example/shop',
    intervalSeconds: hour,
  },
  heartbeat: { title: 'Heartbeat', target: null, example: '', intervalSeconds: 24 * hour },
  webhook: { title: 'Webhook', target: null, example: '', intervalSeconds: hour },
  group: { title: 'Group', target: null, example: '' },
}

export const kindGroups: readonly { title: string; kinds: readonly KindName[] }[] = [
  {
    title: 'Web',
    kinds: ['http', 'api', 'page_speed', 'transaction', 'micro_transaction', 'extended_transaction', 'cloud_status'],
  },
  { title: 'Servers and network', kinds: ['ping', 'tcp', 'udp', 'ssh', 'ftps', 'ntp', 'game_server'] },
  { title: 'Mail', kinds: ['smtp', 'imap', 'pop', 'email_auth', 'blacklist'] },
  { title: 'Domains and security', kinds: ['domain', 'dns', 'ssl', 'malware', 'repository'] },
  { title: 'Jobs, other systems, groups', kinds: ['heartbeat', 'webhook', 'group'] },
]

/** Whether a text of an address names a kind. */
export function isKind(text: string): text is KindName {
  return Object.hasOwn(kindWords, text)
}

/** Kinds that are called: with an address of their own, and a time that a call may be late. */
export function isCalled(kind: KindName): boolean {
  return kind === 'heartbeat' || kind === 'webhook'
}

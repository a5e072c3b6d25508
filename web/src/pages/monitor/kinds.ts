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
  /** What else people call it, by which it is found. */
  sought: MessageDescriptor
  /** How often it makes sense to look, where that is not every five minutes. */
  intervalSeconds?: number
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

const hour = 3600

/** In the order in which kinds are offered, within each group. */
export const kindWords: Readonly<Record<KindName, KindWords>> = {
  http: {
    title: msg`Website`,
    group: 'web',
    target: msg`Address`,
    sought: msg`http https site page url homepage shop blog status code keyword`,
    example: 'https://www.example.com',
    request: 'whole',
  },
  api: {
    title: msg`HTTP API`,
    group: 'web',
    target: msg`Address`,
    sought: msg`rest json endpoint graphql http health status code`,
    example: 'https://api.example.com/v1/health',
    request: 'whole',
  },
  page_speed: {
    title: msg`Page speed`,
    group: 'web',
    target: msg`Address`,
    sought: msg`performance lighthouse slow score seo`,
    example: 'https://www.example.com',
    intervalSeconds: hour,
  },
  transaction: {
    title: msg`Transaction`,
    group: 'web',
    target: msg`Address`,
    sought: msg`steps scenario login checkout journey flow synthetic multi-step`,
    example: 'https://shop.example.com',
    request: 'whole',
  },
  micro_transaction: {
    title: msg`Short transaction`,
    group: 'web',
    target: msg`Address`,
    sought: msg`steps scenario login checkout journey flow synthetic multi-step`,
    example: 'https://shop.example.com',
    request: 'whole',
  },
  extended_transaction: {
    title: msg`Long transaction`,
    group: 'web',
    target: msg`Address`,
    sought: msg`steps scenario login checkout journey flow synthetic multi-step`,
    example: 'https://shop.example.com',
    request: 'whole',
  },
  cloud_status: {
    title: msg`Cloud provider`,
    group: 'web',
    target: msg`Address of the status page`,
    sought: msg`aws azure google github saas vendor third party outage statuspage`,
    example: 'https://status.example.com',
    request: 'headers',
  },
  paid_endpoint: {
    title: msg`Endpoint that sells`,
    group: 'web',
    target: msg`Address`,
    sought: msg`x402 mpp payment 402 price offer stablecoin usdc agent api`,
    example: 'https://api.example.com/v1/forecast',
    request: 'sent',
  },
  ping: {
    title: msg`Ping`,
    group: 'network',
    target: msg`Host`,
    sought: msg`icmp host server router switch latency packet loss online`,
    example: 'router.example.com',
  },
  tcp: {
    title: msg`TCP port`,
    group: 'network',
    target: msg`Host and port`,
    sought: msg`port socket connect database postgres mysql redis mongodb service`,
    example: 'db.example.com:5432',
  },
  udp: {
    title: msg`UDP service`,
    group: 'network',
    target: msg`Host and port`,
    sought: msg`port socket datagram voip stun syslog`,
    example: 'voice.example.com:3478',
  },
  ssh: {
    title: msg`SSH server`,
    group: 'servers',
    target: msg`Host`,
    sought: msg`port 22 sftp shell login linux openssh`,
    example: 'ssh.example.com',
  },
  ftps: {
    title: msg`FTPS server`,
    group: 'servers',
    target: msg`Host`,
    sought: msg`ftp file transfer upload port 21`,
    example: 'ftp.example.com',
  },
  ntp: {
    title: msg`Time server`,
    group: 'network',
    target: msg`Host`,
    sought: msg`clock time sync offset`,
    example: 'time.example.com',
  },
  game_server: {
    title: msg`Game server`,
    group: 'servers',
    target: msg`Host`,
    sought: msg`minecraft java bedrock players`,
    example: 'play.example.com',
  },
  smtp: {
    title: msg`Mail server (SMTP)`,
    group: 'mail',
    target: msg`Host`,
    sought: msg`email sending outgoing port 25 465 587 starttls postfix exchange`,
    example: 'mail.example.com',
  },
  imap: {
    title: msg`Mailbox (IMAP)`,
    group: 'mail',
    target: msg`Host`,
    sought: msg`email mailbox incoming port 993 143 dovecot`,
    example: 'imap.example.com',
  },
  pop: {
    title: msg`Mailbox (POP3)`,
    group: 'mail',
    target: msg`Host`,
    sought: msg`email mailbox incoming pop3 port 995 110`,
    example: 'pop.example.com',
  },
  email_auth: {
    title: msg`Mail authentication`,
    group: 'mail',
    target: msg`Domain`,
    sought: msg`email spf dkim dmarc spoofing deliverability`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  blacklist: {
    title: msg`DNS blacklist`,
    group: 'mail',
    target: msg`Domain or host`,
    sought: msg`email dnsbl rbl blocklist spam reputation`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  domain: {
    title: msg`Domain registration`,
    group: 'names',
    target: msg`Domain`,
    sought: msg`whois rdap registrar expiry expiration renewal`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  dns: {
    title: msg`DNS records`,
    group: 'names',
    target: msg`Domain name`,
    sought: msg`record resolve nameserver mx cname txt`,
    example: 'example.com',
  },
  ssl: {
    title: msg`Certificate`,
    group: 'names',
    target: msg`Host`,
    sought: msg`ssl tls https certificate expiry expiration x509 letsencrypt`,
    example: 'www.example.com',
    intervalSeconds: hour,
  },
  malware: {
    title: msg`Malware lists`,
    group: 'safety',
    target: msg`Address`,
    sought: msg`virus phishing safe browsing blocklist hacked`,
    example: 'https://www.example.com',
    intervalSeconds: hour,
  },
  repository: {
    title: msg`Repository`,
    group: 'safety',
    target: msg`Address of the repository`,
    sought: msg`git github gitlab dependencies vulnerabilities cve packages source`,
    example: 'https://github.com/example/shop',
    intervalSeconds: hour,
  },
  heartbeat: {
    title: msg`Heartbeat`,
    group: 'jobs',
    target: null,
    sought: msg`cron push job backup script schedule timer dead man switch worker`,
    example: '',
    intervalSeconds: 24 * hour,
  },
  webhook: {
    title: msg`Webhook`,
    group: 'jobs',
    target: null,
    sought: msg`push http post json callback passive`,
    example: '',
    intervalSeconds: hour,
  },
  group: {
    title: msg`Group`,
    group: 'jobs',
    target: null,
    sought: msg`combine together several service folder`,
    example: '',
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

import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { KindName } from '../../api/monitors.ts'

/** How people find a kind, and where they begin. It stands apart from `kindWords`, which pages without a form load too. */
export type KindAsks = {
  /** Label of the field `url`; null where there is no target. */
  target: MessageDescriptor | null
  example: string
  /** What else people call it, by which it is found. */
  sought: MessageDescriptor
  /** How often it makes sense to look, where that is not every five minutes. */
  intervalSeconds?: number
}

const hour = 3600

export const kindAsks: Readonly<Record<KindName, KindAsks>> = {
  http: {
    target: msg`Address`,
    sought: msg`http https site page url homepage shop blog status code keyword`,
    example: 'https://www.example.com',
  },
  api: {
    target: msg`Address`,
    sought: msg`rest json endpoint graphql http health status code`,
    example: 'https://api.example.com/v1/health',
  },
  websocket: {
    target: msg`Address`,
    sought: msg`websocket ws wss socket realtime live feed message`,
    example: 'wss://live.example.com/feed',
  },
  grpc: {
    target: msg`Address`,
    sought: msg`grpc rpc protobuf microservice serving port 50051 health check`,
    example: 'grpcs://api.example.com:443',
  },
  browser: {
    target: msg`Address`,
    sought: msg`chromium playwright visit render javascript screenshot console core web vitals synthetic`,
    example: 'https://www.example.com',
  },
  page_speed: {
    target: msg`Address`,
    sought: msg`performance lighthouse slow score seo`,
    example: 'https://www.example.com',
    intervalSeconds: hour,
  },
  transaction: {
    target: msg`Address`,
    sought: msg`steps scenario login checkout journey flow synthetic multi-step`,
    example: 'https://shop.example.com',
  },
  micro_transaction: {
    target: msg`Address`,
    sought: msg`steps scenario login checkout journey flow synthetic multi-step`,
    example: 'https://shop.example.com',
  },
  extended_transaction: {
    target: msg`Address`,
    sought: msg`steps scenario login checkout journey flow synthetic multi-step`,
    example: 'https://shop.example.com',
  },
  cloud_status: {
    target: msg`Address of the status page`,
    sought: msg`aws azure google github saas vendor third party outage statuspage`,
    example: 'https://status.example.com',
  },
  paid_endpoint: {
    target: msg`Address`,
    sought: msg`x402 mpp payment 402 price offer stablecoin usdc agent api`,
    example: 'https://api.example.com/v1/forecast',
  },
  ping: {
    target: msg`Host`,
    sought: msg`icmp host server router switch latency packet loss online`,
    example: 'router.example.com',
  },
  tcp: {
    target: msg`Host and port`,
    sought: msg`port socket connect database postgres mysql redis mongodb service`,
    example: 'db.example.com:5432',
  },
  udp: {
    target: msg`Host and port`,
    sought: msg`port socket datagram voip stun syslog`,
    example: 'voice.example.com:3478',
  },
  ssh: {
    target: msg`Host`,
    sought: msg`port 22 sftp shell login linux openssh`,
    example: 'ssh.example.com',
  },
  ftps: {
    target: msg`Host`,
    sought: msg`ftp file transfer upload port 21`,
    example: 'ftp.example.com',
  },
  ntp: {
    target: msg`Host`,
    sought: msg`clock time sync offset`,
    example: 'time.example.com',
  },
  game_server: {
    target: msg`Host`,
    sought: msg`minecraft java bedrock players`,
    example: 'play.example.com',
  },
  smtp: {
    target: msg`Host`,
    sought: msg`email sending outgoing port 25 465 587 starttls postfix exchange`,
    example: 'mail.example.com',
  },
  imap: {
    target: msg`Host`,
    sought: msg`email mailbox incoming port 993 143 dovecot`,
    example: 'imap.example.com',
  },
  pop: {
    target: msg`Host`,
    sought: msg`email mailbox incoming pop3 port 995 110`,
    example: 'pop.example.com',
  },
  email_auth: {
    target: msg`Domain`,
    sought: msg`email spf dkim dmarc spoofing deliverability`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  blacklist: {
    target: msg`Domain or host`,
    sought: msg`email dnsbl rbl blocklist spam reputation`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  domain: {
    target: msg`Domain`,
    sought: msg`whois rdap registrar expiry expiration renewal`,
    example: 'example.com',
    intervalSeconds: hour,
  },
  dns: {
    target: msg`Domain name`,
    sought: msg`record resolve nameserver mx cname txt`,
    example: 'example.com',
  },
  ssl: {
    target: msg`Host`,
    sought: msg`ssl tls https certificate expiry expiration x509 letsencrypt`,
    example: 'www.example.com',
    intervalSeconds: hour,
  },
  malware: {
    target: msg`Address`,
    sought: msg`virus phishing safe browsing blocklist hacked`,
    example: 'https://www.example.com',
    intervalSeconds: hour,
  },
  repository: {
    target: msg`Address of the repository`,
    sought: msg`git github gitlab dependencies vulnerabilities cve packages source`,
    example: 'https://github.com/example/shop',
    intervalSeconds: hour,
  },
  heartbeat: {
    target: null,
    sought: msg`cron push job backup script schedule timer dead man switch worker`,
    example: '',
    intervalSeconds: 24 * hour,
  },
  webhook: {
    target: null,
    sought: msg`push http post json callback passive`,
    example: '',
    intervalSeconds: hour,
  },
  push_metric: {
    target: null,
    sought: msg`push metric number value gauge threshold sensor temperature disk queue passive`,
    example: '',
    intervalSeconds: hour,
  },
  postgresql: {
    target: msg`Address`,
    sought: msg`database sql postgres port 5432 query select statement replica pgbouncer timescale`,
    example: 'postgresql://db.example.com:5432/shop',
  },
  mqtt: {
    target: msg`Address`,
    sought: msg`broker queue messages iot mosquitto emqx hivemq port 1883 8883 publish subscribe topic`,
    example: 'mqtts://broker.example.com:8883',
  },
  rabbitmq: {
    target: msg`Address`,
    sought: msg`broker queue messages amqp lavinmq port 5672 5671 consumers alarm`,
    example: 'amqps://broker.example.com:5671/shop',
  },
  mysql: {
    target: msg`Address`,
    sought: msg`database sql mariadb percona port 3306 query select statement`,
    example: 'mysql://db.example.com:3306/shop',
  },
  ldap: {
    target: msg`Address`,
    sought: msg`directory ldaps openldap active directory domain controller port 389 636 bind search`,
    example: 'ldaps://ldap.example.com',
  },
  snmp: {
    target: msg`Host`,
    sought: msg`switch router printer ups nas agent oid port 161 community network device mib`,
    example: 'switch.example.com',
  },
  redis: {
    target: msg`Address`,
    sought: msg`database cache queue valkey keydb dragonfly port 6379 ping llen list length`,
    example: 'rediss://cache.example.com:6379',
  },
  group: {
    target: null,
    sought: msg`combine together several service folder`,
    example: '',
  },
}

import type { ProbedKind } from '#core/monitors/kind-traits.ts'
import { type LoadKind, loadOnce } from './kind.ts'

/**
 * Kinds as a location checks them. The code of each is loaded with its first check, so that a prober holds in memory
 * what it checks and no more.
 */
export const checkedKinds: Readonly<Record<ProbedKind, LoadKind>> = {
  http: loadOnce(async () => (await import('#kinds/web/http.ts')).http),
  api: loadOnce(async () => (await import('#kinds/web/api.ts')).api),
  tcp: loadOnce(async () => (await import('./tcp.ts')).tcp),
  udp: loadOnce(async () => (await import('./udp.ts')).udp),
  ssh: loadOnce(async () => (await import('./ssh.ts')).ssh),
  smtp: loadOnce(async () => (await import('#kinds/mail/smtp.ts')).smtp),
  imap: loadOnce(async () => (await import('#kinds/mail/imap.ts')).imap),
  pop: loadOnce(async () => (await import('#kinds/mail/pop.ts')).pop),
  ftps: loadOnce(async () => (await import('#kinds/mail/ftps.ts')).ftps),
  ntp: loadOnce(async () => (await import('./ntp.ts')).ntp),
  ping: loadOnce(async () => (await import('./ping.ts')).ping),
  game_server: loadOnce(async () => (await import('#kinds/game/game-server.ts')).gameServer),
  ssl: loadOnce(async () => (await import('./ssl/ssl.ts')).ssl),
  dns: loadOnce(async () => (await import('#kinds/dns/dns.ts')).dns),
  email_auth: loadOnce(async () => (await import('#kinds/email-auth/email-auth.ts')).emailAuth),
  blacklist: loadOnce(async () => (await import('#kinds/blacklist/blacklist.ts')).blacklist),
  domain: loadOnce(async () => (await import('#kinds/domain/domain.ts')).domain),
  transaction: loadOnce(async () => (await import('#kinds/transaction/transaction.ts')).transaction),
  micro_transaction: loadOnce(async () => (await import('#kinds/transaction/micro-transaction.ts')).microTransaction),
  extended_transaction: loadOnce(
    async () => (await import('#kinds/transaction/extended-transaction.ts')).extendedTransaction,
  ),
  cloud_status: loadOnce(async () => (await import('#kinds/cloud/cloud-status.ts')).cloudStatus),
  page_speed: loadOnce(async () => (await import('#kinds/web/page-speed.ts')).pageSpeed),
  malware: loadOnce(async () => (await import('#kinds/web/malware.ts')).malware),
  browser: loadOnce(async () => (await import('#kinds/browser/browser.ts')).browser),
  paid_endpoint: loadOnce(async () => (await import('#kinds/paid/paid-endpoint.ts')).paidEndpoint),
  repository: loadOnce(async () => (await import('#kinds/repository/repository.ts')).repository),
  redis: loadOnce(async () => (await import('#kinds/database/redis.ts')).redis),
  postgresql: loadOnce(async () => (await import('#kinds/database/postgresql.ts')).postgresql),
  mysql: loadOnce(async () => (await import('#kinds/database/mysql.ts')).mysql),
  ldap: loadOnce(async () => (await import('#kinds/ldap/ldap.ts')).ldap),
  snmp: loadOnce(async () => (await import('#kinds/snmp/snmp.ts')).snmp),
  websocket: loadOnce(async () => (await import('#kinds/websocket/websocket.ts')).websocket),
  mqtt: loadOnce(async () => (await import('#kinds/broker/mqtt.ts')).mqtt),
  grpc: loadOnce(async () => (await import('#kinds/grpc/grpc.ts')).grpc),
  rabbitmq: loadOnce(async () => (await import('#kinds/broker/rabbitmq.ts')).rabbitmq),
}

import type { KindName } from '#core/monitors/kind-traits.ts'
import { api } from '#kinds/web/api.ts'
import { browser } from '#kinds/browser/browser.ts'
import { blacklist } from '#kinds/blacklist/blacklist.ts'
import { cloudStatus } from '#kinds/cloud/cloud-status.ts'
import { dns } from '#kinds/dns/dns.ts'
import { domain } from '#kinds/domain/domain.ts'
import { emailAuth } from '#kinds/email-auth/email-auth.ts'
import { extendedTransaction } from '#kinds/transaction/extended-transaction.ts'
import { ftps } from '#kinds/mail/ftps.ts'
import { gameServer } from '#kinds/game/game-server.ts'
import { group } from './group.ts'
import { grpc } from '#kinds/grpc/grpc.ts'
import { heartbeat } from './heartbeat.ts'
import { http } from '#kinds/web/http.ts'
import { imap } from '#kinds/mail/imap.ts'
import { ldap } from '#kinds/ldap/ldap.ts'
import type { AnyKind } from './kind.ts'
import { malware } from '#kinds/web/malware.ts'
import { microTransaction } from '#kinds/transaction/micro-transaction.ts'
import { mqtt } from '#kinds/broker/mqtt.ts'
import { mysql } from '#kinds/database/mysql.ts'
import { ntp } from './ntp.ts'
import { paidEndpoint } from '#kinds/paid/paid-endpoint.ts'
import { ping } from './ping.ts'
import { pop } from '#kinds/mail/pop.ts'
import { postgresql } from '#kinds/database/postgresql.ts'
import { pushMetric } from './push-metric.ts'
import { rabbitmq } from '#kinds/broker/rabbitmq.ts'
import { redis } from '#kinds/database/redis.ts'
import { repository } from '#kinds/repository/repository.ts'
import { smtp } from '#kinds/mail/smtp.ts'
import { snmp } from '#kinds/snmp/snmp.ts'
import { ssh } from './ssh.ts'
import { pageSpeed } from '#kinds/web/page-speed.ts'
import { ssl } from './ssl/ssl.ts'
import { tcp } from './tcp.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { udp } from './udp.ts'
import { webhook } from './webhook.ts'
import { websocket } from '#kinds/websocket/websocket.ts'

/** Every kind that can be monitored. A new one is a file and a line here. */
export const kinds: Readonly<Record<KindName, AnyKind>> = {
  http,
  api,
  tcp,
  udp,
  ssh,
  smtp,
  imap,
  pop,
  ftps,
  ntp,
  ping,
  game_server: gameServer,
  ssl,
  dns,
  email_auth: emailAuth,
  blacklist,
  domain,
  transaction,
  micro_transaction: microTransaction,
  extended_transaction: extendedTransaction,
  cloud_status: cloudStatus,
  page_speed: pageSpeed,
  malware,
  browser,
  paid_endpoint: paidEndpoint,
  repository,
  group,
  heartbeat,
  webhook,
  redis,
  postgresql,
  mysql,
  ldap,
  snmp,
  websocket,
  mqtt,
  grpc,
  rabbitmq,
  push_metric: pushMetric,
}

import type { KindName } from '#core/monitors/monitor.ts'
import { api } from './api.ts'
import { blacklist } from './blacklist.ts'
import { cloudStatus } from './cloud-status.ts'
import { dns } from './dns.ts'
import { domain } from './domain.ts'
import { emailAuth } from './email-auth.ts'
import { extendedTransaction } from './extended-transaction.ts'
import { ftps } from './ftps.ts'
import { gameServer } from './game-server.ts'
import { group } from './group.ts'
import { heartbeat } from './heartbeat.ts'
import { http } from './http.ts'
import { imap } from './imap.ts'
import type { AnyKind } from './kind.ts'
import { malware } from './malware.ts'
import { microTransaction } from './micro-transaction.ts'
import { ntp } from './ntp.ts'
import { ping } from './ping.ts'
import { pop } from './pop.ts'
import { repository } from './repository.ts'
import { smtp } from './smtp.ts'
import { ssh } from './ssh.ts'
import { pageSpeed } from './page-speed.ts'
import { ssl } from './ssl.ts'
import { tcp } from './tcp.ts'
import { transaction } from './transaction.ts'
import { udp } from './udp.ts'
import { webhook } from './webhook.ts'

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
  repository,
  group,
  heartbeat,
  webhook,
}

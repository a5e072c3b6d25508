import type { Certificate } from '../../support/certificates.ts'
import { startDovecot } from '../../support/peers/dovecot.ts'
import { startPostfix } from '../../support/peers/postfix.ts'
import { startVsftpd } from '../../support/peers/vsftpd.ts'
import { rawServer } from '../../support/raw-server.ts'
import type { OracleCertificates } from './certificates.ts'

/** The ports of one protocol. */
export type MailPorts = TlsPorts &
  Record<'expired' | 'wrongName' | 'selfSigned', TlsPorts> & {
    noStarttls: number
    /** A server whose greeting turns every client away. */
    busy: number
  }

type TlsPorts = { starttls: number; tls: number }

const certificateNames = ['good', 'expired', 'wrongName', 'selfSigned'] as const

/** A submission port as RFC 6409 has it, and one with TLS from the start, for each certificate. */
export async function postfixPorts(certificates: OracleCertificates): Promise<MailPorts> {
  const submission = ['smtpd_tls_security_level=encrypt', 'smtpd_relay_restrictions=permit_sasl_authenticated,reject']
  const closed = ['smtpd_delay_reject=no', 'smtpd_client_restrictions=reject']
  const ports = await startPostfix([
    ...certificateNames.flatMap((name) => [
      { certificate: certificates[name], settings: submission },
      { certificate: certificates[name], isWrapped: true as const },
    ]),
    { certificate: null },
    { certificate: certificates.good, settings: closed },
  ])
  const [noStarttls = 0, busy = 0] = ports.slice(-2)
  return { ...inPairs(ports), noStarttls, busy }
}

export async function dovecotPorts(certificates: OracleCertificates): Promise<{ imap: MailPorts; pop: MailPorts }> {
  const wishes: (Certificate | null)[] = [...certificateNames.map((name) => certificates[name]), null]
  const servers = await Promise.all(wishes.map(startDovecot))
  const bare = servers.at(-1)
  const [imapBusy, popBusy] = await Promise.all(
    ['* BYE Too many users\r\n', '-ERR [IN-USE] Too many\r\n'].map(busyPort),
  )
  const imap = servers.flatMap((each) => [each.imap, each.imaps])
  const pop = servers.flatMap((each) => [each.pop3, each.pop3s])
  return {
    imap: { ...inPairs(imap), noStarttls: bare?.imap ?? 0, busy: imapBusy ?? 0 },
    pop: { ...inPairs(pop), noStarttls: bare?.pop3 ?? 0, busy: popBusy ?? 0 },
  }
}

/** Two servers for each certificate: vsftpd speaks TLS in one way only. */
export async function vsftpdPorts(certificates: OracleCertificates): Promise<MailPorts> {
  const [ports, noStarttls, busy] = await Promise.all([
    Promise.all(
      certificateNames.flatMap((name) => [
        startVsftpd({ certificate: certificates[name] }),
        startVsftpd({ certificate: certificates[name], isImplicit: true }),
      ]),
    ),
    startVsftpd({ certificate: null }),
    busyPort('421 There are too many connected users, please try later.\r\n'),
  ])
  return { ...inPairs(ports), noStarttls, busy }
}

/** Ports in the order of the certificates, that of STARTTLS before that of TLS. */
function inPairs(ports: readonly number[]): TlsPorts & Record<'expired' | 'wrongName' | 'selfSigned', TlsPorts> {
  const pair = (place: number): TlsPorts => ({ starttls: ports[2 * place] ?? 0, tls: ports[2 * place + 1] ?? 0 })
  return { ...pair(0), expired: pair(1), wrongName: pair(2), selfSigned: pair(3) }
}

async function busyPort(greeting: string): Promise<number> {
  return (await rawServer((socket) => void socket.end(greeting))).port
}

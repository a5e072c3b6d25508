import { ssl } from '#kinds/ssl/ssl.ts'
import { startDovecot } from '../../support/peers/dovecot.ts'
import { startNginx } from '../../support/peers/nginx.ts'
import { startOpenssh } from '../../support/peers/openssh.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { failingSeconds, pluginArguments, silentSeconds, tcpModule, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'
import type { OracleCertificates } from './certificates.ts'

type Asked = Omit<Wish, 'url' | 'command' | 'module'> & {
  port: number
  host?: string
  warnDays?: number
  isSilent?: true
}

/** The certificates of nginx and of a mailbox server, and ports that show none. */
export async function sslCases(certificates: OracleCertificates): Promise<Case[]> {
  const { good, expired, wrongName, selfSigned, withoutMiddle, ending, endingLater, rootPath } = certificates
  const shown = [good, expired, wrongName, selfSigned, withoutMiddle, ending, endingLater]
  const ports = await startNginx([
    ...shown.map((certificate) => ({ certificate, isOnSix: true as const })),
    { certificate: good, protocols: 'TLSv1.2' },
    { certificate: good, protocols: 'TLSv1' },
    {},
  ])
  const [fine = 0, old = 0, other = 0, own = 0, alone = 0, soon = 0, later = 0, tls12 = 0, tls10 = 0, plain = 0] = ports
  const go = (name: string, asked: Asked): Case => sslCase(name, asked, rootPath)
  return [
    go('good', { port: fine }),
    go('only TLS 1.2', { port: tls12 }),
    go('mailbox server (dovecot)', { port: (await startDovecot(good)).imaps }),
    go('expired', { port: old, error: /^The certificate of localhost expired on .*\(3 days ago\)$/ }),
    go('of another name', {
      port: other,
      error: /^The certificate is for shop\.example, not for localhost$/,
      ...dateOnly,
    }),
    go('of another name (IPv6 address)', {
      port: fine,
      host: '::1',
      error: /^The certificate is for localhost.*, not for ::1$/,
      ...dateOnly,
    }),
    go('self-signed', { port: own, error: /self-signed and not trusted$/, ...dateOnly }),
    go('intermediate certificate not sent', {
      port: alone,
      error: /its issuer "Oracle Middle" is unknown/,
      ...dateOnly,
    }),
    go('ends in 3 days', { port: soon, error: /expires in 3 days/, verdict: 'success', why: 'noRule' }),
    go('ends in 25 days, of which 30 are wanted', {
      port: later,
      warnDays: 30,
      error: /expires in 25 days/,
      verdict: 'success',
      why: 'noRule',
    }),
    go('ends in 25 days, of which 14 are wanted', { port: later, warnDays: 14 }),
    go('only TLS 1.0', { port: tls10, error: /offers no TLS version in use today/ }),
    go('plain port (nginx)', { port: plain, error: /does not speak TLS/ }),
    go('plain port (OpenSSH)', { port: (await startOpenssh()).port, error: /does not speak TLS/ }),
    go('silent server', {
      port: (await rawServer(() => {})).port,
      isSilent: true,
      error: /^Timed out after 1000 ms while agreeing on TLS/,
    }),
    go('connection refused', { port: await freePort(), error: /^Connection refused by localhost/ }),
  ]
}

const dateOnly = { state: 'OK', why: 'dateOnly' } as const

function sslCase(
  name: string,
  { port, host = 'localhost', warnDays, isSilent, ...wish }: Asked,
  rootPath: string,
): Case {
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const family = host.includes(':') ? 6 : 4
  const days = String(warnDays ?? 14)
  return toCase(ssl, name, {
    ...wish,
    url: `${family === 6 ? `[${host}]` : host}:${port}`,
    check: { timeoutMs: seconds * 1000, options: warnDays === undefined ? {} : { warn_days: warnDays } },
    // Days for a warning, and for a critical state.
    command: ['check_tcp', ...pluginArguments({ host, port, seconds }), '-S', '-D', `${days},${days}`],
    module: tcpModule([], {
      seconds: wish.error === undefined ? seconds : Math.min(seconds, failingSeconds),
      tls: { rootPath, isFromStart: true },
      family,
    }),
  })
}

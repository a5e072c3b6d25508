import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Verdict } from '#core/results/result.ts'
import { ftps } from '#kinds/mail/ftps.ts'
import { imap } from '#kinds/mail/imap.ts'
import type { AnyKind } from '#kinds/kind.ts'
import type { Security } from '#kinds/mail/mail-dialogue.ts'
import { pop } from '#kinds/mail/pop.ts'
import { smtp } from '#kinds/mail/smtp.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startDovecot } from '../support/peers/dovecot.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { startPostfix } from '../support/peers/postfix.ts'
import { startVsftpd } from '../support/peers/vsftpd.ts'
import { freePort } from '../support/free-port.ts'
import { rawServer } from '../support/raw-server.ts'
import { testCertificates } from '../support/test-certificates.ts'

const { root, good, expired, wrongName, selfSigned } = testCertificates()
setDefaultCACertificates([...getCACertificates('default'), root.pem])

/** The ports of one protocol. */
type Ports = {
  starttls: number
  tls: number
  expired: number
  wrongName: number
  selfSigned: number
  noStarttls: number
}

const noPorts: Ports = { starttls: 0, tls: 0, expired: 0, wrongName: 0, selfSigned: 0, noStarttls: 0 }

type Peer = { kind: AnyKind; program: string; banner: RegExp; start: () => Promise<Ports> }

let dovecots: Promise<Awaited<ReturnType<typeof startDovecot>>[]> | undefined

async function dovecotPorts(plain: 'imap' | 'pop3', tls: 'imaps' | 'pop3s'): Promise<Ports> {
  dovecots ??= Promise.all([good, expired, wrongName, selfSigned, null].map(startDovecot))
  const [fine, old, other, own, bare] = await dovecots
  assert.ok(fine !== undefined && old !== undefined && other !== undefined && own !== undefined && bare !== undefined)
  return {
    starttls: fine[plain],
    tls: fine[tls],
    expired: old[plain],
    wrongName: other[tls],
    selfSigned: own[plain],
    noStarttls: bare[plain],
  }
}

async function postfixPorts(): Promise<Ports> {
  const ports = await startPostfix([
    { certificate: good },
    { certificate: good, isWrapped: true },
    { certificate: expired },
    { certificate: wrongName, isWrapped: true },
    { certificate: selfSigned },
    { certificate: null },
  ])
  const [starttls = 0, tls = 0, old = 0, other = 0, own = 0, noStarttls = 0] = ports
  return { starttls, tls, expired: old, wrongName: other, selfSigned: own, noStarttls }
}

async function vsftpdPorts(): Promise<Ports> {
  const [starttls, tls, old, other, own, noStarttls] = await Promise.all([
    startVsftpd({ certificate: good }),
    startVsftpd({ certificate: good, isImplicit: true }),
    startVsftpd({ certificate: expired }),
    startVsftpd({ certificate: wrongName, isImplicit: true }),
    startVsftpd({ certificate: selfSigned }),
    startVsftpd({ certificate: null }),
  ])
  return { starttls, tls, expired: old, wrongName: other, selfSigned: own, noStarttls }
}

const peers: Peer[] = [
  { kind: smtp, program: 'postfix', banner: /^220 mail\.example\.test ESMTP/, start: postfixPorts },
  { kind: imap, program: 'dovecot', banner: /^\* OK \[CAPABILITY /, start: () => dovecotPorts('imap', 'imaps') },
  { kind: pop, program: 'dovecot', banner: /^\+OK Dovecot/, start: () => dovecotPorts('pop3', 'pop3s') },
  { kind: ftps, program: 'vsftpd', banner: /^220 \(vsFTPd 3/, start: vsftpdPorts },
]

const skip = skipReason(['dovecot', 'postfix', 'sshd', 'vsftpd'])
const sshPort = skip === false ? (await startOpenssh()).port : 0

for (const { kind, program, banner, start } of peers) {
  const ports = skip === false ? await start() : noPorts
  describe(`${kind.name} against ${program}`, { skip }, () => {
    it('is up with STARTTLS and with TLS from the start', async () => {
      for (const security of ['starttls', 'tls'] as const) {
        const { status, error, details, latencyMs } = await check(kind, { port: ports[security], security })
        assert.deepEqual([status, error, details['tls_protocol']], ['up', null, 'TLSv1.3'])
        assert.match(String(details['banner']), banner)
        assert.ok(latencyMs !== null && latencyMs >= 0)
      }
    })

    it('is down when the connection is refused', async () => {
      assert.equal(await errorOf(kind, { port: await freePort(), security: 'tls' }), 'Connection refused by localhost')
    })

    it('is down when nothing is said', async () => {
      const { port } = await rawServer(() => {})
      assert.match(
        await errorOf(kind, { port, security: 'starttls', timeoutMs: 300 }),
        /^Timed out after 300 ms while waiting for the greeting/,
      )
      assert.match(
        await errorOf(kind, { port, security: 'tls', timeoutMs: 300 }),
        /^Timed out after 300 ms while agreeing on TLS/,
      )
    })

    it('is down when the server speaks another protocol', async () => {
      assert.match(
        await errorOf(kind, { port: sshPort, security: 'starttls' }),
        /^Not an answer of an? \w+ server: "SSH-2\.0-OpenSSH/,
      )
      assert.match(await errorOf(kind, { port: sshPort, security: 'tls' }), /does not speak TLS/)
    })

    it('is down in the wrong mode of TLS, and says what to change', async () => {
      assert.match(
        await errorOf(kind, { port: ports.starttls, security: 'tls' }),
        /does not speak TLS .* set security to starttls$/,
      )
      assert.match(
        await errorOf(kind, { port: ports.tls, security: 'starttls', timeoutMs: 500 }),
        /^Timed out .* set security to tls$/,
      )
    })

    it('is down when STARTTLS is not offered', async () => {
      assert.match(
        await errorOf(kind, { port: ports.noStarttls, security: 'starttls' }),
        /^The server does not offer STARTTLS/,
      )
    })

    it('is down when the certificate is not good', async () => {
      assert.match(
        await errorOf(kind, { port: ports.expired, security: 'starttls' }),
        /^The certificate of localhost expired on .*\(3 days ago\)$/,
      )
      assert.match(
        await errorOf(kind, { port: ports.wrongName, security: 'tls' }),
        /^The certificate is for other\.example, not for localhost$/,
      )
      assert.match(
        await errorOf(kind, { port: ports.selfSigned, security: 'starttls' }),
        /self-signed and not trusted$/,
      )
    })
  })
}

type Asked = { port: number; security: Security; timeoutMs?: number }

function check(kind: AnyKind, { port, security, timeoutMs = 5000 }: Asked): Promise<Verdict> {
  return checkOnce(kind, { url: `localhost:${port}`, options: { security }, timeoutMs })
}

async function errorOf(kind: AnyKind, asked: Asked): Promise<string> {
  const { status, error } = await check(kind, asked)
  assert.equal(status, 'down')
  return String(error).replace(`:${asked.port}`, '')
}

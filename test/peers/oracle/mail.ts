import type { Security } from '#kinds/mail/mail-dialogue.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { failingSeconds, pluginArguments, silentSeconds, tcpModule, usualSeconds } from './asked.ts'
import { type Case, toCase } from './case.ts'
import type { OracleCertificates } from './certificates.ts'
import { type Difference, type Protocol, protocols } from './mail-protocols.ts'
import type { MailPorts } from './mail-servers.ts'

/** A target of each protocol. */
type Situation = {
  name: string
  port: number
  security: Security
  error?: RegExp
  isSilent?: true
  /** STARTTLS is not even begun. */
  isWithoutTls?: true
  /** The plugin is asked about the certificate's end. */
  asksCertificate?: true
  /** The difference of a plugin that speaks TLS. */
  inTls?: Difference
  /** The difference of a plugin that only reads the greeting in clear. */
  inClear?: Difference
}

export type MailTargets = Record<Protocol['name'], MailPorts> & { ssh: number }

type Others = { ssh: number; silent: number; closed: number }

export async function mailCases({ rootPath }: OracleCertificates, targets: MailTargets): Promise<Case[]> {
  const silent = await rawServer(() => {})
  const others = { ssh: targets.ssh, silent: silent.port, closed: await freePort() }
  return protocols.flatMap((protocol) => {
    const ports = targets[protocol.name]
    const situations = [...starttlsSituations(ports, others), ...tlsSituations(ports, others)]
    return situations.map((situation) => mailCase(protocol, situation, rootPath))
  })
}

const dateOnly = { state: 'OK', why: 'dateOnly' } as const
const inClear = { state: 'OK', why: 'inClear' } as const

function starttlsSituations(ports: MailPorts, others: Others): Situation[] {
  const security = 'starttls'
  const isWithoutTls = true
  const notOffered = /^The server does not offer STARTTLS/
  const otherProtocol = /^Not an answer of an? \w+ server: "SSH-2\.0-/
  const turnedAway = /no (?:mail|sessions) now: it greets with/
  return [
    { name: 'good', security, port: ports.starttls },
    { name: 'not offered', security, port: ports.noStarttls, isWithoutTls, error: notOffered, inClear },
    ...unreachable(security, others),
    { name: 'another protocol (OpenSSH)', security, port: others.ssh, isWithoutTls, error: otherProtocol },
    { name: 'asked of a port of TLS', security, port: ports.tls, error: /set security to tls$/, isSilent: true },
    { name: 'turned away in the greeting', security, port: ports.busy, isWithoutTls, error: turnedAway },
    ...badCertificates(security, ports),
  ]
}

function tlsSituations(ports: MailPorts, others: Others): Situation[] {
  const security = 'tls'
  const toStarttls = /set security to starttls$/
  return [
    { name: 'good', security, port: ports.tls },
    ...unreachable(security, others),
    { name: 'another protocol (OpenSSH)', security, port: others.ssh, error: /does not speak TLS/ },
    { name: 'asked of a port of STARTTLS', security, port: ports.starttls, error: toStarttls },
    ...badCertificates(security, ports),
  ]
}

function unreachable(security: Security, { closed, silent }: Others): Situation[] {
  return [
    { name: 'connection refused', security, port: closed, error: /^Connection refused by/ },
    { name: 'silent server', security, port: silent, error: /^Timed out after 1000 ms/, isSilent: true },
  ]
}

function badCertificates(security: Security, { expired, wrongName, selfSigned }: MailPorts): Situation[] {
  const base = { security, inClear, inTls: dateOnly }
  const old = { security, inClear, asksCertificate: true, error: /expired on .*\(3 days ago\)$/ } as const
  const otherName = /for shop\.example, not for localhost$/
  return [
    { ...old, name: 'expired certificate', port: expired[security] },
    { ...base, name: 'certificate of another name', port: wrongName[security], error: otherName },
    { ...base, name: 'self-signed certificate', port: selfSigned[security], error: /self-signed and not trusted$/ },
  ]
}

const securityNames = { starttls: 'STARTTLS', tls: 'TLS from the start' } as const

function mailCase(protocol: Protocol, situation: Situation, rootPath: string): Case {
  const { kind, plugins, exchanges } = protocol
  const { name, security, port, error, isSilent, asksCertificate } = situation
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const [program, ...rest] = plugins[security]
  const certificate = asksCertificate === true && !isClear(protocol, security) ? ['-D', '1'] : []
  return toCase(kind, `${securityNames[security]}: ${name}`, {
    url: `localhost:${port}`,
    check: { timeoutMs: seconds * 1000, options: { security } },
    command: [program, ...rest, ...pluginArguments({ port, seconds }), ...certificate],
    module: tcpModule(exchanges[security], {
      // The exporter waits for the line that it expects, even when another one has come.
      seconds: error === undefined ? seconds : Math.min(seconds, failingSeconds),
      tls: { rootPath, isFromStart: security === 'tls' },
    }),
    ...(error === undefined ? {} : { error }),
    ...pluginDifference(protocol, situation),
  })
}

function pluginDifference(protocol: Protocol, situation: Situation): Difference | undefined {
  if (isClear(protocol, situation.security)) return situation.inClear
  return situation.isWithoutTls === true ? protocol.withoutTls : situation.inTls
}

function isClear({ seesStarttls }: Protocol, security: Security): boolean {
  return security === 'starttls' && !seesStarttls
}

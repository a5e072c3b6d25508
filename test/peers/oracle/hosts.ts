import type { AnyKind } from '#kinds/kind.ts'
import { ssh } from '#kinds/ssh.ts'
import { tcp } from '#kinds/tcp.ts'
import { startFullOpenssh, startOpenssh } from '../../support/peers/openssh.ts'
import type { SocatPorts } from '../../support/peers/socat.ts'
import { startVsftpd } from '../../support/peers/vsftpd.ts'
import { freePort } from '../../support/free-port.ts'
import { rawServer } from '../../support/raw-server.ts'
import { failingSeconds, pluginArguments, silentSeconds, tcpModule, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'

/** OpenSSH on both families, with one more that has enough of guests; and servers that are none. */
export async function hostCases(socat: SocatPorts): Promise<Case[]> {
  const silent = await rawServer(() => {})
  const openssh = await startOpenssh(['ListenAddress ::1'])
  const targets = {
    openssh: openssh.port,
    full: await startFullOpenssh(),
    ftp: await startVsftpd({ certificate: null }),
    silent: silent.port,
    closed: await freePort(),
  }
  return [...tcpCases(targets, socat), ...sshCases(targets, socat)]
}

type Targets = Record<'openssh' | 'full' | 'ftp' | 'silent' | 'closed', number>

function tcpCases({ openssh, silent, closed }: Targets, { daytimeOverTcp, discardOverTcp }: SocatPorts): Case[] {
  const another = /^Text "ESMTP" not found/
  return [
    tcpCase('open port', { port: discardOverTcp }),
    tcpCase('open port over IPv6', { port: openssh, host: '::1' }),
    tcpCase('expected text sent', { port: openssh, ...expecting('OpenSSH') }),
    tcpCase('another text sent', {
      port: openssh,
      ...expecting('ESMTP'),
      check: { timeoutMs: failingSeconds * 1000 },
      error: another,
    }),
    tcpCase('another text sent, and closed', { port: daytimeOverTcp, ...expecting('ESMTP'), error: another }),
    tcpCase('no text sent', { port: silent, ...expecting('ESMTP'), isSilent: true, error: /^Timed out after 1000 ms/ }),
    tcpCase('connection refused', { port: closed, error: /^Connection refused by localhost/ }),
    tcpCase('name that does not exist', { port: closed, host: unknownName.host, error: unknownName.error }),
  ]
}

function sshCases({ openssh, full, ftp, silent, closed }: Targets, { daytimeOverTcp }: SocatPorts): Case[] {
  return [
    sshCase('good', { port: openssh }),
    sshCase('good over IPv6', { port: openssh, host: '::1' }),
    sshCase('another version than expected', {
      port: openssh,
      expectedText: 'OpenSSH_1.0',
      plugin: ['-r', 'OpenSSH_1.0'],
      error: /^Text "OpenSSH_1\.0" not found in the identification/,
    }),
    sshCase('too many guests (MaxStartups)', {
      port: full,
      error: /turns this location away: "Exceeded MaxStartups"$/,
    }),
    sshCase('another protocol (vsftpd)', { port: ftp, error: /^Not an SSH server: it says "220 \(vsFTPd/ }),
    sshCase('another protocol, and closed', { port: daytimeOverTcp, error: /closed the connection/ }),
    sshCase('silent server', { port: silent, isSilent: true, error: /^Timed out after 1000 ms/ }),
    sshCase('connection refused', { port: closed, error: /^Connection refused by localhost/ }),
  ]
}

type Asked = Omit<Wish, 'url' | 'command' | 'module'> & {
  port: number
  /** A literal address or a name; localhost by default. */
  host?: string
  expectedText?: string
  plugin?: readonly string[]
  /** A regular expression about the line that the server sends by itself. */
  expect?: string
  isSilent?: true
}

function tcpCase(name: string, asked: Asked): Case {
  return hostCase(tcp, name, asked)
}

/** Gives check_tcp and the exporter the same expectation as our check. */
function expecting(text: string): Pick<Asked, 'expectedText' | 'plugin' | 'expect'> {
  return { expectedText: text, plugin: ['-e', text, '-M', 'crit'], expect: text }
}

function sshCase(name: string, asked: Asked): Case {
  return hostCase(ssh, name, { expect: `^SSH-2\\.0-.*${asked.expectedText ?? ''}`, ...asked })
}

function hostCase(kind: AnyKind, name: string, asked: Asked): Case {
  const { port, host = 'localhost', expectedText, plugin = [], expect, isSilent, ...wish } = asked
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const isSix = host.includes(':')
  const options = expectedText === undefined ? {} : { expected_text: expectedText }
  return toCase(kind, name, {
    ...wish,
    url: `${isSix ? `[${host}]` : host}:${port}`,
    check: { timeoutMs: seconds * 1000, ...wish.check, options },
    command: [`check_${kind.name}`, ...pluginArguments({ host, port, seconds }), ...plugin],
    module: tcpModule(expect === undefined ? [] : [{ expect }], {
      seconds: wish.error === undefined ? seconds : Math.min(seconds, failingSeconds),
      family: isSix ? 6 : 4,
    }),
  })
}

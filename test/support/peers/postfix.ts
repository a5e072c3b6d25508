import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'

export type PostfixPort = {
  /** Null offers no TLS. */
  certificate: Certificate | null
  /** TLS from the start, not by STARTTLS. */
  isWrapped?: true
  /** Settings of the port, as `-o` takes them. */
  settings?: readonly string[]
}

/** One postfix with an SMTP port for each wish, in that order, on 127.0.0.1; stopped after the file. */
export async function startPostfix(wishes: readonly PostfixPort[]): Promise<number[]> {
  const folder = scratchFolder('postfix')
  const ports = await Promise.all(wishes.map(() => freePort()))
  for (const name of ['queue', 'data']) mkdirSync(join(folder, name))
  execFileSync('chown', ['postfix', join(folder, 'data')])
  writeFileSync(join(folder, 'main.cf'), mainSettings(folder))
  const services = wishes.map((wish, place) => smtpService(wish, { folder, port: ports[place] ?? 0 }))
  writeFileSync(join(folder, 'master.cf'), `${[...services, ...innerServices].join('\n')}\n`)
  execFileSync('postfix', ['-c', folder, 'check'])
  // `postfix start-fg` would start this in a session of its own, where no signal of ours reaches it.
  await startDaemon([join(daemonFolder, 'master'), '-c', folder, '-d'], { folder, ports })
  return ports
}

const daemonFolder = '/usr/lib/postfix/sbin'

function mainSettings(folder: string): string {
  return `compatibility_level = 3.6
queue_directory = ${join(folder, 'queue')}
data_directory = ${join(folder, 'data')}
command_directory = /usr/sbin
daemon_directory = ${daemonFolder}
mail_owner = postfix
setgid_group = postdrop
myhostname = mail.example.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
maillog_file = ${join(folder, 'log')}
maillog_file_prefixes = ${folder}
alias_maps =
alias_database =
local_recipient_maps =
`
}

function smtpService(
  { certificate, isWrapped, settings = [] }: PostfixPort,
  at: { folder: string; port: number },
): string {
  const wanted = [`smtpd_tls_wrappermode=${isWrapped === true ? 'yes' : 'no'}`]
  if (certificate === null) wanted.push('smtpd_tls_security_level=none')
  else {
    const { cert, key } = writeCertificate(at.folder, certificate)
    wanted.push('smtpd_tls_security_level=may', `smtpd_tls_cert_file=${cert}`, `smtpd_tls_key_file=${key}`)
  }
  wanted.push(...settings)
  return `127.0.0.1:${at.port} inet n - n - - smtpd ${wanted.map((setting) => `-o ${setting}`).join(' ')}`
}

/** The services that smtpd asks while it greets a client and says goodbye. */
const innerServices = [
  'cleanup unix n - n - 0 cleanup',
  'rewrite unix - - n - - trivial-rewrite',
  'proxymap unix - - n - - proxymap',
  'anvil unix - - n - 1 anvil',
  'tlsmgr unix - - n 1000? 1 tlsmgr',
  'postlog unix-dgram n - n - 1 postlogd',
]

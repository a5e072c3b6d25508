import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'

export type DovecotPorts = { imap: number; imaps: number; pop3: number; pop3s: number }

/**
 * Dovecot on 127.0.0.1 with all four ports, stopped after the file. Without a certificate it has no TLS, and the two
 * ports that begin with it are closed.
 */
export async function startDovecot(certificate: Certificate | null): Promise<DovecotPorts> {
  const folder = scratchFolder('dovecot')
  const [imap, imaps, pop3, pop3s] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const ports = { imap, imaps, pop3, pop3s }
  const path = join(folder, 'dovecot.conf')
  writeFileSync(path, `${common(folder)}${tls(folder, certificate)}${listeners(ports, certificate !== null)}`)
  await startDaemon(['dovecot', '-F', '-c', path], {
    folder,
    ports: certificate === null ? [imap, pop3] : Object.values(ports),
  })
  return ports
}

function common(folder: string): string {
  return `base_dir = ${join(folder, 'run')}
state_dir = ${join(folder, 'run')}
log_path = ${join(folder, 'log')}
protocols = imap pop3
listen = 127.0.0.1
default_internal_user = dovecot
default_login_user = dovenull
mail_location = maildir:${join(folder, 'mail')}/%u
passdb {
  driver = static
  args = password=x
}
userdb {
  driver = static
  args = uid=dovecot gid=dovecot home=${folder}
}
`
}

function tls(folder: string, certificate: Certificate | null): string {
  if (certificate === null) return 'ssl = no\n'
  const { cert, key } = writeCertificate(folder, certificate)
  return `ssl = yes\nssl_cert = <${cert}\nssl_key = <${key}\n`
}

function listeners({ imap, imaps, pop3, pop3s }: DovecotPorts, hasTls: boolean): string {
  return `service imap-login {
  inet_listener imap {
    port = ${imap}
  }
  inet_listener imaps {
    port = ${hasTls ? imaps : 0}
    ssl = yes
  }
}
service pop3-login {
  inet_listener pop3 {
    port = ${pop3}
  }
  inet_listener pop3s {
    port = ${hasTls ? pop3s : 0}
    ssl = yes
  }
}
`
}

import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'

export type MosquittoPeer = {
  port: number
  /** Runs mosquitto_pub, which has to succeed. */
  publish: (...words: readonly string[]) => void
}

type Wish = {
  /** Passwords by user; without any, everybody is let in. */
  users?: Readonly<Record<string, string>>
  /** Lines of an access list. */
  access?: readonly string[]
  /** TLS and nothing else, with this certificate. */
  certificate?: Certificate
  /** Clients have to show a certificate of this authority. */
  clientAuthority?: Certificate
}

/** Mosquitto on 127.0.0.1, stopped after the file. */
export async function startMosquitto({
  users,
  access,
  certificate,
  clientAuthority,
}: Wish = {}): Promise<MosquittoPeer> {
  const folder = scratchFolder('mosquitto')
  const port = await freePort()
  const settings = [
    `listener ${port} 127.0.0.1`,
    'user root',
    'persistence false',
    `allow_anonymous ${users === undefined ? 'true' : 'false'}`,
    ...(users === undefined ? [] : [`password_file ${passwordFile(folder, users)}`]),
    ...(access === undefined ? [] : [`acl_file ${privateFile(join(folder, 'access'), access)}`]),
    ...(certificate === undefined ? [] : tlsSettings(folder, certificate, clientAuthority)),
  ]
  const file = privateFile(join(folder, 'mosquitto.conf'), settings)
  await startDaemon(['mosquitto', '-c', file], { folder, ports: [port] })
  return {
    port,
    publish: (...words) => {
      execFileSync('mosquitto_pub', ['-h', '127.0.0.1', '-p', String(port), ...words], { timeout: 10_000 })
    },
  }
}

function privateFile(path: string, lines: readonly string[]): string {
  writeFileSync(path, `${lines.join('\n')}\n`)
  chmodSync(path, 0o600)
  return path
}

function passwordFile(folder: string, users: Readonly<Record<string, string>>): string {
  const lines = Object.entries(users).map(([name, password]) => `${name}:${password}`)
  const path = privateFile(join(folder, 'passwords'), lines)
  execFileSync('mosquitto_passwd', ['-U', path], { timeout: 10_000 })
  return path
}

function tlsSettings(folder: string, certificate: Certificate, clientAuthority: Certificate | undefined): string[] {
  const { cert, key } = writeCertificate(folder, certificate)
  const own = [`certfile ${cert}`, `keyfile ${key}`]
  if (clientAuthority === undefined) return own
  return [...own, `cafile ${writeCertificate(folder, clientAuthority).cert}`, 'require_certificate true']
}

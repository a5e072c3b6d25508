import { execFileSync } from 'node:child_process'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'
import { findProgram } from './program.ts'

export type RedisPeer = {
  port: number
  /** What redis-cli prints for a command. */
  ask: (...words: readonly string[]) => string
}

type Wish = {
  password?: string
  /** TLS and nothing else, with this certificate. */
  certificate?: Certificate
  /** Clients have to show a certificate of this authority. */
  clientAuthority?: Certificate
  /** The port of its primary, on 127.0.0.1. */
  primaryPort?: number
}

/** redis-server on 127.0.0.1, stopped after the file. */
export async function startRedis({
  password,
  certificate,
  clientAuthority,
  primaryPort,
}: Wish = {}): Promise<RedisPeer> {
  const folder = scratchFolder('redis')
  const port = await freePort()
  const tls = certificate === undefined ? [] : tlsArguments(folder, port, { certificate, clientAuthority })
  const settings = [
    ['--bind', '127.0.0.1', '--dir', folder, '--save', '', '--port', tls.length === 0 ? String(port) : '0'],
    password === undefined ? [] : ['--requirepass', password],
    primaryPort === undefined ? [] : ['--replicaof', '127.0.0.1', String(primaryPort)],
    tls,
  ]
  await startDaemon(['redis-server', ...settings.flat()], { folder, ports: [port] })
  const access = ['-h', '127.0.0.1', '-p', String(port), ...(tls.length === 0 ? [] : ['--tls', '--insecure'])]
  const environment = password === undefined ? {} : { REDISCLI_AUTH: password }
  return {
    port,
    ask: (...words) =>
      execFileSync(findProgram('redis-cli') ?? 'redis-cli', [...access, ...words], {
        encoding: 'utf8',
        timeout: 10_000,
        env: { ...process.env, ...environment },
      }).trim(),
  }
}

function tlsArguments(
  folder: string,
  port: number,
  { certificate, clientAuthority }: { certificate: Certificate; clientAuthority: Certificate | undefined },
): string[] {
  const own = writeCertificate(folder, certificate)
  const authority = writeCertificate(folder, clientAuthority ?? certificate)
  const files = ['--tls-cert-file', own.cert, '--tls-key-file', own.key, '--tls-ca-cert-file', authority.cert]
  return ['--tls-port', String(port), ...files, '--tls-auth-clients', clientAuthority === undefined ? 'no' : 'yes']
}

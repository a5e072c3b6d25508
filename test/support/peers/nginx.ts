import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'
import { findProgram } from './program.ts'

/** Why tests with nginx are skipped, or false. */
export const withoutNginx: string | false = findProgram('nginx') === null ? 'nginx is not installed' : false

export type NginxServer = {
  /** The certificate that nginx shows, as PEM, with its chain; without one the port speaks plain HTTP. */
  certificate?: { pem: string; keyPem: string }
  /** `ssl_protocols`; TLSv1.2 and TLSv1.3 by default. */
  protocols?: string
  /** `ssl_ciphers`; all of OpenSSL, old ones included, by default. */
  ciphers?: string
  /** Directives of the server, such as locations. */
  directives?: string
  /** Within TLS it speaks HTTP/2 with who offers it. */
  http2?: true
  /** It listens on ::1 too. */
  isOnSix?: true
}

/** nginx in the foreground with a server for each wish, on 127.0.0.1; the ports in that order. Stopped after the file. */
export async function startNginx(servers: readonly NginxServer[]): Promise<number[]> {
  const folder = scratchFolder('nginx')
  const ports = await Promise.all(servers.map(() => freePort()))
  const blocks = servers.map((server, index) => serverBlock(server, join(folder, String(index)), ports[index] ?? 0))
  const path = join(folder, 'nginx.conf')
  writeFileSync(path, mainBlock(folder, blocks))
  await startDaemon(['nginx', '-e', 'stderr', '-p', folder, '-c', path], { folder, ports })
  return ports
}

function mainBlock(folder: string, servers: readonly string[]): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const folders = kinds.map((kind) => `  ${kind}_temp_path ${join(folder, kind)};`)
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  return `${user}daemon off;
worker_processes 1;
pid ${join(folder, 'pid')};
error_log stderr warn;
events { worker_connections 512; }
http {
  access_log off;
  server_names_hash_bucket_size 128;
${folders.join('\n')}
${servers.join('\n')}
}
`
}

function serverBlock(
  { certificate, protocols, ciphers = 'ALL:@SECLEVEL=0', directives, http2, isOnSix }: NginxServer,
  base: string,
  port: number,
): string {
  const lines = [directives ?? 'return 200 "hello\\n";']
  if (certificate !== undefined) {
    writeFileSync(`${base}.pem`, certificate.pem)
    writeFileSync(`${base}.key`, certificate.keyPem, { mode: 0o600 })
    lines.push(`ssl_certificate ${base}.pem;`, `ssl_certificate_key ${base}.key;`)
    lines.push(`ssl_protocols ${protocols ?? 'TLSv1.2 TLSv1.3'};`, `ssl_ciphers ${ciphers};`)
  }
  const addresses = isOnSix === true ? ['127.0.0.1', '[::1]'] : ['127.0.0.1']
  const spoken = `${certificate === undefined ? '' : ' ssl'}${http2 === true ? ' http2' : ''}`
  const listen = addresses.map((address) => `listen ${address}:${port}${spoken};`)
  return `  server {\n${[...listen, ...lines].map((line) => `    ${line}`).join('\n')}\n  }`
}

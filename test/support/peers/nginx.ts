import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { closedPort } from '../raw-server.ts'
import { until } from '../until.ts'

const program = '/usr/sbin/nginx'

/** Why tests with nginx are skipped, or false. */
export const withoutNginx: string | false = existsSync(program) ? false : `${program} is not installed`

export type NginxServer = {
  /** What it shows, as PEM, the chain too; without one the port speaks plain HTTP. */
  certificate?: { pem: string; keyPem: string }
  /** `ssl_protocols`; TLSv1.2 and TLSv1.3 by default. */
  protocols?: string
  /** Directives of the server, such as locations. */
  directives?: string
}

/** nginx in the foreground with a server for each wish, on 127.0.0.1; the ports in that order. Stopped after the file. */
export async function startNginx(servers: readonly NginxServer[]): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-nginx-'))
  const ports = await Promise.all(servers.map(() => closedPort()))
  const blocks = servers.map((server, index) => serverBlock(server, join(folder, String(index)), ports[index] ?? 0))
  const path = join(folder, 'nginx.conf')
  writeFileSync(path, mainBlock(folder, blocks))
  const nginx = spawn(program, ['-e', 'stderr', '-p', folder, '-c', path], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  nginx.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-4000)
  })
  const ended = new Promise<void>((resolve) => nginx.once('exit', () => resolve()))
  after(async () => {
    nginx.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  await until('nginx to listen', async () => {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${said}`)
    return (await Promise.all(ports.map(isListening))).every(Boolean)
  })
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

function serverBlock({ certificate, protocols, directives }: NginxServer, base: string, port: number): string {
  const lines = [directives ?? 'return 200 "hello\\n";']
  if (certificate !== undefined) {
    writeFileSync(`${base}.pem`, certificate.pem)
    writeFileSync(`${base}.key`, certificate.keyPem, { mode: 0o600 })
    lines.push(`ssl_certificate ${base}.pem;`, `ssl_certificate_key ${base}.key;`)
    lines.push(`ssl_protocols ${protocols ?? 'TLSv1.2 TLSv1.3'};`, 'ssl_ciphers ALL:@SECLEVEL=0;')
  }
  const listen = `listen 127.0.0.1:${port}${certificate === undefined ? '' : ' ssl'};`
  return `  server {\n${[listen, ...lines].map((line) => `    ${line}`).join('\n')}\n  }`
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

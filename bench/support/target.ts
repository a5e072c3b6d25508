// The target of checks: a light server in a process of its own, whose CPU counts in no figure.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeCertificate } from '../../test/support/certificates.ts'
import { startChild } from './child.ts'

export type Target = {
  name: string
  /** Several, because one port of one address has only so many connections a minute. */
  urls: readonly string[]
  /** To be trusted with NODE_EXTRA_CA_CERTS; null without TLS. */
  certificateFile: string | null
  stop: () => Promise<void>
}

const ports = 8
const startMs = 10_000

/** nginx where the machine has it, else a bare server of Node's. */
export async function startTarget(options: { isTls: boolean } = { isTls: false }): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-bench-target-'))
  chmodSync(folder, 0o711)
  const chosen = await freePorts(ports)
  const certificateFile = options.isTls ? writeCertificate(folder) : null
  const nginx = findProgram('nginx')
  const child =
    nginx === null
      ? startChild(process.execPath, [
          fileURLToPath(new URL('plain-server.ts', import.meta.url)),
          folder,
          ...chosen.map(String),
        ])
      : startNginx(nginx, { folder, chosen, isTls: options.isTls })
  let complaint = ''
  child.stderr?.on('data', (bytes: Buffer) => (complaint += bytes.toString()))
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    for (const port of chosen) await untilListening(port, child)
  } catch (cause) {
    await stop()
    throw new Error(`The target did not start: ${complaint}`, { cause })
  }
  const scheme = options.isTls ? 'https' : 'http'
  return {
    name: nginx === null ? 'node:net' : 'nginx',
    urls: chosen.map((port) => `${scheme}://127.0.0.1:${port}/`),
    certificateFile,
    stop,
  }
}

function startNginx(
  program: string,
  { folder, chosen, isTls }: { folder: string; chosen: number[]; isTls: boolean },
): ChildProcess {
  mkdirSync(join(folder, 'logs'))
  const listening = chosen.map((port) => `listen 127.0.0.1:${port}${isTls ? ' ssl' : ''} backlog=4096;`).join(' ')
  const tls = isTls
    ? `ssl_certificate ${folder}/certificate.pem; ssl_certificate_key ${folder}/key.pem; ssl_protocols TLSv1.2 TLSv1.3;`
    : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 8192; }
http { access_log off; ${temporary} ${tls}
  server { ${listening} location / { default_type text/html; return 200 '${'x'.repeat(200)}'; } } }`,
  )
  return startChild(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
}

function writeCertificate(folder: string): string {
  const certificate = makeCertificate({ name: 'Perigee bench', names: ['127.0.0.1'] })
  const file = join(folder, 'certificate.pem')
  writeFileSync(file, certificate.pem)
  writeFileSync(join(folder, 'key.pem'), certificate.keyPem)
  return file
}

export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  const found: number[] = []
  for (const server of servers) {
    if (!server.listening) await once(server, 'listening')
    const address = server.address()
    if (address !== null && typeof address !== 'string') found.push(address.port)
  }
  for (const server of servers) {
    server.close()
    await once(server, 'close')
  }
  return found
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const until = performance.now() + startMs
  while (!(await connects(port))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`Nobody listens at port ${port}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket.destroy() !== undefined))
    socket.once('error', () => resolve(false))
  })
}

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'
import { until } from '../until.ts'
import { findProgram } from './program.ts'

export type PostgresqlPeer = {
  port: number
  /** What psql prints for a statement of the superuser, without a head. */
  ask: (statement: string) => string
}

type Wish = {
  /** Offers TLS with this certificate. */
  certificate?: Certificate
  /** Lines of pg_hba.conf for 127.0.0.1, before the one that lets all others in by SCRAM. */
  access?: readonly string[]
  /** Lines of postgresql.conf. */
  settings?: readonly string[]
  /** Of a server that is to be a replica: the port of its primary. */
  primaryPort?: number
}

/** Why tests with PostgreSQL of Debian are skipped, or false. */
export function postgresqlSkipReason(): string | false {
  if (folderOfPrograms() === undefined) return 'postgresql not installed'
  return process.getuid?.() === 0 ? false : 'the servers need root'
}

/** PostgreSQL of Debian on 127.0.0.1, as its own user, stopped after the file. */
export async function startPostgresql(wish: Wish = {}): Promise<PostgresqlPeer> {
  const { certificate, access = [], settings = [], primaryPort } = wish
  const folder = scratchFolder('postgresql')
  const port = await freePort()
  const files = join(folder, 'files')
  const ids = idsOf('postgres')
  chownSync(folder, ids.uid, ids.gid)
  const programs = folderOfPrograms() ?? ''
  if (primaryPort === undefined)
    run(['initdb', '-D', files, '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8'])
  else
    run([
      'pg_basebackup',
      '-D',
      files,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '-h',
      folderOf(primaryPort),
      '-p',
      String(primaryPort),
    ])
  const tls = certificate === undefined ? [] : tlsSettings(folder, certificate, ids)
  const conf = [
    `port = ${port}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = '${folder}'`,
    'fsync = off',
  ]
  writeFileSync(
    join(files, 'postgresql.auto.conf'),
    [...(primaryPort === undefined ? conf : standby(conf, primaryPort)), ...tls, ...settings, ''].join('\n'),
  )
  const lines = [
    'local all all trust',
    'local replication all trust',
    ...access,
    'host all all 127.0.0.1/32 scram-sha-256',
    '',
  ]
  writeFileSync(join(files, 'pg_hba.conf'), lines.join('\n'))
  folders.set(port, folder)
  await startDaemon(['setpriv', ...asPostgres, join(programs, 'postgres'), '-D', files], { folder, ports: [port] })
  // It listens before it lets anybody in.
  await until('PostgreSQL to be ready', () => isReady(join(programs, 'pg_isready'), folder, port))
  return {
    port,
    ask: (statement) =>
      execFileSync(
        findProgram('setpriv') ?? 'setpriv',
        [...asPostgres, join(programs, 'psql'), '-h', folder, '-p', String(port), '-XAtc', statement, 'postgres'],
        {
          encoding: 'utf8',
          timeout: 20_000,
          cwd: folder,
        },
      ).trim(),
  }

  function run([name, ...rest]: readonly [string, ...string[]]): void {
    execFileSync('setpriv', [...asPostgres, join(programs, name), ...rest], {
      stdio: 'pipe',
      timeout: 60_000,
      cwd: folder,
    })
  }
}

function isReady(program: string, folder: string, port: number): boolean {
  return spawnSync(program, ['-q', '-h', folder, '-p', String(port)], { timeout: 10_000 }).status === 0
}

const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups']

/** Where the sockets of the servers are, by their ports. */
const folders = new Map<number, string>()

function folderOf(port: number): string {
  return folders.get(port) ?? ''
}

function standby(conf: readonly string[], primaryPort: number): string[] {
  return [...conf, `primary_conninfo = 'host=${folderOf(primaryPort)} port=${primaryPort} user=postgres'`]
}

function folderOfPrograms(): string | undefined {
  return globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)
}

function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function tlsSettings(folder: string, certificate: Certificate, { uid, gid }: { uid: number; gid: number }): string[] {
  const { cert, key } = writeCertificate(folder, certificate)
  chownSync(key, uid, gid)
  chmodSync(key, 0o600)
  return ['ssl = on', `ssl_cert_file = '${cert}'`, `ssl_key_file = '${key}'`]
}

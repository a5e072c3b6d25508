import { execFileSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../certificates.ts'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon, writeCertificate } from './daemon.ts'

export type MariadbPeer = {
  port: number
  /** What the client prints for statements of the superuser, without a head. */
  ask: (statements: string) => string
}

/** MariaDB of Debian on 127.0.0.1, as its own user, stopped after the file; it offers TLS with a certificate. */
export async function startMariadb({ certificate }: { certificate?: Certificate } = {}): Promise<MariadbPeer> {
  const folder = scratchFolder('mariadb')
  const port = await freePort()
  const socket = join(folder, 'socket')
  const files = join(folder, 'files')
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'mysql'], { encoding: 'utf8' })))
  chownSync(folder, uid ?? 0, gid ?? 0)
  const place = ['--no-defaults', `--datadir=${files}`]
  const install = [...place, '--user=mysql', '--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync('mariadb-install-db', install, {
    stdio: 'pipe',
    timeout: 60_000,
    env: { ...process.env, TMPDIR: folder },
  })
  const settings = [
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    `--socket=${socket}`,
    `--pid-file=${join(folder, 'pid')}`,
  ]
  const tls = certificate === undefined ? ['--skip-ssl'] : tlsSettings(folder, certificate, [uid ?? 0, gid ?? 0])
  await startDaemon(
    ['mariadbd', ...place, '--user=mysql', ...settings, '--skip-name-resolve', `--tmpdir=${folder}`, ...tls],
    {
      folder,
      ports: [port],
    },
  )
  return {
    port,
    ask: (statements) =>
      execFileSync('mariadb', ['--no-defaults', '-S', socket, '-u', 'root', '-NB', '-e', statements], {
        encoding: 'utf8',
        timeout: 20_000,
      }).trim(),
  }
}

function tlsSettings(folder: string, certificate: Certificate, [uid, gid]: [number, number]): string[] {
  const { cert, key } = writeCertificate(folder, certificate)
  chownSync(key, uid, gid)
  return [`--ssl-cert=${cert}`, `--ssl-key=${key}`]
}

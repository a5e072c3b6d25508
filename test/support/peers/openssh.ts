import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closedPort } from '../raw-server.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

/** OpenSSH's server on 127.0.0.1, stopped after the file; `log` is the path of what it has to say. */
export async function startOpenssh(settings: readonly string[] = []): Promise<{ port: number; log: string }> {
  const folder = scratchFolder('openssh')
  const port = await closedPort()
  const hostKey = join(folder, 'host-key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey])
  // Debian's start script makes this folder, into which the server shuts the process that speaks to strangers.
  mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const path = join(folder, 'sshd_config')
  const log = join(folder, 'log')
  const lines = [
    ...settings,
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    'PidFile none',
    'UsePAM no',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  await startDaemon(['/usr/sbin/sshd', '-D', '-E', log, '-f', path], { folder, ports: [port] })
  return { port, log }
}

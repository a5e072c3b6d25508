import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

/** OpenSSH's server on 127.0.0.1, stopped after the file; `log` is the path of what it has to say. */
export async function startOpenssh(settings: readonly string[] = []): Promise<{ port: number; log: string }> {
  const folder = scratchFolder('openssh')
  const port = await freePort()
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

/** A server that bears one guest at a time (`MaxStartups 1`) and has one, until after the file. Resolves to the port. */
export async function startFullOpenssh(): Promise<number> {
  const { port } = await startOpenssh(['MaxStartups 1', 'LoginGraceTime 600'])
  let guest: Socket | null = null
  after(() => guest?.destroy())
  // The connection that checked whether sshd listens may still count against MaxStartups.
  await until('sshd to let a guest in', async () => {
    guest = connect({ port, host: '127.0.0.1' })
    guest.on('error', () => {})
    const [said] = await once(guest, 'data')
    return String(said).startsWith('SSH-')
  })
  return port
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { closedUdpPort } from '../udp-server.ts'

/**
 * chronyd on a loopback port, without touching the clock; stopped after the file. Synchronised it takes its own clock
 * for right, at stratum 3; else it has no source at all.
 */
export async function chrony(program: string, { isSynchronised }: { isSynchronised: boolean }): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-chrony-'))
  const port = await closedUdpPort()
  const configuration = join(folder, 'chrony.conf')
  const lines = [
    ...(isSynchronised ? ['local stratum 3'] : []),
    `port ${port}`,
    'bindaddress 127.0.0.1',
    'allow 127.0.0.0/8',
    'cmdport 0',
    `bindcmdaddress ${join(folder, 'chronyd.sock')}`,
    `pidfile ${join(folder, 'chronyd.pid')}`,
    `user ${userInfo().username}`,
  ]
  writeFileSync(configuration, `${lines.join('\n')}\n`)
  const server = spawn(program, ['-x', '-d', '-U', '-f', configuration], { stdio: 'ignore' })
  after(async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })
  return port
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { userInfo } from 'node:os'
import { closedUdpPort } from '../udp-server.ts'
import { until } from '../until.ts'
import { scratchFolder, startDaemon } from './daemon.ts'
import { hasUdpAnswer } from './udp-port.ts'

export type ChronyWish = {
  isSynchronised: boolean
  /** A loopback address; 127.0.0.1 by default. */
  address?: string
}

/**
 * chronyd on a loopback port, without touching the clock; stopped after the file. Synchronised it takes its own clock
 * for right, at stratum 3; else it has no source at all.
 */
export async function startChrony({ isSynchronised, address = '127.0.0.1' }: ChronyWish): Promise<number> {
  const folder = scratchFolder('chrony')
  const port = await closedUdpPort(address)
  const configuration = join(folder, 'chrony.conf')
  const lines = [
    ...(isSynchronised ? ['local stratum 3'] : []),
    `port ${port}`,
    `bindaddress ${address}`,
    'allow all',
    'cmdport 0',
    `bindcmdaddress ${join(folder, 'chronyd.sock')}`,
    `pidfile ${join(folder, 'chronyd.pid')}`,
    `user ${userInfo().username}`,
  ]
  writeFileSync(configuration, `${lines.join('\n')}\n`)
  await startDaemon(['chronyd', '-x', '-d', '-U', '-f', configuration], { folder, ports: [] })
  const question = Buffer.alloc(48)
  question[0] = (4 << 3) | 3
  await until('chronyd to answer', () => hasUdpAnswer(port, question, address))
  return port
}

import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encode } from 'dns-packet'
import { closedUdpPort } from '../udp-server.ts'
import { until } from '../until.ts'
import { scratchFolder, startDaemon } from './daemon.ts'
import { hasUdpAnswer } from './udp-port.ts'

export type BlacklistZones = Readonly<Record<string, { type: 'ip4set' | 'dnset'; entries: string }>>

/** rbldnsd on a UDP port of 127.0.0.1 with these zones; stopped after the file. Resolves to the port. */
export async function startRbldnsd(zones: BlacklistZones): Promise<number> {
  const folder = scratchFolder('rbldnsd')
  const port = await closedUdpPort()
  const names = Object.entries(zones).map(([zone, { type, entries }]) => {
    const path = join(folder, zone)
    writeFileSync(path, `$SOA 300 ns.${zone} host.${zone} 0 600 300 86400 60\n${entries}\n`)
    chmodSync(path, 0o644)
    return `${zone}:${type}:${zone}`
  })
  const command = ['rbldnsd', '-n', '-b', `127.0.0.1/${port}`, '-w', folder, '-u', 'nobody', ...names] as const
  await startDaemon([...command], { folder, ports: [] })
  const [zone = ''] = Object.keys(zones)
  const query = encode({ type: 'query', id: 1, questions: [{ name: zone, type: 'SOA' }] })
  await until('rbldnsd to answer', () => hasUdpAnswer(port, query))
  return port
}

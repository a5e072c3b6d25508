import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

export type Credentials = { name: string; secret: string }

type Wish = {
  /** Default: everybody is let in. */
  credentials?: Credentials
  /** The only port to which a tunnel may lead. Default: any. */
  tunnelPort?: number
}

/** Tinyproxy, an HTTP proxy, on 127.0.0.1; stopped after the file. Returns its port. */
export async function startTinyproxy({ credentials, tunnelPort }: Wish = {}): Promise<number> {
  const folder = scratchFolder('tinyproxy')
  const port = await freePort()
  const settings = [
    `Port ${port}`,
    'Listen 127.0.0.1',
    'User nobody',
    'Timeout 10',
    ...(credentials === undefined ? [] : [`BasicAuth ${credentials.name} ${credentials.secret}`]),
    ...(tunnelPort === undefined ? [] : [`ConnectPort ${tunnelPort}`]),
  ]
  const file = join(folder, 'tinyproxy.conf')
  writeFileSync(file, `${settings.join('\n')}\n`)
  await startDaemon(['tinyproxy', '-d', '-c', file], { folder, ports: [port] })
  return port
}

/** MicroSocks, a SOCKS5 proxy, likewise. */
export async function startMicrosocks({ credentials }: Pick<Wish, 'credentials'> = {}): Promise<number> {
  const folder = scratchFolder('microsocks')
  const port = await freePort()
  const signIn = credentials === undefined ? [] : ['-u', credentials.name, '-P', credentials.secret]
  await startDaemon(['microsocks', '-i', '127.0.0.1', '-p', String(port), ...signIn], { folder, ports: [port] })
  return port
}

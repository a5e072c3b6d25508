import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'
import { findProgram } from './program.ts'

export type BindZones = {
  /** The records by the name of their zone, as in a zone file; `startBind` adds SOA and NS. */
  zones: Readonly<Record<string, string>>
  /** The port on loopback of another server that knows the zone, by the name of the zone. */
  forwards: Readonly<Record<string, number>>
}

/** named on a port of 127.0.0.1, over UDP and TCP, that is stopped after the file. Resolves to host:port. */
export async function startBind({ zones, forwards }: BindZones): Promise<string> {
  const folder = scratchFolder('bind')
  const port = await freePort()
  const blocks = Object.entries(zones).map(([name, records]) => {
    const path = join(folder, `${name}.zone`)
    writeFileSync(
      path,
      `$TTL 300\n@ IN SOA ns1 host\\.master ( 2026112101 3600 600 86400 60 )\n@ NS ns1\nns1 A 127.0.0.1\n${records}\n`,
    )
    return `zone "${name}" { type master; file "${path}"; };`
  })
  for (const [name, forward] of Object.entries(forwards))
    blocks.push(`zone "${name}" { type forward; forward only; forwarders { 127.0.0.1 port ${forward}; }; };`)
  const configuration = join(folder, 'named.conf')
  writeFileSync(
    configuration,
    `options {
  directory "${folder}";
  pid-file "${join(folder, 'pid')}";
  session-keyfile "${join(folder, 'session.key')}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  allow-query { any; };
  allow-recursion { any; };
  forward only;
  forwarders { };
  dnssec-validation no;
};
controls { };
${blocks.join('\n')}
`,
  )
  await startDaemon(['named', '-g', '-n', '1', '-c', configuration], { folder, ports: [port] })
  return `127.0.0.1:${port}`
}

const run = promisify(execFile)

/** The lines that `dig +short` prints. */
export async function digShort(server: string, name: string, type: string): Promise<string[]> {
  const [address = '', port = ''] = server.split(':')
  const dig = findProgram('dig') ?? 'dig'
  const { stdout } = await run(dig, [`@${address}`, '-p', port, '+short', '+tries=1', '+time=5', name, type])
  return stdout.split('\n').filter((line) => line !== '')
}

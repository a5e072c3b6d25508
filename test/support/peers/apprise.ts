import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import { scratchFolder, startDaemon } from './daemon.ts'

/** Debian's, which has the packages of Debian; another one may come first in the path. */
const python = '/usr/bin/python3'

/** Why tests with Apprise are skipped, or false. */
export function withoutApprise(): string | false {
  try {
    execFileSync(python, ['-c', 'import apprise'], { stdio: 'ignore', timeout: 30_000 })
    return false
  } catch {
    return 'apprise is not installed'
  }
}

/**
 * A server around the library of Apprise on a port of 127.0.0.1, with configurations by their keys: lines of Apprise's
 * text format. Stopped after the file.
 */
export async function startApprise(configurations: Readonly<Record<string, string[]>>): Promise<{ url: string }> {
  const folder = scratchFolder('apprise')
  const port = await freePort()
  const path = join(folder, 'configurations.json')
  const lines = Object.entries(configurations).map(([key, each]) => [key, each.join('\n')] as const)
  writeFileSync(path, JSON.stringify(Object.fromEntries(lines)))
  const server = fileURLToPath(new URL('apprise-server.py', import.meta.url))
  await startDaemon([python, server, String(port), path], { folder, ports: [port] })
  return { url: `http://127.0.0.1:${port}` }
}

import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

/** The addresses that the machine's own hosts file gives a lower-case name; empty when it gives none. */
export type HostsFile = { find: (name: string) => readonly string[] }

/** Read again when the file has changed, which is looked at once a second at most. `now` counts milliseconds. */
export function openHostsFile(path: string, now: () => number): HostsFile {
  let addresses = new Map<string, string[]>()
  let changedAt = -1
  let lookedAt = -Infinity
  function refresh(): void {
    lookedAt = now()
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (changed === changedAt) return
    changedAt = changed
    addresses = parseHosts(changed === 0 ? '' : readText(path))
  }
  return {
    find: (name) => {
      if (now() - lookedAt >= 1000) refresh()
      return addresses.get(name) ?? (isLoopbackName(name) ? loopback : [])
    },
  }
}

/** A hosts file that cannot be read counts as empty, as it does for the system's own resolver. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Parses hosts(5): an address and its names a line, comments after "#". Lines that are neither are passed over. */
export function parseHosts(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    if (address === undefined || isIP(address) === 0) continue
    for (const name of names) {
      const known = addresses.get(name.toLowerCase())
      if (known === undefined) addresses.set(name.toLowerCase(), [address])
      else if (!known.includes(address)) known.push(address)
    }
  }
  return addresses
}

const loopback: readonly string[] = ['::1', '127.0.0.1']

/** RFC 6761 6.3: localhost and what lies below it never leave the machine. */
function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

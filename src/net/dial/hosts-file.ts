import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'

/** `find` takes a lower-case name and is empty where the machine's hosts file does not have it. */
export type HostsFile = { find: (name: string) => readonly string[] }

/** Reads the file again after a change, for which it looks at most once a second. `now` counts milliseconds. */
export function openHostsFile(path: string, now: () => number): HostsFile {
  let addresses = new Map<string, string[]>()
  let changedAt: number | null = null
  let lookedAt = -Infinity
  function refresh(): void {
    lookedAt = now()
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
    if (changed === changedAt) return
    changedAt = changed
    addresses = parseHosts(readText(path))
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

/** Parses hosts(5): each line has an address and its names, comments follow "#". Other lines are skipped. */
export function parseHosts(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
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

/** RFC 6761 6.3: look-ups of localhost and of names below it never leave the machine. */
function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}

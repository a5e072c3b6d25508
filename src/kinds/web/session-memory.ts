import type { KeptSession } from '#net/tls/tls.ts'

/** TLS sessions by `host:port`, and how many checks in a row took one up. */
export type Sessions = { byHost: ReadonlyMap<string, KeptSession>; inARow: number }

/**
 * The sessions of all monitors that a thread checks, by their configurations: of each location the same object for all
 * checks until the monitor is changed.
 */
export type SessionMemory = {
  recall: (configuration: object) => Sessions | null
  keep: (configuration: object, sessions: Sessions) => void
  forget: (configuration: object) => void
  readonly bytes: number
}

/** Some 20,000 monitors' usual ones; those that were kept longest ago make room. */
const maxBytes = 64 * 1024 * 1024
/** What a monitor takes beside its sessions. */
const ownBytes = 500
/** Usual ones have one to three kilobytes. Servers choose their size, and only those that mean harm exceed this. */
const maxSessionBytes = 16 * 1024
/** A monitor has more than one where redirects lead to others. */
const maxHosts = 4

export function createSessionMemory(limit: number = maxBytes): SessionMemory {
  // By numbers of their own, so that what is known of a configuration that is gone holds on to nothing else of it.
  const kept = new Map<number, { sessions: Sessions; bytes: number }>()
  const numbers = new WeakMap<object, number>()
  let lastNumber = 0
  let bytes = 0
  function numberOf(configuration: object): number {
    const known = numbers.get(configuration) ?? (lastNumber += 1)
    numbers.set(configuration, known)
    return known
  }
  function forget(number: number): void {
    bytes -= kept.get(number)?.bytes ?? 0
    kept.delete(number)
  }
  return {
    get bytes() {
      return bytes
    },
    recall: (configuration) => kept.get(numberOf(configuration))?.sessions ?? null,
    keep: (configuration, { byHost, inARow }) => {
      const number = numberOf(configuration)
      forget(number)
      const small = new Map<string, KeptSession>()
      let added = ownBytes
      for (const [host, session] of byHost) {
        const own = bytesOf(session)
        if (own > maxSessionBytes || small.size === maxHosts) continue
        small.set(host, session)
        added += own
      }
      if (small.size === 0) return
      kept.set(number, { sessions: { byHost: small, inARow }, bytes: added })
      bytes += added
      for (const oldest of kept.keys()) {
        if (bytes <= limit) return
        forget(oldest)
      }
    },
    forget: (configuration) => forget(numberOf(configuration)),
  }
}

function bytesOf({ session, certificate }: KeptSession): number {
  return session.length + JSON.stringify(certificate).length
}

import type { KeptSession } from '#net/tls/tls.ts'

/** TLS sessions by `host:port`, and how many checks in a row took one up. */
export type Sessions = { byHost: ReadonlyMap<string, KeptSession>; inARow: number }

/** The sessions of all monitors that a thread checks. */
export type SessionMemory = {
  recall: (monitor: object) => Sessions | null
  keep: (monitor: object, sessions: Sessions) => void
  forget: (monitor: object) => void
  readonly bytes: number
}

/** Some 20,000 monitors' usual ones; those that were kept longest ago make room. */
const maxBytes = 64 * 1024 * 1024
/** Beside its sessions. */
const ownBytes = 500
/** Usual ones have one to three kilobytes. Servers choose their size, and only those that mean harm exceed this. */
const maxSessionBytes = 16 * 1024
/** Of those to which redirects lead, too. */
const maxHosts = 4

export function createSessionMemory(limit: number = maxBytes): SessionMemory {
  const kept = new Map<object, { sessions: Sessions; bytes: number }>()
  let bytes = 0
  function forget(monitor: object): void {
    bytes -= kept.get(monitor)?.bytes ?? 0
    kept.delete(monitor)
  }
  return {
    get bytes() {
      return bytes
    },
    recall: (monitor) => kept.get(monitor)?.sessions ?? null,
    keep: (monitor, { byHost, inARow }) => {
      forget(monitor)
      const small = new Map<string, KeptSession>()
      let added = ownBytes
      for (const [host, session] of byHost) {
        const own = bytesOf(session)
        if (own > maxSessionBytes || small.size === maxHosts) continue
        small.set(host, session)
        added += own
      }
      if (small.size === 0) return
      kept.set(monitor, { sessions: { byHost: small, inARow }, bytes: added })
      bytes += added
      for (const oldest of kept.keys()) {
        if (bytes <= limit) return
        forget(oldest)
      }
    },
    forget,
  }
}

function bytesOf({ session, certificate }: KeptSession): number {
  return session.length + JSON.stringify(certificate).length
}

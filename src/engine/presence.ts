import type { Presence } from '#bus/bus.ts'

/** A prober that was silent for this long is gone (architecture.md, Assignments). */
const goneAfterMs = 6_000

export type PresenceBook = {
  note: (presence: Presence, nowMs: number) => void
  isOnline: (location: string, nowMs: number) => boolean
  /** The prober of a location that checks this monitor: always the same one while the same probers are present. */
  proberFor: (location: string, monitorId: string, nowMs: number) => string | null
}

type Prober = { name: string; seed: number; seenMs: number }

/** Who is there to check. Presence alone decides whether a location is online (decisions.md A2). */
export function createPresenceBook(): PresenceBook {
  const locations = new Map<string, Prober[]>()
  const present = (location: string, nowMs: number): Prober[] => {
    const probers = locations.get(location)
    if (probers === undefined) return []
    if (probers.every(({ seenMs }) => nowMs - seenMs < goneAfterMs)) return probers
    const remaining = probers.filter(({ seenMs }) => nowMs - seenMs < goneAfterMs)
    locations.set(location, remaining)
    return remaining
  }
  return {
    note: ({ location, prober: name, isLeaving }, nowMs) => {
      const others = (locations.get(location) ?? []).filter((prober) => prober.name !== name)
      if (!isLeaving) others.push({ name, seed: hash(name, 0), seenMs: nowMs })
      locations.set(location, others)
    },
    isOnline: (location, nowMs) => present(location, nowMs).length > 0,
    proberFor: (location, monitorId, nowMs) => highest(present(location, nowMs), monitorId),
  }
}

/** Rendezvous hashing: a prober that comes or goes moves only its own share of the monitors. */
function highest(probers: Prober[], monitorId: string): string | null {
  if (probers.length === 1) return probers[0]?.name ?? null
  let best: string | null = null
  let bestWeight = -1
  for (const { name, seed } of probers) {
    const weight = hash(monitorId, seed)
    if (weight > bestWeight) {
      best = name
      bestWeight = weight
    }
  }
  return best
}

/** FNV-1a with a final mix; 32 bits. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}

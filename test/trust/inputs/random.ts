/** Draws that depend on nothing but the seed. */
export type Random = {
  /** A whole number from 0 to below `end`. */
  below: (end: number) => number
  pick: <T>(from: readonly T[]) => T
  /** Whether something of this likelihood happens. */
  chance: (likelihood: number) => boolean
}

/** Mulberry32, which is small and good enough to choose inputs. The names are mixed into the seed. */
export function randomOf(seed: number, ...names: readonly (string | number)[]): Random {
  let state = names.reduce<number>((mixed, name) => hash(mixed, String(name)), seed | 0)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    chance: (likelihood) => next() < likelihood,
    pick: (from) => {
      const at = below(from.length)
      for (const picked of from.slice(at, at + 1)) return picked
      throw new Error('There is nothing to pick from.')
    },
  }
}

/** FNV-1a of a text, begun with another hash. */
function hash(from: number, text: string): number {
  let mixed = from ^ 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193)
  return mixed | 0
}

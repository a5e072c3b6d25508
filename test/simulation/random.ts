/** Luck that a seed decides. */
export type Random = {
  /** From 0 up to 1. */
  number: () => number
  /** A whole number from `least` to `most`. */
  within: (least: number, most: number) => number
  /** Whether something happens that does so with this probability. */
  happens: (probability: number) => boolean
  pick: <T>(list: readonly T[]) => T | undefined
  uuid: () => string
}

/** Mulberry32: 32 bits of state suffice to choose among schedules. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(number() * 16).toString(16)).join('')
  return {
    number,
    within: (least, most) => least + Math.floor(number() * (most - least + 1)),
    happens: (probability) => number() < probability,
    pick: (list) => list[Math.floor(number() * list.length)],
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}

import type { StoryClock } from './clock.ts'

export type Entry = { at: Date; what: string; happens: () => Promise<void> }

/** Has everything happen at its time, the earliest first. */
export async function live(clock: StoryClock, entries: readonly Entry[]): Promise<void> {
  for (const { at, what, happens } of entries.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    await clock.set(at)
    await happens().catch((cause: unknown) => {
      throw new Error(`${what}, at ${at.toISOString()}: ${String(cause)}`, { cause })
    })
  }
}

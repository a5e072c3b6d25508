// At which addresses a location reached a monitor's target, as far as it is remembered
// (docs/decisions/alerts-and-contacts.md, "Addresses that checks reached").
import { dayMs } from '#core/language/utc-day.ts'

const hourMs = dayMs / 24

/** Of one monitor and one location. */
export const maxReached = 4
/** A new address is remembered once in so long, at most. */
export const newAddressMs = hourMs
/** An address that is reached again is written again after this time, less than a day, so that a daily word refreshes it. */
export const refreshMs = 12 * hourMs
/** For so long an address counts after it was reached. */
export const keptMs = 7 * dayMs
/** Of a name that leads to ever other addresses one is remembered in so long, so that its end is noticed. */
export const rotatingMs = dayMs

/** As the row of a monitor and a location says it; times in milliseconds since 1970. */
export type ReachedAddresses = {
  /** In the order in which they were reached, each as `plainAddress` spells it. */
  addresses: readonly { address: string; seenMs: number }[]
  /** When the newest was added. */
  changedMs: number
  /** There were more addresses within a week than are remembered: they say nothing of the machine behind them. */
  isRotating: boolean
}

/** What is remembered after a check, or null when nothing is to be written, as after nearly every check. */
export function nextReached(
  known: ReachedAddresses | null,
  { address, atMs }: { address: string; atMs: number },
): ReachedAddresses | null {
  if (known === null) return { addresses: [{ address, seenMs: atMs }], changedMs: atMs, isRotating: false }
  const before = known.addresses.find((each) => each.address === address)
  const isNew = before === undefined
  const sinceMs = atMs - (before?.seenMs ?? known.changedMs)
  const patienceMs = known.isRotating ? rotatingMs : newAddressMs
  if (sinceMs < (isNew ? patienceMs : refreshMs)) return null
  const others = known.addresses.filter((each) => each.address !== address && atMs - each.seenMs < keptMs)
  const addresses = [...others.slice(1 - maxReached), { address, seenMs: atMs }]
  const isFull = addresses.length === maxReached
  return {
    addresses,
    changedMs: isNew ? atMs : known.changedMs,
    isRotating: others.length >= maxReached || (known.isRotating && isFull),
  }
}

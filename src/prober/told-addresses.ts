import { plainAddress } from '#core/language/ip-address.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import { maxReached, newAddressMs } from '#core/monitors/reached-addresses.ts'

/** When a prober tells its engine at which address it reached a target, which hardly any result does. */
export type ToldAddresses = {
  /** The address as the result of this check tells it; null where it tells none. `dialled` is null where none was reached. */
  toTell: (checked: Checked, dialled: string | null) => string | null
}

type Checked = Pick<CheckConfiguration, 'monitorId' | 'version' | 'kind'>

export type ToldAddressesOptions = {
  /** In milliseconds, of a clock that never jumps. */
  now: () => number
  /** False for addresses that are kept from who reads the results. */
  isShown: (address: string) => boolean
  /** Monitors that are remembered. */
  limit?: number
}

/** What was told is told again after this time, so that the engine knows that it still holds. */
const tellAgainMs = 24 * 60 * 60_000
/** Some 20 MB. Monitors beyond it are not told of, rather than at every check. */
const maxMonitors = 100_000

type Told = { version: number; addresses: string[]; toldMs: number; againMs: number }

export function createToldAddresses({ now, isShown, limit = maxMonitors }: ToldAddressesOptions): ToldAddresses {
  const known = new Map<string, Told>()
  let fullUntilMs = 0

  /** What is to be told again anyway need not be remembered. Looking for it takes a while, so it is done once an hour. */
  function hasRoom(nowMs: number): boolean {
    if (known.size < limit) return true
    if (nowMs < fullUntilMs) return false
    for (const [monitorId, { againMs }] of known) if (againMs <= nowMs) known.delete(monitorId)
    fullUntilMs = nowMs + newAddressMs
    return known.size < limit
  }

  function isToTell({ monitorId, version }: Checked, address: string): boolean {
    const nowMs = now()
    const told = known.get(monitorId)
    if (told === undefined || told.version !== version || told.againMs <= nowMs) {
      if (told === undefined && !hasRoom(nowMs)) return false
      known.set(monitorId, { version, addresses: [address], toldMs: nowMs, againMs: nowMs + tellAgainMs })
      return true
    }
    if (told.addresses.includes(address) || nowMs - told.toldMs < newAddressMs) return false
    if (told.addresses.length === maxReached) told.addresses.shift()
    told.addresses.push(address)
    told.toldMs = nowMs
    return true
  }

  return {
    toTell: (checked, dialled) => {
      if (dialled === null || !kindTraits[checked.kind].dialsTarget || !isToTell(checked, dialled)) return null
      return isShown(dialled) ? plainAddress(dialled) : null
    },
  }
}

import type { Chain } from './chain-client.ts'

/** A first transaction that has waited for so long was abandoned by the process that sent it. */
const patienceMs = 90_000

/**
 * The nonce of the relayer's next transaction: behind the ones that wait. Where the first of them has waited for long,
 * because its fee is too low and its authorization has ended, its own nonce is taken, so that it no longer holds up the
 * others.
 */
export function createNonces(now: () => Date): (chain: Chain) => Promise<number> {
  let front: { nonce: number; since: number } | null = null
  return async (chain) => {
    const mined = await chain.relayerNonce('latest')
    const next = await chain.relayerNonce('pending')
    if (next <= mined) front = null
    else if (front?.nonce !== mined) front = { nonce: mined, since: now().getTime() }
    const isStuck = front !== null && now().getTime() - front.since >= patienceMs
    return isStuck ? mined : next
  }
}

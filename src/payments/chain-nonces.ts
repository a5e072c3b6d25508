import type { Chain } from './chain-client.ts'

/** A first transaction that waits for so long is taken for one that nobody raises any more. */
const patienceMs = 90_000

/**
 * The nonce of the relayer's next transaction: behind those that wait; but where the first of them waits for long, as
 * one does that was paid too little for and whose authorization has ended, its own, so that it holds up nobody.
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

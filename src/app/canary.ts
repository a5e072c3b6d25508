import { readFileSync } from 'node:fs'
import type { Foundation } from './foundation.ts'
import type { Log } from './log.ts'
import type { Config } from '#config/config.ts'
import type { CanaryToken } from '#core/money/canary.ts'
import { buy, type BuyingParts, type TransferWish } from '#operations/purchases/buy.ts'
import { authorizationSchema, type Hex, signAuthorization } from '#payments/chain-authorization.ts'
import { hexSchema } from '#payments/chain-rpc.ts'
import type { SignedTransfer } from '#kinds/paid/purchase.ts'
import { readSendingHeld } from '#store/installation/sending.ts'
import { StartError } from '#store/database/start-error.ts'
import { beginPurchases, type DuePurchase } from '#store/money/canary-purchases.ts'

type CanaryParts = Pick<BuyingParts, 'tryCheck' | 'announceChange'> & {
  canary: NonNullable<Config['canary']>
  foundation: Foundation
  isOnline: (location: string) => boolean
  log: Log
}

const everyMs = 60_000
/** More wait for the next minute. */
const mostAtOnce = 40
const lanes = 4
const keyLength = '0x'.length + 64

/**
 * Buys, once an hour, from the endpoints whose monitors say so. The key of the wallet is read here and given to nothing
 * but the function that signs. Returns what ends it: a purchase under way is waited for.
 */
export function startCanary({ canary, foundation, isOnline, log, ...given }: CanaryParts): () => Promise<void> {
  const { keyFile, tokens } = canary
  const key = readKey(keyFile)
  const { database, secrets } = foundation
  const now = (): Date => new Date(foundation.now())
  const parts: BuyingParts = {
    database,
    secrets,
    tokens,
    sign: (wish, token) => signWith(key, wish, token),
    ...given,
    now,
  }
  let isEnding = false
  let buying: Promise<void> | null = null
  const buyDue = async (): Promise<void> => {
    // A restored copy buys nothing, because the original may still do so.
    if ((await readSendingHeld(database)) !== null) return
    const due = await beginPurchases(database, { now: now(), limit: mostAtOnce, isOnline })
    const lane = async (): Promise<void> => {
      for (let next = due.shift(); next !== undefined; next = due.shift()) await buyOne(parts, { due: next, log })
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }
  const turn = (): void => {
    if (isEnding) return
    buying ??= buyDue()
      .catch((error: unknown) => log.warn('Nothing could be bought now.', { error: String(error) }))
      .finally(() => {
        buying = null
      })
  }
  const timer = setInterval(turn, everyMs)
  turn()
  return async () => {
    isEnding = true
    clearInterval(timer)
    await buying
  }
}

async function buyOne(parts: BuyingParts, { due, log }: { due: DuePurchase; log: Log }): Promise<void> {
  const about = { monitor_id: due.monitorId, location: due.location }
  try {
    const { state, transaction, note } = await buy(parts, due)
    log.info('A purchase has ended.', { ...about, state, transaction, note })
  } catch (error) {
    log.warn('What became of a purchase is not known, so it counts as spent.', { ...about, error: String(error) })
  }
}

const wishSchema = authorizationSchema.pick({ to: true, value: true, validAfter: true, validBefore: true, nonce: true })

function signWith(
  key: Hex,
  wish: TransferWish,
  { network, asset, name, version }: CanaryToken,
): Promise<SignedTransfer> {
  // The domain of a signature has no decimals.
  const token = { address: hexSchema.parse(asset), name, version, decimals: 0 }
  return signAuthorization(wishSchema.parse(wish), { key, token, chainId: Number(network.replace('eip155:', '')) })
}

/** A private key of an account: 32 bytes in hexadecimal digits. */
function readKey(file: string): Hex {
  try {
    const key = hexSchema.safeParse(readFileSync(file, 'utf8').trim())
    if (key.success && key.data.length === keyLength) return key.data
  } catch (error) {
    throw new StartError(`PERIGEE_CANARY_KEY_FILE cannot be read: ${String(error)}`, { cause: error })
  }
  throw new StartError('PERIGEE_CANARY_KEY_FILE has to hold 0x and 64 hexadecimal digits.')
}

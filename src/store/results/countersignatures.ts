// What locations signed of the heads of days, beside the installation.
import {
  type Countersignature,
  type CountersignOffer,
  type CountersignReply,
  isCountersigned,
  maxCountersignedDays,
} from '#core/proofs/countersign.ts'
import { publicSigningKey } from '#core/proofs/signature.ts'
import type { Database } from '#store/database/database.ts'
import type { SigningKeys } from '#store/installation/signing-keys.ts'
import { type DayRange, listSignedHeads, readSignedRange } from './signed-exports.ts'

/** A location has a key, and another one after it lost that; whoever has its credential could make keys without end. */
const maxKeysOfDay = 4

export type StoredCountersignature = Countersignature & { day: string; at: Date }

export type OfferedTo = {
  location: string
  offer: CountersignOffer
  keys: Pick<SigningKeys, 'publicKeys'>
}

export type OfferOutcome = { reply: CountersignReply; stored: number; refused: number }

/** Stores signatures that are of this location and of heads as they are, and shows the heads from `since` on. */
export async function takeOffer(
  database: Pick<Database, 'pool'>,
  { location, offer, keys }: OfferedTo,
): Promise<OfferOutcome> {
  let stored = 0
  let refused = 0
  for (const { day, signature } of offer.signatures) {
    const [head] = await listSignedHeads(database, { from: day, to: day })
    const isRight = head !== undefined && signature.location === location && isCountersigned(head.head, signature)
    if (isRight) stored += await store(database, { day, signature })
    else refused += 1
  }
  const signed = await readSignedRange(database)
  const heads =
    signed === null
      ? []
      : await listSignedHeads(database, { from: offer.since ?? signed.to, to: signed.to }, maxCountersignedDays)
  return { reply: { keys: await keys.publicKeys(), heads }, stored, refused }
}

/** Of the heads of these days, the first that came first. */
export async function listCountersignatures(
  { pool }: Pick<Database, 'pool'>,
  { from, to }: DayRange,
): Promise<StoredCountersignature[]> {
  const { rows } = await pool.query<{ day: string; location: string; x: string; signature: string; at: Date }>(
    `select day::text as day, location, key_x as x, signature, at
    from signed_head_countersignatures
    where day between $1::date and $2::date
    order by day, at, location, key_x`,
    [from, to],
  )
  return rows.map(({ day, location, x, signature, at }) => ({ day, location, key: publicSigningKey(x), signature, at }))
}

async function store(
  { pool }: Pick<Database, 'pool'>,
  { day, signature: { location, key, signature } }: { day: string; signature: Countersignature },
): Promise<number> {
  const { rowCount } = await pool.query(
    `insert into signed_head_countersignatures (day, location, key_x, signature)
    select $1::date, $2, $3, $4
    where (
      select count(*) from signed_head_countersignatures where day = $1::date and location = $2
    ) < ${maxKeysOfDay}
    on conflict do nothing`,
    [day, location, key.x, signature],
  )
  return rowCount ?? 0
}

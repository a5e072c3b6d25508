/** A payer's preference for a method and an intent, each of which may be `*`. */
type Preference = { method: string; intent: string; weight: number }

/** Names as they stand in challenges. */
type Offered = { method: string; intent: string }

/**
 * The offers that `Accept-Payment` accepts, the preferred ones first (draft-httpauth-payment-02). A header that cannot
 * be read, or that accepts no offer, is ignored, so that the payer sees what there is. Throws nothing.
 */
export function preferred<T extends Offered>(offers: readonly T[], header: string | null): T[] {
  const preferences = header === null ? null : readPreferences(header)
  if (preferences === null) return [...offers]
  const liked = offers
    .map((offer) => ({ offer, weight: weightOf(offer, preferences) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  return liked.length === 0 ? [...offers] : liked.map(({ offer }) => offer)
}

/** A range with its weight (RFC 9110 12.4.2). */
const range = /^(\*|[a-z]+)\/(\*|[A-Za-z0-9-]+)(?:[ \t]*;[ \t]*[Qq]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** Null where an entry cannot be read. Empty ones are none (RFC 9110 5.6.1.2). */
function readPreferences(header: string): Preference[] | null {
  const entries = header
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const preferences = entries.flatMap((entry) => {
    const [read, method = '', intent = '', weight = '1'] = range.exec(entry) ?? []
    return read === undefined ? [] : [{ method, intent, weight: Number(weight) }]
  })
  return preferences.length === entries.length ? preferences : null
}

/** The weight of the most specific range that covers the offer, the highest of several; 0 where none covers it. */
function weightOf(offer: Offered, preferences: readonly Preference[]): number {
  const [best] = preferences
    .filter(({ method, intent }) => isAmong(offer.method, method) && isAmong(offer.intent, intent))
    .toSorted((one, other) => exactness(other) - exactness(one) || other.weight - one.weight)
  return best?.weight ?? 0
}

function isAmong(name: string, wanted: string): boolean {
  return wanted === '*' || wanted === name
}

function exactness({ method, intent }: Preference): number {
  return Number(method !== '*') + Number(intent !== '*')
}

/** What a payer would rather be asked for: by method and intent, each of which may be any. */
type Preference = { method: string; intent: string; weight: number }

/** Names as challenges have them. */
type Offered = { method: string; intent: string }

/**
 * The offers that `Accept-Payment` takes, those it likes best first, as draft-httpauth-payment-02 has it. A header that
 * cannot be read, or that takes none of them, is ignored: the payer sees then what there is. Throws nothing.
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
    const [, method, intent, weight = '1'] = range.exec(entry) ?? []
    return method === undefined || intent === undefined ? [] : [{ method, intent, weight: Number(weight) }]
  })
  return preferences.length === entries.length ? preferences : null
}

/** That of the range which says most of the offer, and of several the highest; 0 where none speaks of it. */
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

/** The answer for one address family: its addresses, or c-ares' code for why there are none. */
export type FamilyAnswer = { addresses: readonly string[]; code: string | null; ttlSeconds: number }

export type Family = 4 | 6

export type LookupCache = { look: (name: string, family: Family, isFresh: boolean) => Promise<FamilyAnswer> }

const maxEntries = 10_000
const maxPositiveSeconds = 60
const negativeSeconds = 5

/**
 * Shares equal look-ups that are under way, and remembers answers for their TTL, at most 60 s, and failures for 5 s.
 */
export function createLookupCache(
  ask: (name: string, family: Family) => Promise<FamilyAnswer>,
  now: () => number,
): LookupCache {
  const underWay = new Map<string, Promise<FamilyAnswer>>()
  const answers = new Map<string, { answer: FamilyAnswer; validUntil: number }>()
  async function askAndKeep(key: string, name: string, family: Family): Promise<FamilyAnswer> {
    const answer = await ask(name, family)
    underWay.delete(key)
    answers.delete(key)
    const oldest = answers.size >= maxEntries ? answers.keys().next().value : undefined
    if (oldest !== undefined) answers.delete(oldest)
    const seconds = answer.code === null ? Math.min(answer.ttlSeconds, maxPositiveSeconds) : negativeSeconds
    answers.set(key, { answer, validUntil: now() + seconds * 1000 })
    return answer
  }
  return {
    look: (name, family, isFresh) => {
      const key = `${family} ${name}`
      const running = underWay.get(key)
      if (running !== undefined) return running
      const kept = isFresh ? undefined : answers.get(key)
      if (kept !== undefined && kept.validUntil > now()) return Promise.resolve(kept.answer)
      const asked = askAndKeep(key, name, family)
      underWay.set(key, asked)
      return asked
    },
  }
}

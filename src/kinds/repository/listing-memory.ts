/** What was found in a commit, which never changes: a repository is only read again when its branch has moved. */
export type ListingMemory<Listing> = {
  /** Times are of one clock that never goes back, in milliseconds. `keptMs` is Infinity for what lasts. */
  keep: (place: Place, kept: { listing: Listing; keptMs: number }, nowMs: number) => void
  recall: (place: Place, nowMs: number) => Listing | null
}

/** `subject` is a repository and a folder, `object` the commit. */
type Place = { subject: string; object: string }

const maxSubjects = 10_000

/** Holds the newest commit of each subject, and forgets the subjects that were not asked for the longest. */
export function createListingMemory<Listing>(): ListingMemory<Listing> {
  const listings = new Map<string, { object: string; listing: Listing; untilMs: number }>()
  return {
    keep: ({ subject, object }, { listing, keptMs }, nowMs) => {
      listings.delete(subject)
      const [oldest] = listings.keys()
      if (listings.size >= maxSubjects && oldest !== undefined) listings.delete(oldest)
      listings.set(subject, { object, listing, untilMs: nowMs + keptMs })
    },
    recall: ({ subject, object }, nowMs) => {
      const known = listings.get(subject)
      if (known === undefined || known.object !== object || nowMs >= known.untilMs) return null
      listings.delete(subject)
      listings.set(subject, known)
      return known.listing
    },
  }
}

import type { Verdict } from '#core/results/result.ts'
import { maxManifests } from '#manifests/file-names.ts'
import { noFolderProblem, type RepositorySight, type Unread, unreadProblem } from './repository-sight.ts'
import type { Revision } from './repository-target.ts'

/** What was found in a commit, or why it cannot be told. */
export type Listing =
  /** How many of the manifests that were `found` are read, and the first of their paths. */
  | { type: 'files'; found: number; manifests: number; files: string[] }
  | { type: 'no folder' }
  | { type: 'unlisted'; problem: string }
  | { type: 'failed'; problem: string }

export type RepositoryObservation = Pick<RepositorySight, 'latencyMs' | 'phases' | 'status'> &
  (Unread | { type: 'read'; revision: Revision; listing: Listing })

/** Few, because details are stored with every result. */
export const filesShown = 10

export function judgeRepository(
  observation: RepositoryObservation,
  check: { options: { token?: string | undefined } },
): Verdict {
  const { phases, latencyMs, status: statusCode } = observation
  const base = { statusCode, latencyMs, phases }
  switch (observation.type) {
    case 'unreached':
    case 'refused': {
      const error = unreadProblem(observation, { hasToken: check.options.token !== undefined })
      return { ...base, status: 'down', latencyMs: null, error, details: {} }
    }
    case 'empty':
      return { ...base, status: 'up', error: null, details: { manifests: 0, note: 'The repository is empty' } }
    case 'unknown branch':
      return { ...base, status: 'down', error: unreadProblem(observation, { hasToken: false }), details: {} }
    case 'read':
      return { ...base, ...judgeListing(observation) }
  }
}

function judgeListing({
  revision,
  listing,
}: {
  revision: Revision
  listing: Listing
}): Pick<Verdict, 'status' | 'error' | 'details'> {
  const { type, name, object, folder } = revision
  const details = { [type]: name, commit: object, ...(folder === '' ? {} : { folder }) }
  switch (listing.type) {
    case 'no folder':
      return { status: 'down', error: noFolderProblem(revision), details }
    case 'failed':
      return { status: 'down', error: listing.problem, details }
    case 'unlisted':
      return {
        status: 'degraded',
        error: `The repository can be reached, but its manifests cannot be listed: ${listing.problem}`,
        details,
      }
    case 'files':
      return { status: 'up', error: null, details: { ...details, ...manifestDetails(listing) } }
  }
}

function manifestDetails({ found, manifests, files }: Extract<Listing, { type: 'files' }>): Record<string, unknown> {
  if (found === 0) return { manifests: 0, note: 'No dependency manifest was found' }
  const left = found - manifests
  return {
    manifests,
    files,
    ...(left > 0 ? { note: `${left} more are left out: at most ${maxManifests} are read` } : {}),
  }
}

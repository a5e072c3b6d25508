import type { Verdict } from '#core/result.ts'
import { maxManifests } from '#manifests/file-names.ts'
import type { GitRefsOutcome } from '#net/git-refs.ts'
import { quoted } from './readable.ts'
import type { Revision } from './repository-target.ts'

/** What was found in a commit, or why it cannot be told. */
export type Listing =
  /** Of the manifests that were `found` the number that is read, and the first paths of those. */
  | { type: 'files'; found: number; manifests: number; files: string[] }
  | { type: 'no folder' }
  | { type: 'unlisted'; problem: string }
  | { type: 'failed'; problem: string }

export type RepositoryObservation = Pick<GitRefsOutcome, 'latencyMs' | 'phases' | 'status'> &
  (
    | { type: 'unreached'; problem: string }
    /** By the HTTP status. */
    | { type: 'refused' }
    | { type: 'empty' }
    /** What stands in the target behind the repository; "" for nothing. */
    | { type: 'unknown branch'; wanted: string }
    | { type: 'read'; revision: Revision; listing: Listing }
  )

/** Paths in details, which are stored with every result. */
export const filesShown = 10

export function judgeRepository(
  observation: RepositoryObservation,
  check: { options: { token?: string | undefined } },
): Verdict {
  const { phases, latencyMs, status: statusCode } = observation
  const base = { statusCode, latencyMs, phases }
  switch (observation.type) {
    case 'unreached':
      return { ...base, status: 'down', latencyMs: null, error: observation.problem, details: {} }
    case 'refused': {
      const error = statusText(statusCode, check.options.token !== undefined)
      return { ...base, status: 'down', latencyMs: null, error, details: {} }
    }
    case 'empty':
      return { ...base, status: 'up', error: null, details: { manifests: 0, note: 'The repository is empty' } }
    case 'unknown branch':
      return { ...base, status: 'down', error: unknownBranch(observation.wanted), details: {} }
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
      return { status: 'down', error: `Folder ${quoted(folder)} not found on ${type} ${quoted(name)}`, details }
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

function unknownBranch(wanted: string): string {
  if (wanted === '') return 'Default branch not found: name a branch in the address, as in /tree/main'
  return `Branch not found: no branch and no tag fits ${quoted(wanted)}`
}

const needsToken = 'a private one needs check_options.token'

/** What a status means without a token, and with one. */
const statusTexts: ReadonlyMap<number | null, readonly [without: string, withToken: string]> = new Map([
  [401, [`Repository not found, or private: ${needsToken}`, 'The token in check_options.token was refused']],
  [
    403,
    [
      `Reading the repository was refused: ${needsToken}`,
      'The token in check_options.token may not read this repository',
    ],
  ],
  [
    404,
    [
      `Repository not found, or private: ${needsToken}`,
      'Repository not found, or the token in check_options.token may not read it',
    ],
  ],
  [
    429,
    ['The server refuses so many requests; check less often', 'The server refuses so many requests; check less often'],
  ],
])

function statusText(status: number | null, hasToken: boolean): string {
  const known = statusTexts.get(status)
  return known === undefined
    ? `The server answered with HTTP status ${status}`
    : `${known[hasToken ? 1 : 0]} (HTTP status ${status})`
}

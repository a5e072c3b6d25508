import { kindTraits } from '#core/monitors/kind-traits.ts'
import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { chooseManifests, isManifestPath, maxCandidates } from '#manifests/file-names.ts'
import type { GitCredentials } from '#net/git/git-repository.ts'
import type { Net } from '#net/net.ts'
import { type AnyKind, type Check, defineKind } from '#kinds/kind.ts'
import { createListingMemory, type ListingMemory } from './listing-memory.ts'
import { perNet } from '#kinds/per-net.ts'
import { filesShown, judgeRepository, type Listing, type RepositoryObservation } from './repository-judge.ts'
import { credentialsFor, seeRepository } from './repository-sight.ts'
import {
  parseRepositoryTarget,
  repositoryTargetProblem,
  type RepositoryTarget,
  type Revision,
} from './repository-target.ts'

const options = z
  .strictObject({
    token: text({ min: 1, max: 500 })
      .optional()
      .describe(
        'Access token for a private repository, where the plan includes these; kept encrypted and never returned.',
      ),
  })
  .describe('A git repository that can be read, and the dependency manifests in it.')
type RepositoryOptions = z.infer<typeof options>

/** When a listing that was too large is read again: the repository may have become smaller. */
const retryMs = 3_600_000

export const repository = repositoryKind()

/** A repository on any host that speaks git's smart HTTP protocol, so that no provider's API is needed. */
function repositoryKind(): AnyKind {
  const memoryOf = perNet(() => createListingMemory<Listing>())
  return defineKind<RepositoryOptions, RepositoryObservation>({
    name: 'repository',
    options,
    secretOptions: ['token'],
    targetProblem: repositoryTargetProblem,
    observe: (check, net, signal) => observeRepository(check, { net, memory: memoryOf(net) }, signal),
    judge: judgeRepository,
  })
}

type Means = { net: Net; memory: ListingMemory<Listing> }

async function observeRepository(
  check: Check<RepositoryOptions>,
  means: Means,
  signal: AbortSignal,
): Promise<RepositoryObservation> {
  const target = parseRepositoryTarget(check.url)
  if (typeof target === 'string') throw new TypeError(`"${check.url}" is no target of kind repository: ${target}`)
  const credentials = credentialsFor(target, check.options.token)
  const sight = await seeRepository({ target, credentials, timeoutMs: check.timeoutMs }, means.net, signal)
  if (sight.type !== 'named') return sight
  const { url, revision, latencyMs, phases, status } = sight
  const listing = await knownOrRead({ target: { ...target, url }, revision, credentials }, means, signal)
  return { latencyMs, phases, status, type: 'read', revision, listing }
}

type Wanted = { target: RepositoryTarget; revision: Revision; credentials: GitCredentials | null }

/** The server has just named the commit to these credentials, so they may see a listing that others had it read. */
async function knownOrRead(wanted: Wanted, { net, memory }: Means, signal: AbortSignal): Promise<Listing> {
  const { target, revision } = wanted
  const { type, name, object, folder } = revision
  const place = { subject: JSON.stringify([target.url.href, type, name, folder]), object }
  const known = memory.recall(place, performance.now())
  if (known !== null) return known
  const listing = await read(wanted, net, signal)
  const keptMs = listing.type === 'unlisted' ? retryMs : Infinity
  if (listing.type !== 'failed') memory.keep(place, { listing, keptMs }, performance.now())
  return listing
}

async function read({ target, revision, credentials }: Wanted, net: Net, signal: AbortSignal): Promise<Listing> {
  const { object, folder } = revision
  const outcome = await net.git.tree(
    {
      url: target.url,
      credentials,
      object,
      folder,
      isWanted: isManifestPath,
      maxFiles: maxCandidates,
      timeoutMs: kindTraits.repository.longestCheckMs,
    },
    signal,
  )
  if (outcome.ok) {
    const chosen = chooseManifests(outcome.files).map(({ path }) => path)
    return { type: 'files', found: outcome.wanted, manifests: chosen.length, files: chosen.slice(0, filesShown) }
  }
  const { code, message: problem } = outcome.failure
  if (code === 'git_no_folder') return { type: 'no folder' }
  return { type: code === 'git_too_large' || code === 'git_gone' ? 'unlisted' : 'failed', problem }
}

import { z } from 'zod'
import type { NamedSoftware } from '#core/software/software-change.ts'
import {
  credentialsFor,
  noFolderProblem,
  type RepositoryQuestion,
  seeRepository,
  unreadProblem,
} from '#kinds/repository/repository-sight.ts'
import { parseRepositoryTarget, type Revision } from '#kinds/repository/repository-target.ts'
import { chooseManifests, isManifestPath, maxCandidates } from '#manifests/file-names.ts'
import { openManifestThread } from '#manifests/manifest-thread.ts'
import type { GitRunRequest } from '#net/git/git-run.ts'
import type { Net } from '#net/net.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { MissingMeans } from '#net/dial/own-trouble.ts'
import { type ManifestFindings, maxBlobBytes, maxTotalBytes, readManifests } from './repository-manifests.ts'

export type RepositoryScanTarget = {
  url: string
  token: string | undefined
  /** The revision that the last scan read. */
  lastRevision: string | null
}

/** Each `problem` is for people. */
export type RepositoryScan =
  /**
   * `unread` is the evidence of manifests that are there and could not be read, about which `problem` says more. By
   * `revision` the next scan knows what was read; null where it has to read everything again.
   */
  | {
      type: 'read'
      revision: string | null
      software: NamedSoftware[]
      unread: string[]
      problem: string | null
    }
  /** `problem` is that of the scan that read it. */
  | { type: 'unchanged'; problem: string | null }
  | { type: 'failed'; problem: string }

const usualTimeoutMs = 120_000
const refsTimeoutMs = 30_000
/** Raised when a release finds more in the same files. */
const readingVersion = 1

/**
 * Reads which packages the manifests of a repository name now: one or two requests where its branch has not moved, else
 * its list of files and the contents of at most 200. Ends within two minutes; what it returns after `stop` is not to be
 * kept. Throws OwnTrouble for trouble of this machine.
 */
export async function scanRepository(
  target: RepositoryScanTarget,
  { net, timeoutMs = usualTimeoutMs }: { net: Pick<Net, 'git'>; timeoutMs?: number },
  stop: AbortSignal,
): Promise<RepositoryScan> {
  const parsed = parseRepositoryTarget(target.url)
  if (typeof parsed === 'string') return { type: 'failed', problem: parsed }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)])
  const credentials = credentialsFor(parsed, target.token)
  const question = { target: parsed, credentials, timeoutMs: Math.min(refsTimeoutMs, timeoutMs) }
  const scan = { question, lastRevision: target.lastRevision, net, timeoutMs, signal }
  try {
    const outcome = await scanOnce(scan)
    // A branch that moves twice within a scan is looked at again the next time.
    const last = outcome.type === 'moved' ? await scanOnce(scan) : outcome
    return last.type === 'moved' ? { ...last, type: 'failed' } : last
  } catch (error) {
    if (error instanceof MissingMeans) return { type: 'failed', problem: error.message }
    throw error
  }
}

type Scan = {
  question: RepositoryQuestion
  lastRevision: string | null
  net: Pick<Net, 'git'>
  timeoutMs: number
  signal: AbortSignal
}

/** The branch moved between two steps, and the server does not give what it led to before. */
type Moved = { type: 'moved'; problem: string }

async function scanOnce(scan: Scan): Promise<RepositoryScan | Moved> {
  const { question, lastRevision, net, timeoutMs, signal } = scan
  const { credentials } = question
  const sight = await seeRepository(question, net, signal)
  if (sight.type !== 'named') {
    const problem = unreadProblem(sight, { hasToken: credentials !== null })
    return problem === null ? nothingRead : { type: 'failed', problem }
  }
  const { revision, url } = sight
  const known = recall(lastRevision, revision)
  if (known !== null) return { type: 'unchanged', problem: known.problem }
  const found = await fetchAndRead({ url, credentials, object: revision.object, timeoutMs }, revision, scan)
  if (!('failure' in found)) return { ...found, type: 'read', revision: found.isFinal ? note(revision, found) : null }
  const { code, message } = found.failure
  if (code === 'git_no_folder') return { type: 'failed', problem: noFolderProblem(revision) }
  return { type: code === 'git_gone' ? 'moved' : 'failed', problem: message }
}

/** An empty repository has no revision. */
const nothingRead = { type: 'read' as const, revision: null, software: [], unread: [], problem: null }

async function fetchAndRead(
  repository: GitRunRequest,
  { folder }: Revision,
  { net, timeoutMs, signal }: Scan,
): Promise<ManifestFindings | { failure: NetFailure }> {
  const listed = await net.git.tree(
    { ...repository, folder, isWanted: isManifestPath, maxFiles: maxCandidates },
    signal,
  )
  if (!listed.ok) return listed
  const files = chooseManifests(listed.files)
  const blobs = [...new Set(files.map(({ object }) => object))]
  const fetched = await net.git.blobs({ ...repository, blobs, maxBlobBytes, maxTotalBytes }, signal)
  if (!fetched.ok) return fetched
  const thread = openManifestThread()
  try {
    const found = await readManifests({ ...fetched, found: listed.wanted, files }, thread, signal)
    if (!signal.aborted) return found
    const message = `Timed out after ${timeoutMs} ms while reading the manifests`
    return { failure: { phase: 'transfer', code: 'timed_out', message } }
  } finally {
    await thread.close()
  }
}

/** A commit and a folder in it are always the same files, wherever they came from. */
const notedRevision = z.strictObject({
  reading: z.literal(readingVersion),
  object: z.string(),
  folder: z.string(),
  problem: z.string().nullable(),
})

function note({ object, folder }: Revision, { problem }: ManifestFindings): string {
  return JSON.stringify({ reading: readingVersion, object, folder, problem } satisfies z.infer<typeof notedRevision>)
}

function recall(lastRevision: string | null, { object, folder }: Revision): { problem: string | null } | null {
  if (lastRevision === null) return null
  const noted = notedRevision.safeParse(parseJson(lastRevision)).data
  return noted !== undefined && noted.object === object && noted.folder === folder ? noted : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

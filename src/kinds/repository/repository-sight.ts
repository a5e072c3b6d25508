import type { GitRefsOutcome } from '#net/git/git-refs.ts'
import type { GitCredentials } from '#net/git/git-repository.ts'
import type { Net } from '#net/net.ts'
import { quoted } from '#kinds/readable.ts'
import {
  credentialsOf,
  refPrefixes,
  type RepositoryTarget,
  resolveRevision,
  type Revision,
} from './repository-target.ts'

/** What a repository's list of names tells of a target. */
export type RepositorySight = Pick<GitRefsOutcome, 'latencyMs' | 'phases' | 'status'> & (Unread | Named)

export type Unread =
  | { type: 'unreached'; problem: string }
  /** By the HTTP status. */
  | { type: 'refused' }
  | { type: 'empty' }
  /** What stands in the target behind the repository; "" for nothing. */
  | { type: 'unknown branch'; wanted: string }

/** `url` is where the repository is: its own address, with `.git` where the server insists. */
type Named = { type: 'named'; url: URL; revision: Revision }

export type RepositoryQuestion = { target: RepositoryTarget; credentials: GitCredentials | null; timeoutMs: number }

export function credentialsFor({ url }: RepositoryTarget, token: string | undefined): GitCredentials | null {
  return token === undefined ? null : credentialsOf(url.hostname, token)
}

/** Reads the names, and finds out which branch or tag is meant and where it is now. */
export async function seeRepository(
  question: RepositoryQuestion,
  net: Pick<Net, 'git'>,
  signal: AbortSignal,
): Promise<RepositorySight> {
  const { target } = question
  const asked = await askForRefs(question, net, signal)
  const { latencyMs, phases, status } = asked
  const figures = { latencyMs, phases, status }
  if (!asked.ok) {
    const { code, message } = asked.failure
    return { ...figures, ...(code === 'git_status' ? { type: 'refused' } : { type: 'unreached', problem: message }) }
  }
  const revision = resolveRevision(target, asked.refs)
  if (revision !== null) return { ...figures, type: 'named', url: asked.url, revision }
  const isEmpty = asked.refs.objects.size === 0 && target.rest.length === 0
  return { ...figures, ...(isEmpty ? { type: 'empty' } : { type: 'unknown branch', wanted: target.rest.join('/') }) }
}

/** In the words of a failed check; null for an empty repository, which is none. */
export function unreadProblem(
  sight: Pick<RepositorySight, 'status'> & Unread,
  { hasToken }: { hasToken: boolean },
): string | null {
  switch (sight.type) {
    case 'unreached':
      return sight.problem
    case 'refused':
      return statusText(sight.status, hasToken)
    case 'empty':
      return null
    case 'unknown branch':
      return unknownBranch(sight.wanted)
  }
}

export function noFolderProblem({ type, name, folder }: Revision): string {
  return `Folder ${quoted(folder)} not found on ${type} ${quoted(name)}`
}

/** Without a branch in the target HEAD is enough; where it leads nowhere, other branches tell whether all is empty. */
async function askForRefs(
  { target, credentials, timeoutMs }: RepositoryQuestion,
  net: Pick<Net, 'git'>,
  signal: AbortSignal,
): Promise<GitRefsOutcome> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const ask = (prefixes: readonly string[]): Promise<GitRefsOutcome> =>
    net.git.refs({ url: target.url, credentials, prefixes, timeoutMs }, deadline)
  const asked = await ask(refPrefixes(target))
  const isUnclear = asked.ok && target.rest.length === 0 && asked.refs.objects.size === 0
  return isUnclear ? ask(['refs/heads/']) : asked
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
  [429, ['The server got too many requests; check less often', 'The server got too many requests; check less often']],
])

function statusText(status: number | null, hasToken: boolean): string {
  const known = statusTexts.get(status)
  return known === undefined
    ? `The server answered with HTTP status ${status}`
    : `${known[hasToken ? 1 : 0]} (HTTP status ${status})`
}

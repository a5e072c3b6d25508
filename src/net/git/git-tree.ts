import { gitFailure } from './git-failure.ts'
import type { GitEnding } from './git-program.ts'
import { addressForGit, type GitRun, type GitRunRequest, type GitSystem, withGit } from './git-run.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { Parts } from '#net/dial/reach.ts'

export type GitTreeRequest = GitRunRequest & {
  /** `object` is a commit, or the tag of one. The path of the folder has no slash at its ends; "" is the root. */
  folder: string
  /** Chooses files by their path below the folder. */
  isWanted: (path: string) => boolean
  /** Number of wanted files that are returned; further ones are only counted. */
  maxFiles: number
}

/** A file with its path below the requested folder and the object name of its contents. */
export type GitFile = { path: string; object: string }

/** The failure `git_no_folder` says that the commit has no such folder. */
export type GitTreeOutcome = { ok: true; files: GitFile[]; wanted: number } | { ok: false; failure: NetFailure }

/** A tree of a few bytes can name itself again and again, so its listing may be longer than any disk. */
const maxListBytes = 64 * 1024 * 1024
const maxPathBytes = 8192

/** Lists the files of one commit without fetching history and, where the server can leave them out, contents. */
export function readTree(
  means: { parts: Parts; system: GitSystem },
  request: GitTreeRequest,
  signal: AbortSignal,
): Promise<GitTreeOutcome> {
  const work = async (run: GitRun): Promise<GitTreeOutcome> => {
    const fetched = await run.remote({
      arguments: [...shallowFetch, '--filter=blob:none', '--', addressForGit(request.url), request.object],
    })
    return fetched.type === 'success' ? list(run, request) : failed(fetched, request, 'fetching the list of files')
  }
  return withGit(means, request, { signal, work })
}

/** Fetches one commit without its history; git keeps and cleans up nothing afterwards. */
export const shallowFetch: readonly string[] = [
  'fetch',
  '--quiet',
  '--depth=1',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
]

async function list(run: GitRun, request: GitTreeRequest): Promise<GitTreeOutcome> {
  const { isWanted, maxFiles, object, folder } = request
  const files: GitFile[] = []
  let wanted = 0
  let listed = 0
  const entries = splitEntries((entry) => {
    listed += 1
    const file = readEntry(entry)
    if (file === null || !isWanted(file.path)) return
    wanted += 1
    if (files.length < maxFiles) files.push(file)
  })
  const ending = await run.local({
    arguments: ['ls-tree', '-r', '-z', '--full-tree', `${object}:${folder}`],
    onOutput: entries,
  })
  if (ending.type === 'success') return { ok: true, files, wanted }
  if (ending.type === 'failure' && listed === 0 && noFolder.test(ending.words))
    return { ok: false, failure: { phase: 'transfer', code: 'git_no_folder', message: 'There is no such folder' } }
  if (ending.type === 'enough') {
    const message = `The list of files is longer than ${maxListBytes / 1024 / 1024} MiB`
    return { ok: false, failure: { phase: 'transfer', code: 'git_too_large', message } }
  }
  return failed(ending, request, 'reading the list of files')
}

/** The path names nothing, or a file whose contents were not fetched. */
const noFolder = /not a valid object name|not a tree object|does not exist in|could not fetch \w+ from promisor/i

/** Entries end with a NUL. The returned function is false when the list goes on for too long. */
export function splitEntries(onEntry: (entry: string) => void): (piece: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0)
  let bytes = 0
  return (piece) => {
    bytes += piece.length
    const whole = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    let start = 0
    for (let end = whole.indexOf(0); end !== -1; end = whole.indexOf(0, start)) {
      onEntry(whole.toString('utf8', start, end))
      start = end + 1
    }
    rest = whole.subarray(start)
    return bytes <= maxListBytes && rest.length <= maxPathBytes
  }
}

/**
 * A line such as "100644 blob <object>\tsrc/a.ts"; null for links and other repositories, which are no regular files.
 */
function readEntry(entry: string): GitFile | null {
  const found = /^100\d{3} blob ([0-9a-f]{40}|[0-9a-f]{64})\t([^]+)$/.exec(entry)
  const [, object, path] = found ?? []
  return object === undefined || path === undefined ? null : { object, path }
}

function failed(ending: GitEnding, request: GitTreeRequest, activity: string): GitTreeOutcome {
  return { ok: false, failure: gitFailure(ending, request, activity) }
}

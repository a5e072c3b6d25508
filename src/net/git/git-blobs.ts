import { gitFailure } from './git-failure.ts'
import type { GitEnding } from './git-program.ts'
import { addressForGit, type GitRun, type GitRunRequest, type GitSystem, withGit } from './git-run.ts'
import { shallowFetch } from './git-tree.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { Parts } from '#net/dial/reach.ts'

export type GitBlobsRequest = GitRunRequest & {
  /** Object names of contents, as `tree` returned them for the commit `object`. */
  blobs: readonly string[]
  /** Longer contents are left out, and so are those that no longer fit into the sum. */
  maxBlobBytes: number
  maxTotalBytes: number
}

/** Contents by object name, without those left out; `sizes` has the size in bytes of every content that exists. */
export type GitBlobsOutcome =
  | { ok: true; contents: ReadonlyMap<string, Uint8Array>; sizes: ReadonlyMap<string, number> }
  | { ok: false; failure: NetFailure }

/** Reads the contents of chosen files. */
export function readBlobs(
  means: { parts: Parts; system: GitSystem },
  request: GitBlobsRequest,
  signal: AbortSignal,
): Promise<GitBlobsOutcome> {
  if (request.blobs.length === 0) return Promise.resolve({ ok: true, contents: new Map(), sizes: new Map() })
  const work = async (run: GitRun): Promise<GitBlobsOutcome> => {
    const fetched = await fetchBlobs(run, request)
    if (fetched.type !== 'success') return failed(fetched, request, 'fetching files')
    const measured = await measureBlobs(run, request)
    if ('failure' in measured) return { ok: false, failure: measured.failure }
    return readContents(run, request, measured.sizes)
  }
  return withGit(means, request, { signal, work })
}

/** Servers of protocol 2 give each object by its name; from other servers the whole commit is fetched. */
async function fetchBlobs(run: GitRun, { url, object, blobs }: GitBlobsRequest): Promise<GitEnding> {
  const address = addressForGit(url)
  const alone = await run.remote({
    arguments: [...blobFetch, '--stdin', '--', address],
    input: lines(blobs),
  })
  const isRefused = alone.type === 'failure' && /not our ref|unadvertised object/i.test(alone.words)
  return isRefused ? run.remote({ arguments: [...shallowFetch, '--', address, object] }) : alone
}

/** Without a filter, because git would remember it for the fetch of the whole commit. */
const blobFetch: readonly string[] = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']

/** Measures before reading: what is packed small may be enormous once it is unpacked. */
async function measureBlobs(
  run: GitRun,
  request: GitBlobsRequest,
): Promise<{ sizes: Map<string, number> } | { failure: NetFailure }> {
  const { blobs } = request
  let output = ''
  const ending = await run.local({
    arguments: ['cat-file', '--batch-check'],
    input: lines(blobs),
    onOutput: (piece) => (output += piece.toString('latin1')).length <= blobs.length * maxHeadLength,
  })
  if (ending.type !== 'success') return { failure: gitFailure(ending, request, 'measuring files') }
  const sizes = new Map<string, number>()
  for (const line of output.split('\n')) {
    const [, name, digits] = /^([0-9a-f]+) blob (\d{1,15})$/.exec(line) ?? []
    if (name !== undefined) sizes.set(name, Number(digits))
  }
  return { sizes }
}

/** Chooses in the order in which the contents were asked for; `total` is the sum of their bytes. */
function chooseBlobs(
  sizes: ReadonlyMap<string, number>,
  { maxBlobBytes, maxTotalBytes }: GitBlobsRequest,
): { names: string[]; total: number } {
  const names: string[] = []
  let total = 0
  for (const [name, size] of sizes) {
    if (size > maxBlobBytes || total + size > maxTotalBytes) continue
    total += size
    names.push(name)
  }
  return { names, total }
}

async function readContents(
  run: GitRun,
  request: GitBlobsRequest,
  sizes: ReadonlyMap<string, number>,
): Promise<GitBlobsOutcome> {
  const { names, total } = chooseBlobs(sizes, request)
  const expected = total + names.length * maxHeadLength
  const pieces: Buffer[] = []
  let bytes = 0
  const ending = await run.local({
    arguments: ['cat-file', '--batch'],
    input: lines(names),
    onOutput: (piece) => {
      pieces.push(piece)
      bytes += piece.length
      return bytes <= expected
    },
  })
  if (ending.type !== 'success') return failed(ending, request, 'reading files')
  return { ok: true, contents: splitContents(Buffer.concat(pieces)), sizes }
}

/** A name of 64 digits, " blob ", a size, and a line end, with that behind the contents. */
const maxHeadLength = 64 + 6 + 20 + 2

/** Splits the output of `git cat-file --batch`: for each object a line such as "<name> blob 3", and that many bytes. */
export function splitContents(output: Buffer): Map<string, Uint8Array> {
  const contents = new Map<string, Uint8Array>()
  let at = 0
  for (let end = output.indexOf('\n'); end !== -1; end = output.indexOf('\n', at)) {
    const [, name, digits] =
      /^([0-9a-f]{40}|[0-9a-f]{64}) blob (\d{1,15})$/.exec(output.toString('latin1', at, end)) ?? []
    at = end + 1
    if (name === undefined) continue
    const size = Number(digits)
    if (at + size < output.length) contents.set(name, new Uint8Array(output.subarray(at, at + size)))
    at += size + 1
  }
  return contents
}

function lines(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join('')
}

function failed(ending: GitEnding, request: GitBlobsRequest, activity: string): GitBlobsOutcome {
  return { ok: false, failure: gitFailure(ending, request, activity) }
}

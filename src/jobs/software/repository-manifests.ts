import { distinctSoftware, type NamedSoftware } from '#core/software/software-change.ts'
import { quoted } from '#kinds/readable.ts'
import { manifestFormat, maxManifests } from '#manifests/file-names.ts'
import type { ManifestPackage } from '#manifests/manifest.ts'
import type { ManifestThread, ReadingOutcome } from '#manifests/manifest-thread.ts'
import type { GitFile } from '#net/git/git-tree.ts'

/** In bytes: one manifest, and all manifests of a repository together. */
export const maxBlobBytes = 5_000_000
export const maxTotalBytes = 25_000_000
/** Packages of a repository, each product and version counted once. */
export const maxPackages = 50_000

/** The manifests that were chosen out of the `found` ones, and the contents that arrived. */
export type ManifestFiles = {
  found: number
  files: readonly GitFile[]
  contents: ReadonlyMap<string, Uint8Array>
  sizes: ReadonlyMap<string, number>
}

export type ManifestFindings = {
  software: NamedSoftware[]
  /** Evidence of manifests that are there and could not be read. */
  unread: string[]
  /** Sentences for people about manifests that could not be read; null where all were. */
  problem: string | null
  /** False where the same files may tell more another time. */
  isFinal: boolean
}

/**
 * The packages that the manifests of a repository name, with the path as evidence. Where several manifests name a
 * package, the path nearest to the root counts.
 */
export async function readManifests(
  manifests: ManifestFiles,
  thread: Pick<ManifestThread, 'read'>,
  signal: AbortSignal,
): Promise<ManifestFindings> {
  const list = softwareList()
  const unread: Unread[] = []
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(maxReadingMs)])
  const read = once(manifests, thread, deadline)
  for (const file of manifests.files) {
    if (signal.aborted) break
    const outcome = await read(file)
    if (outcome.type === 'read') list.add(outcome.reading.packages, evidenceOf(file.path))
    else unread.push({ ...outcome, path: file.path })
  }
  return {
    software: distinctSoftware(list.software),
    unread: unread.map(({ path }) => evidenceOf(path)),
    problem: problemOf({ ...manifests, unread, isCut: list.isCut() }),
    isFinal: unread.every(({ type }) => type === 'refused'),
  }
}

/** The end of a path tells more than its beginning. */
export function evidenceOf(path: string): string {
  const shown = path.replaceAll(/\p{C}/gu, '?')
  return shown.length <= maxEvidenceLength ? shown : `…${shown.slice(1 - maxEvidenceLength)}`.toWellFormed()
}

type Unread = Exclude<ReadingOutcome, { type: 'read' }> & { path: string }

/** Ten times what 25 MB of what tools write take; what was made to take longer is left. */
const maxReadingMs = 30_000
const maxEvidenceLength = 300
const namedProblems = 3

type SoftwareList = {
  add: (packages: readonly ManifestPackage[], evidence: string) => void
  software: NamedSoftware[]
  /** Whether some found no room. */
  isCut: () => boolean
}

/** Bounded while it grows, because the same packages may stand in each manifest. */
function softwareList(): SoftwareList {
  const software: NamedSoftware[] = []
  const known = new Set<string>()
  let isCut = false
  return {
    software,
    isCut: () => isCut,
    add: (packages, evidence) => {
      for (const { product, name, version } of packages) {
        const identity = `${product} ${version ?? ''}`
        if (known.has(identity)) continue
        if (known.size === maxPackages) isCut = true
        else {
          known.add(identity)
          software.push({ product, name, version, evidence })
        }
      }
    },
  }
}

/** Files that are the same are read once, however many there are. */
function once(
  { contents, sizes }: ManifestFiles,
  thread: Pick<ManifestThread, 'read'>,
  signal: AbortSignal,
): (file: GitFile) => Promise<ReadingOutcome> {
  const known = new Map<string, ReadingOutcome>()
  return async ({ path, object }) => {
    const format = manifestFormat(path)
    if (format === null) throw new TypeError(`"${path}" is no path of a manifest.`)
    const content = contents.get(object)
    if (content === undefined) return { type: 'refused', problem: leftOutText(sizes.get(object)) }
    const key = `${format} ${object}`
    const outcome = known.get(key) ?? (await thread.read({ format, content }, signal))
    known.set(key, outcome)
    return outcome
  }
}

function leftOutText(size: number | undefined): string {
  if (size === undefined) return 'Its contents did not come.'
  if (size > maxBlobBytes) return 'It has more than 5 MB.'
  return 'Together with those before it, it has more than 25 MB.'
}

function problemOf({
  found,
  files,
  unread,
  isCut,
}: Pick<ManifestFiles, 'found' | 'files'> & { unread: readonly Unread[]; isCut: boolean }): string | null {
  const more = unread.length - namedProblems
  const sentences = [
    ...(unread.length > 0 ? [`${unread.length} of ${files.length} manifests could not be read.`] : []),
    ...unread.slice(0, namedProblems).map(({ path, problem }) => `${quoted(path)}: ${problem}`),
    ...(more > 0 ? [`And ${more} more.`] : []),
    ...(found > files.length
      ? [`Manifests left out: ${found - files.length}; the ${maxManifests} nearest to the root are read.`]
      : []),
    ...(isCut ? ['Packages beyond the first 50,000 are left out.'] : []),
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}

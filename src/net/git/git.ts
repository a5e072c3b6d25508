import { type GitBlobsOutcome, type GitBlobsRequest, readBlobs } from './git-blobs.ts'
import { type GitRefsOutcome, type GitRefsRequest, readRefs } from './git-refs.ts'
import { createGitSystem } from './git-run.ts'
import { type GitTreeOutcome, type GitTreeRequest, readTree } from './git-tree.ts'
import type { Parts } from '#net/dial/reach.ts'

/**
 * Repositories over git's smart HTTP protocol. What a server does is a value; `tree` and `blobs` throw `MissingMeans`
 * where this machine has no suitable git.
 */
export type Git = {
  /** The branches and tags. A daily look needs only this, and no program. */
  refs: (request: GitRefsRequest, signal: AbortSignal) => Promise<GitRefsOutcome>
  /** The files of a commit. */
  tree: (request: GitTreeRequest, signal: AbortSignal) => Promise<GitTreeOutcome>
  /** The contents of chosen files. */
  blobs: (request: GitBlobsRequest, signal: AbortSignal) => Promise<GitBlobsOutcome>
}

/** `program` is the name or path of git. */
export function createGit(parts: Parts, program: string): Git {
  const system = createGitSystem(program, () => performance.now())
  return {
    refs: (request, signal) => readRefs(parts, request, signal),
    tree: (request, signal) => readTree({ parts, system }, request, signal),
    blobs: (request, signal) => readBlobs({ parts, system }, request, signal),
  }
}

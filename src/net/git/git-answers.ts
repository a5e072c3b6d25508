import { hasMorePackets } from './git-packets.ts'
import type { HttpAnswer } from '#net/http/http-request.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'

export type GitFailed = { ok: false; failure: NetFailure }

/** A redirect. `address` is where the repository seems to be now; null when the redirect leads to no repository. */
export type Moved = { status: number; location: string; address: URL | null }

export const service = 'git-upload-pack'
const maxListMib = 8
export const maxListBytes = maxListMib * 1024 * 1024
/** A name takes a microsecond to read. The largest repositories have some ten thousand branches and tags. */
export const maxListed = 40_000
const listPath = '/info/refs'

/** Checks an answer of git's smart protocol (gitprotocol-http); null when nothing is wrong with it. */
export function answerProblem(answer: HttpAnswer, kind: 'advertisement' | 'result'): GitFailed | null {
  const { status, headers, isTruncated } = answer
  if (status !== 200) return failed('git_status', `The server answered with HTTP status ${status}`)
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== `application/x-${service}-${kind}`) return notGit()
  if (isTruncated) return failed('git_too_long', `The list of branches is longer than ${maxListMib} MiB`)
  if (hasMorePackets(answer.body, maxListed))
    return failed('git_too_long', `The list of branches has more than ${maxListed} entries`)
  return null
}

/** Where the server redirects the request for the list of `from`; null when the answer is no redirect. */
export function movedTo({ status, headers }: HttpAnswer, from: URL): Moved | null {
  const { location } = headers
  if (status < 300 || status > 399 || location === undefined) return null
  const to = URL.parse(location, below(from, listPath).href)
  if (to === null || !to.pathname.endsWith(listPath)) return { status, location, address: null }
  return { status, location, address: new URL(to.origin + to.pathname.slice(0, -listPath.length)) }
}

export function movedText({ status, location, address }: Moved): string {
  if (address === null)
    return `Not a git repository, or a private one: a redirect (HTTP status ${status}) leads to "${readable(location)}"`
  return `The repository has moved: a redirect (HTTP status ${status}) leads to ${readable(address.href)}, the address to use`
}

/** GitLab redirects an address without the suffix to the one with it. */
export function withSuffix(url: URL): URL {
  return below(url, '.git')
}

/** An address below the address of a repository. */
export function below(url: URL, path: string): URL {
  return new URL(`${url.origin}${url.pathname.replace(/\/+$/, '')}${path}`)
}

export function refusal(words: string): GitFailed {
  return failed('git_refused', `The git server refused: ${readable(words)}`)
}

export function notGit(): GitFailed {
  return failed('not_git', 'Not a git repository: the server does not speak the smart protocol of git at this address')
}

export function failed(code: string, message: string): GitFailed {
  return { ok: false, failure: { phase: 'request', code, message } }
}

function readable(words: string): string {
  return words.slice(0, 300).replaceAll(/\p{C}/gu, '?')
}

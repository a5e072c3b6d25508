import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import type { ForbiddenAddress } from '#kinds/kind.ts'

/** A repository on its host, and what of the address stands behind it. */
export type RepositoryTarget = {
  /** The address of the repository alone, as git takes it. */
  url: URL
  /** A branch or tag and a folder in it, which only the list of branches can tell apart; empty for the default branch. */
  rest: string[]
}

/** What the names of a repository point to, as `net.git.refs` tells it. */
type Refs = { objects: ReadonlyMap<string, string>; head: string | null }

/** The branch or tag that a target means, and the folder in it; "" for the root. */
export type Revision = { type: 'branch' | 'tag'; name: string; object: string; folder: string }

/** A target, or what is wrong with the text, as a sentence for `fields.url`. Query and fragment are left out. */
export function parseRepositoryTarget(text: string): RepositoryTarget | string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'Must be the address of a repository that begins with https://, such as https://github.com/owner/name.'
  if (url.username !== '' || url.password !== '')
    return 'Must not hold a user name, password or token; an access token belongs into check_options.token, which is kept encrypted.'
  if (url.port === '0') return 'Must not use port 0.'
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  const [repository, rest] = splitPath(segments, url.hostname)
  const decoded = decode(rest)
  if (repository.length === 0) return 'Must name a repository, such as https://github.com/owner/name.'
  if (decoded === null) return 'Has a branch or folder that is not written like an address.'
  if (rest[0] === commitMarker) return 'Must name a branch, not a commit, because a commit never changes.'
  return { url: new URL(`${url.origin}/${repository.join('/')}`), rest: decoded }
}

export function repositoryTargetProblem(text: string, isForbidden: ForbiddenAddress): string | null {
  const target = parseRepositoryTarget(text)
  if (typeof target === 'string') return target
  const { hostname, pathname } = target.url
  if (hostsOfOwners.has(hostname) && pathname.split('/').length <= ownerAndName)
    return `Names no repository: on ${hostname} it has an owner and a name, such as https://github.com/owner/name.`
  return isForbidden(hostname) ? forbiddenTarget(hostname) : null
}

/** Public hosts on which one word is an owner, whose page answers as if it were there. Other hosts may have no owners. */
const hostsOfOwners: ReadonlySet<string> = new Set([
  'github.com',
  'www.github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
])

/** Beginnings of the names that can be meant. */
export function refPrefixes({ rest: [first] }: RepositoryTarget): string[] {
  return first === undefined ? [] : [`refs/heads/${first}`, `refs/tags/${first}`]
}

/** Names may hold slashes, as folders do: the longest that exists is meant, of a branch and a tag the branch. */
export function resolveRevision({ rest }: RepositoryTarget, refs: Refs): Revision | null {
  if (rest.length === 0) return defaultBranch(refs)
  for (let length = rest.length; length > 0; length--) {
    const name = rest.slice(0, length).join('/')
    const folder = rest.slice(length).join('/')
    for (const [type, root] of [['branch', branchRoot] as const, ['tag', 'refs/tags/'] as const]) {
      const object = refs.objects.get(root + name)
      if (object !== undefined) return { type, name, object, folder }
    }
  }
  return null
}

/** Tokens stand where a password does; hosts differ in the name that has to stand before it. */
export function credentialsOf(host: string, token: string): { user: string; password: string } {
  const colon = token.indexOf(':')
  if (colon > 0) return { user: token.slice(0, colon), password: token.slice(colon + 1) }
  const user = tokenUsers.find(([pattern]) => pattern.test(host))?.[1] ?? 'oauth2'
  return { user, password: token }
}

const branchRoot = 'refs/heads/'
/** GitLab and Gitea take oauth2; most others any name. */
const tokenUsers: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)github\./, 'x-access-token'],
  [/(?:^|\.)bitbucket\./, 'x-token-auth'],
]

/** Servers that do not say which branch HEAD is are asked for its commit alone. */
function defaultBranch({ objects, head }: Refs): Revision | null {
  const object = objects.get(head ?? 'HEAD') ?? objects.get('HEAD')
  if (object === undefined) return null
  const name = head?.startsWith(branchRoot) === true ? head.slice(branchRoot.length) : 'HEAD'
  return { type: 'branch', name, object, folder: '' }
}

const commitMarker = 'commit'
/** The least that stands before a marker where the name of the repository has no .git: an owner and a name. */
const ownerAndName = 2

/**
 * Where the repository's own path ends: GitLab `/-/tree/`, GitHub `/tree/`, Gitea `/src/branch/` and `/src/tag/`,
 * Bitbucket `/src/`. A marker with nothing behind it is a name.
 */
function splitPath(segments: readonly string[], host: string): [repository: string[], rest: string[]] {
  const dash = segments.findIndex((segment, at) => at > 0 && segment === '-' && segments[at + 1] === 'tree')
  if (dash !== -1 && segments.length > dash + 2) return [segments.slice(0, dash), segments.slice(dash + 2)]
  const named = segments.findIndex((segment) => segment.length > '.git'.length && segment.endsWith('.git'))
  const from = named === -1 ? ownerAndName : named + 1
  const isMarker = (segment: string, at: number): boolean => at >= from && (segment === 'tree' || segment === 'src')
  const marker = segments.findIndex(isMarker)
  if (marker === -1 || marker === segments.length - 1) return [segments.slice(0), []]
  const rest = segments.slice(marker + 1)
  const isGitea = segments[marker] === 'src' && rest.length > 1 && !/(?:^|\.)bitbucket\./.test(host)
  const isNamed = isGitea && (rest[0] === 'branch' || rest[0] === 'tag')
  return [segments.slice(0, marker), isNamed ? rest.slice(1) : rest]
}

/** A slash within a segment is one of a branch's name. Null for what no branch and no folder can be called. */
function decode(segments: readonly string[]): string[] | null {
  try {
    const decoded = segments.flatMap((segment) => decodeURIComponent(segment).split('/'))
    return decoded.every(isPossible) ? decoded : null
  } catch {
    return null
  }
}

function isPossible(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/\p{Cc}/u.test(segment)
}

import { join } from 'node:path'
import { portOf } from '#core/language/host-port.ts'
import { lateFailure } from '#net/dial/connect-failure.ts'
import { interleave } from '#net/dial/dial.ts'
import { createGitBoxes, type GitBox } from './git-box.ts'
import { authoritiesFile, makeGitFolder, removeAbandoned, removeGitFolder } from './git-folder.ts'
import { type GitEnding, type GitOrder, runGit } from './git-program.ts'
import { basicAuthorization, type GitRepository, inWords, partsFor } from './git-repository.ts'
import { createTurns, type Turns } from '#net/dial/turns.ts'
import { createGitRequirement, type RequireGit } from './git-version.ts'
import { withoutBrackets } from '#net/dial/guard.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'
import { noTimes } from '#net/dial/phase-times.ts'
import { locate, type Parts } from '#net/dial/reach.ts'

/** What all runs of git share: the program, and the limit of runs at once. */
export type GitSystem = {
  program: string
  requireGit: RequireGit
  findBox: () => Promise<GitBox>
  turns: Turns
  sweep: () => Promise<void>
}

/** A run in a folder of its own with an empty repository. */
export type GitRun = {
  /** Runs git with access to the repository at the address that was checked. */
  remote: (order: RunOrder) => Promise<GitEnding>
  /** Runs git without any network, whatever a repository names. */
  local: (order: RunOrder) => Promise<GitEnding>
}

type RunOrder = Omit<GitOrder, 'folder' | 'environment'>

export type GitRunRequest = GitRepository & {
  /** The object to read, whose length tells the repository's object format. */
  object: string
  /** The text of a time-out names this time; `signal` ends the run. */
  timeoutMs: number
}

/** The outcome of a run, or why it could not begin. */
export type GitRunOutcome<Found> = Found | { ok: false; failure: NetFailure }

const maxRunsAtOnce = 8

export function createGitSystem(program: string, nowMs: () => number): GitSystem {
  let swept: Promise<void> | undefined
  return {
    program,
    requireGit: createGitRequirement(program, nowMs),
    findBox: createGitBoxes(program, nowMs),
    turns: createTurns(maxRunsAtOnce),
    sweep: () => (swept ??= removeAbandoned(new Date())),
  }
}

/**
 * Runs git for a repository. Its folder and processes are gone when this returns. Throws `OwnTrouble` where this
 * machine has no git, no room or too much to do.
 */
export async function withGit<Found>(
  { parts, system }: { parts: Parts; system: GitSystem },
  request: GitRunRequest,
  { signal, work }: { signal: AbortSignal; work: (run: GitRun) => Promise<Found> },
): Promise<GitRunOutcome<Found>> {
  await system.requireGit()
  const giveBack = await system.turns(signal)
  if (giveBack === null) throw busy()
  try {
    await system.sweep()
    const pinned = await pin(parts, request, signal)
    if (typeof pinned !== 'string') return { ok: false, failure: inWords(pinned, request) }
    const folder = await makeGitFolder()
    try {
      const box = await system.findBox()
      return await work(await openRun(system.program, { request, folder, pinned, box, signal }))
    } finally {
      await removeGitFolder(folder)
    }
  } finally {
    giveBack()
  }
}

/** The failure of a deadline that passed during an activity of git. */
export function late({ timeoutMs }: Pick<GitRunRequest, 'timeoutMs'>, activity: string): NetFailure {
  return lateFailure('transfer', timeoutMs, activity)
}

function busy(): OwnTrouble {
  return new OwnTrouble(
    'EBUSY',
    new Error('no turn came'),
    'Too many repositories are being read at this location now.',
  )
}

/**
 * The checked addresses of the host in the form of http.curloptResolve, so that git dials no others; "" for a literal
 * address.
 */
async function pin(parts: Parts, request: GitRunRequest, signal: AbortSignal): Promise<string | NetFailure> {
  const { url, timeoutMs } = request
  const host = withoutBrackets(url.hostname)
  const port = portOf(url)
  const target = { host, port, isFresh: false, timeoutMs }
  const located = await locate(partsFor(parts, request), target, { signal, times: noTimes() })
  if (!located.ok) return located.failure
  return located.addresses.includes(host) ? '' : `${hostForGit(url)}:${port}:${interleave(located.addresses).join(',')}`
}

/** Without a final dot, because only some versions of libcurl remove it before they look for the pinned address. */
function hostForGit({ hostname }: URL): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/** The address for git, with the host spelled as it is pinned. */
export function addressForGit(url: URL): string {
  const port = url.port === '' ? '' : `:${url.port}`
  return `${url.protocol}//${hostForGit(url)}${port}${url.pathname}`
}

async function openRun(
  program: string,
  given: { request: GitRunRequest; folder: string; pinned: string; box: GitBox; signal: AbortSignal },
): Promise<GitRun> {
  const { request, folder, pinned, box, signal } = given
  const environment = { GIT_DIR: join(folder, 'repository'), GIT_SSL_CAINFO: join(folder, authoritiesFile) }
  const remote = { ...environment, GIT_ALLOW_PROTOCOL: request.url.protocol.slice(0, -1), ...settings(pinned, request) }
  const local = { ...environment, GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1', ...settings('', null) }
  const run: GitRun = {
    remote: (order) => runGit(program, { ...order, folder, environment: remote, box: box(folder, 'network') }, signal),
    local: (order) => runGit(program, { ...order, folder, environment: local, box: box(folder, 'nothing') }, signal),
  }
  const format = request.object.length > 40 ? 'sha256' : 'sha1'
  const made = await run.local({ arguments: ['init', '-q', '--bare', '--template=', `--object-format=${format}`] })
  if (made.type === 'failure')
    throw new OwnTrouble('EGIT', new Error(made.words), 'git could not make a folder for a repository here.')
  return run
}

/**
 * A repository can run nothing of its own; git follows no redirects, keeps nothing for later and asks no other host.
 */
const fixedSettings = {
  'core.hooksPath': '/dev/null',
  'core.fsync': 'none',
  'core.bigFileThreshold': '1m',
  'core.deltaBaseCacheLimit': '16m',
  'core.packedGitWindowSize': '16m',
  'core.packedGitLimit': '64m',
  'credential.helper': '',
  'fetch.negotiationAlgorithm': 'noop',
  'fetch.recurseSubmodules': 'false',
  'fetch.unpackLimit': '1',
  'gc.auto': '0',
  'http.followRedirects': 'false',
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '30',
  'http.proxy': '',
  'maintenance.auto': 'false',
  'pack.threads': '1',
  'protocol.version': '2',
  'transfer.bundleURI': 'false',
}

/** Settings travel in the environment, which other users cannot read. */
function settings(pinned: string, repository: GitRepository | null): Record<string, string> {
  const all: [name: string, value: string][] = Object.entries(fixedSettings)
  if (pinned !== '') all.push(['http.curloptResolve', pinned])
  const credentials = repository?.credentials ?? null
  if (credentials !== null) all.push(['http.extraHeader', `Authorization: ${basicAuthorization(credentials)}`])
  const entries = all.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return Object.fromEntries([['GIT_CONFIG_COUNT', `${all.length}`], ...entries])
}

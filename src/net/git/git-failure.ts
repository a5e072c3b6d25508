import { late, type GitRunRequest } from './git-run.ts'
import { type GitEnding, maxFileMib } from './git-program.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

/**
 * Why git could not read a repository; `activity` names for the text what git was doing. Throws `OwnTrouble` for
 * trouble of this machine. Codes: `timed_out`, `git_too_large`, `git_gone` (the object no longer exists) and
 * `git_broken`.
 */
export function gitFailure(ending: GitEnding, request: GitRunRequest, activity: string): NetFailure {
  if (ending.type === 'aborted') return late(request, activity)
  const words = ending.type === 'failure' ? ending.words : ''
  const own = words.replaceAll(/^.*\bremote(?: error)?: .*$/gm, '')
  if (noRoom.test(own)) throw new OwnTrouble('ENOSPC', new Error(own), 'This machine has no room for repositories.')
  if (tooLarge.test(own)) return failure('git_too_large', `More than ${maxFileMib} MiB came while ${activity}`)
  if (gone.test(words)) return failure('git_gone', 'The repository changed while it was read')
  return failure('git_broken', `Git failed while ${activity}${lastWords(words, request)}`)
}

/** Lines with "remote:" were removed before this is matched: the disk of the server is not this machine's. */
const noRoom = /no space left on device|disk quota exceeded|read-only file system/i
/** Git's words for what does not fit into a file or into memory. */
const tooLarge = /too large|over limit|out of memory|overflow/i
const gone = /not our ref|unadvertised object|no such remote ref|couldn't find remote ref/i

/**
 * The most telling of git's own lines, the last fatal one. Git never prints the credentials; they are replaced in case
 * it does.
 */
function lastWords(words: string, { credentials }: GitRunRequest): string {
  const lines = words.split('\n').filter((line) => /^(?:fatal|error|remote): /.test(line))
  const last = lines.findLast((line) => line.startsWith('fatal: ')) ?? lines.at(-1)
  if (last === undefined) return ''
  const text = last
    .replace(/^\w+: /, '')
    .replace(/ CAfile: .*$/, '')
    .slice(0, 300)
    .replaceAll(/\p{C}/gu, '?')
  return `: ${credentials === null ? text : text.replaceAll(credentials.password, '***')}`
}

function failure(code: string, message: string): NetFailure {
  return { phase: 'transfer', code, message }
}

import { tmpdir } from 'node:os'
import { missingCodes, runGit } from './git-program.ts'
import { MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'

/** Rejects with `MissingMeans` where this machine has no suitable git; the next look follows after a minute. */
export type RequireGit = () => Promise<void>

/**
 * The first version with http.curloptResolve, which sets the address to dial; older ones would ask the system's
 * resolver.
 */
const oldest = { major: 2, minor: 37 }
const retryMs = 60_000
const timeoutMs = 10_000
const remedy = `its operator has to install git ${oldest.major}.${oldest.minor} or newer`

export function createGitRequirement(program: string, nowMs: () => number): RequireGit {
  let known: { asked: Promise<void>; retryAt: number } | null = null
  return () => {
    if (known !== null && nowMs() < known.retryAt) return known.asked
    const entry = { asked: assertGit(program), retryAt: Infinity }
    entry.asked.catch(() => {
      entry.retryAt = nowMs() + retryMs
    })
    known = entry
    return entry.asked
  }
}

async function assertGit(program: string): Promise<void> {
  let output = ''
  const ending = await runGit(
    program,
    {
      arguments: ['version'],
      environment: {},
      folder: tmpdir(),
      onOutput: (piece) => {
        output += piece.toString('latin1')
        return output.length < 1000
      },
    },
    AbortSignal.timeout(timeoutMs),
  )
  if (ending.type === 'failure' && missingCodes.includes(ending.code))
    throw new MissingMeans(`Repositories cannot be listed at this location: ${remedy}`, new Error(ending.words))
  const version = /^git version (\d{1,4})\.(\d{1,4})/.exec(output)
  if (ending.type !== 'success' || version === null)
    throw new OwnTrouble('EGIT', new Error(`"git version" said ${output.slice(0, 200)}`), 'git does not run here.')
  const [major, minor] = [Number(version[1]), Number(version[2])]
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
    throw new MissingMeans(
      `Repositories cannot be listed at this location, which has git ${major}.${minor}: ${remedy}`,
      new Error(output),
    )
}

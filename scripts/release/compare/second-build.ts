// A second build of the same commit in another place: another folder with an installation of its own, another umask, another
// time zone, another language and another day. What differs from the first shows that a release depends on its machine.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../release-facts.ts'
import { firstDifference } from './difference.ts'

const installMs = 900_000
const buildMs = 3_600_000
/** The bundler of the first build left its own NODE_ENV behind, under which npm would leave out what the second needs. */
const elsewhere = { TZ: 'Pacific/Kiritimati', LANG: 'C', LC_ALL: 'C', NODE_ENV: undefined }

/** A sentence for each file that is not the same in both. The arguments choose what is built, as those of the first did. */
export function compareWithSecondBuild(
  folder: string,
  { commit, chosen }: { commit: string; chosen: readonly string[] },
): string[] {
  const place = mkdtempSync(join(tmpdir(), 'perigee-another-place-'))
  try {
    const clone = join(place, 'sources', 'of-perigee')
    execFileSync('git', ['clone', '--quiet', '--no-checkout', root, clone], { stdio: 'inherit' })
    execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: clone, stdio: 'inherit' })
    const strict = (command: readonly string[], timeout: number, environment: NodeJS.ProcessEnv = {}): void => {
      execFileSync('sh', ['-c', 'umask 077; exec "$@"', 'sh', ...command], {
        cwd: clone,
        env: { ...process.env, ...elsewhere, ...environment },
        stdio: 'inherit',
        timeout,
      })
    }
    strict(['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund'], installMs)
    const second = join(place, 'release')
    const anotherDay = { NODE_OPTIONS: `--import=${join(clone, 'scripts/release/compare/another-day.js')}` }
    strict(['npm', 'run', 'release', '--', ...chosen, '--folder', second], buildMs, anotherDay)
    return differences(folder, second)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The commit that both builds are of, the last one. Throws where something is not committed. */
export function committed(): string {
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new Error(`A second build is of the last commit, and this is not committed:\n${changed}`)
  return git('rev-parse', 'HEAD')
}

function git(...command: readonly string[]): string {
  return execFileSync('git', command, { cwd: root, encoding: 'utf8' }).trim()
}

export function differences(first: string, second: string): string[] {
  const [ones, others] = [new Set(readdirSync(first)), new Set(readdirSync(second))]
  return [...ones.union(others)].toSorted().flatMap((name): string[] => {
    if (!others.has(name)) return [`${name}: only the first build has it.`]
    if (!ones.has(name)) return [`${name}: only the second build has it.`]
    const difference = firstDifference(readFileSync(join(first, name)), readFileSync(join(second, name)))
    return difference === null ? [] : [`${name}: ${difference}.`]
  })
}

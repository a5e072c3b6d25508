// `npm run advisories`: asks the registry of npm for advisories on all locked packages, and fails for each that
// scripts/supply/accepted-advisories.ts does not accept. Part of the hosted checks, because it needs the registry and its
// answer changes without a commit. docs/supply-chain.md.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { acceptedAdvisories } from './supply/accepted-advisories.ts'
import { type Advisory, advisoriesOf, advisoryProblems } from './supply/advisories.ts'

const askMs = 120_000
const root = new URL('..', import.meta.url)
/** The lock file of the project has the packages of its suites as well; the documentation's generator has its own. */
const audits = [
  { folder: root, flags: ['--workspaces', '--include-workspace-root'] },
  { folder: new URL('site/', root), flags: [] },
]

try {
  const advisories = audits.flatMap(({ folder, flags }) => ask(fileURLToPath(folder), flags))
  const today = new Date().toISOString().slice(0, 10)
  const problems = advisoryProblems(advisories, { accepted: acceptedAdvisories, today })
  for (const problem of problems) console.error(problem)
  console.log(`${advisories.length} advisories on locked packages, ${problems.length} problems.`)
  process.exitCode = problems.length === 0 ? 0 : 1
} catch (error) {
  console.error(`Nothing is known of advisories: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}

/** npm ends with 1 for any vulnerable package and writes its report all the same. */
function ask(folder: string, flags: readonly string[]): Advisory[] {
  const { stdout, stderr, error } = spawnSync('npm', ['audit', '--json', ...flags], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    timeout: askMs,
  })
  if (error !== undefined) throw error
  if (stdout.trim() === '') throw new Error(`npm wrote nothing. ${stderr.trim()}`)
  return advisoriesOf(JSON.parse(stdout))
}

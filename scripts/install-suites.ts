// Adds what checking and some suites need beyond "npm ci" (suites/package.json), unless it is there as the lock file has
// it. The commands that need it run this first; `npm run suites` does it by hand.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const installMs = 600_000
const root = fileURLToPath(new URL('..', import.meta.url))
/** npm makes this link when it installs suites/, and `npm ci` takes it away. */
const link = join(root, 'node_modules', 'perigee-suites')
const stamp = join(root, 'node_modules', '.cache', 'perigee-suites.txt')

installSuites()

function installSuites(): void {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(link) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  const began = performance.now()
  // Without scripts: the packages need none, and the console, which ours would build, is there.
  const flags = ['--workspaces', '--include-workspace-root', '--no-save', '--ignore-scripts', '--prefer-offline']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, ...quiet], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: installMs,
  })
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  console.log(`What the suites need was installed in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
}

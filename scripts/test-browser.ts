// `npm run test:browser`, as root where Chromium is missing: people's stories in a real browser, against the real
// service and a real mail server. Files and flags may be given. With PERIGEE_SCREENSHOTS=<folder> every page is
// photographed there, light and dark, wide and narrow.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { installPackages } from './debian-packages.ts'
import './install-suites.ts'
import { buildProgram } from './program/build.ts'

/** More than cores, because a story waits a fifth of its time: for its service, for pages, for what it looks out for. */
const lanes = availableParallelism() + 1

const given = process.argv.slice(2)
const flags = given.filter((argument) => argument.startsWith('-'))
const files = given.filter((argument) => !argument.startsWith('-'))

installPackages(['bubblewrap', 'chromium', 'chromium-headless-shell'])
execFileSync(process.execPath, [pathOf('./build-web.ts')], { stdio: 'inherit', timeout: 120_000 })
// Each story starts a service of its own.
if (files.length === 0) await buildProgram()
const tests = spawn(
  process.execPath,
  [
    pathOf('./test.ts'),
    '--test-timeout=300000',
    `--test-concurrency=${lanes}`,
    `--import=${new URL('../test/support/console-texts.ts', import.meta.url).href}`,
    ...flags,
    ...(files.length > 0 ? files : globSync('test/browser/*.test.ts')),
  ],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal))
const [code] = await once(tests, 'exit')
process.exitCode = typeof code === 'number' ? code : 1

function pathOf(script: string): string {
  return fileURLToPath(new URL(script, import.meta.url))
}

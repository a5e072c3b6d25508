// `npm run test:cluster`, as root where a package is missing: the tests of several processes, against real brokers.
// They run as all tests do, with an embedded PostgreSQL that lives as long as the run; files and flags may be given.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { installPackages } from './debian-packages.ts'

installPackages(['nats-server'])
const given = process.argv.slice(2)
const files = given.some((argument) => !argument.startsWith('-')) ? [] : ['test/cluster/*.test.ts']
const tests = spawn(
  process.execPath,
  [fileURLToPath(new URL('./test.ts', import.meta.url)), '--test-timeout=300000', ...given, ...files],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal))
const [code] = await once(tests, 'exit')
process.exitCode = typeof code === 'number' ? code : 1

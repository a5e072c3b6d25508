// `npm run test:faults`, as root: the service while its own ground fails. Networks are namespaces, which Linux gives to
// root. The tests run as all tests do, with an embedded PostgreSQL; files and flags may be given.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installPackages } from './debian-packages.ts'

installPackages(['iproute2'])
const given = process.argv.slice(2)
const files = given.some((argument) => !argument.startsWith('-')) ? [] : globSync('test/faults/*.test.ts').toSorted()
const tests = spawn(
  process.execPath,
  [fileURLToPath(new URL('./test.ts', import.meta.url)), '--test-timeout=300000', ...given, ...files],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal))
const [code] = await once(tests, 'exit')
process.exitCode = typeof code === 'number' ? code : 1

// `npm run test:docs`, as root on Debian: runs every command in README.md and docs/ against a real service. It stands at
// the address that the documents name, in a network of its own, so the world of the examples is on this machine too.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { installPackages } from './debian-packages.ts'

installPackages(['curl', 'iproute2', 'jq', 'systemd'])
const program = fileURLToPath(new URL('test.ts', import.meta.url))
const files = ['test/docs/commands.test.ts', 'test/docs/heartbeat-examples.test.ts']
const script = 'ip link set lo up && exec "$0" "$@"'
const tests = spawn(
  'unshare',
  ['--net', 'sh', '-c', script, process.execPath, program, ...files, ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal))
const [code] = await once(tests, 'exit')
process.exitCode = typeof code === 'number' ? code : 1

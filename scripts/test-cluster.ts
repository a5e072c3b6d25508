// `npm run test:cluster`, as root where a package is missing: the tests of several processes, against real brokers.
// They run as all tests do, with an embedded PostgreSQL that lives as long as the run; files and flags may be given.
// `-- --long` lets every part of the cluster die five times.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installPackages } from './debian-packages.ts'

type Run = { files: readonly string[]; minutes: number; environment?: Readonly<Record<string, string>> }

const long = '--long'
const given = process.argv.slice(2).filter((argument) => argument !== long)
const flags = given.filter((argument) => argument.startsWith('-'))
const files = given.filter((argument) => !argument.startsWith('-'))
const isLong = process.argv.includes(long)
const steady: Run = {
  files: ['test/cluster/steady.test.ts'],
  minutes: isLong ? 60 : 15,
  environment: isLong ? { PERIGEE_TEST_LONG: 'yes' } : {},
}
/** One after the other: the last needs the machine for itself. */
const runs: readonly Run[] =
  files.length > 0
    ? [{ ...steady, files }]
    : [
        { files: besidesSteady(), minutes: 5 },
        { files: ['test/flow/watching.test.ts'], minutes: 5, environment: { PERIGEE_TEST_BUS: 'nats' } },
        steady,
      ]

installPackages(['nats-server', 'iproute2'])
let interruptedBy: NodeJS.Signals | null = null
process.exitCode = 0
for (const run of runs) {
  if (interruptedBy !== null) break
  const code = await test(run)
  if (code !== 0) process.exitCode = code
}

/** From the folder of the project, where npm runs this. */
function besidesSteady(): string[] {
  const folder = 'test/cluster'
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  return names.map((name) => `${folder}/${name}`).filter((file) => !steady.files.includes(file))
}

async function test({ files: wanted, minutes, environment = {} }: Run): Promise<number> {
  const tests = spawn(
    process.execPath,
    [fileURLToPath(new URL('./test.ts', import.meta.url)), `--test-timeout=${minutes * 60_000}`, ...flags, ...wanted],
    { stdio: 'inherit', env: { ...process.env, ...environment } },
  )
  const interrupt = (signal: NodeJS.Signals): void => {
    interruptedBy = signal
    tests.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, interrupt)
  const [code] = await once(tests, 'exit')
  for (const signal of signals) process.off(signal, interrupt)
  return typeof code === 'number' ? code : 1
}

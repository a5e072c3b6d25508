// `npm run test:cluster`, as root where a package is missing: the tests of several processes, against real brokers.
// They run as all tests do, with an embedded PostgreSQL that lives as long as the run; files and flags may be given.
// `-- --short` leaves out the daily work, and `-- --long` lets every part of the cluster die five times in it.
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { installPackages } from './debian-packages.ts'
import { buildProgram } from './program/build.ts'
import { runTests, type TestRun } from './run-tests.ts'

const lengths = new Set(['--short', '--long'])
const given = process.argv.slice(2).filter((argument) => !lengths.has(argument))
const flags = given.filter((argument) => argument.startsWith('-'))
const files = given.filter((argument) => !argument.startsWith('-'))
const isShort = process.argv.includes('--short')
const isLong = process.argv.includes('--long')
const steady: TestRun = {
  files: ['test/cluster/steady.test.ts'],
  minutes: isLong ? 60 : 15,
  environment: isLong ? { PERIGEE_TEST_LONG: 'yes' } : {},
}
/** More than cores, because most of these tests wait half of their time: for brokers that come back, and for processes. */
const lanes = `--test-concurrency=${availableParallelism() + 2}`
/** One after the other: the last waits half of its time, and the first ones do not. */
const runs: readonly TestRun[] =
  files.length > 0
    ? [{ ...steady, files }]
    : [
        { files: besidesSteady(), minutes: 5, flags: [lanes] },
        { files: ['test/flow/watching.test.ts'], minutes: 5, environment: { PERIGEE_TEST_BUS: 'nats' } },
        ...(isShort ? [] : [steady]),
      ]

installPackages(['nats-server', 'iproute2'])
await buildProgram()
process.exitCode = 0
for (const run of runs) {
  const { code, interruptedBy } = await runTests({ ...run, flags: [...(run.flags ?? []), ...flags] })
  if (code !== 0) process.exitCode = code
  if (interruptedBy !== null) break
}

/** From the folder of the project, where npm runs this. */
function besidesSteady(): string[] {
  const folder = 'test/cluster'
  const names = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  return names.map((name) => `${folder}/${name}`).filter((file) => !steady.files.includes(file))
}

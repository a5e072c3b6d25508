// The runs of the tests of test/faults (docs/design/fault-tests.md), and what each fault did.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultLine, faultLineSchema, reportVariable } from '../test/support/faults/fault-report.ts'
import { installPackages } from './debian-packages.ts'
import { buildProgram } from './program/build.ts'
import { runTests } from './run-tests.ts'

/** Faults last for most of the time, so there are more lanes than cores. */
const lanes = 10
const minutes = 8
/** Each alone: one is about times, and the others keep the machine busy. */
const alone = [
  ['test/faults/hostile-targets.test.ts'],
  ['test/faults/storm.test.ts'],
  ['test/faults/service-killed.test.ts', 'test/faults/database-killed.test.ts'],
]

export type FaultRuns = { code: number; lines: FaultLine[] }

/** All of them where no files are given. */
export async function runFaults(given: { files: readonly string[]; flags: readonly string[] }): Promise<FaultRuns> {
  installPackages(['iproute2', 'nats-server', 'faketime'])
  await buildProgram()
  const others = globSync('test/faults/*.test.ts').filter((file) => !alone.flat().includes(file))
  const runs = given.files.length > 0 ? [given.files] : [others, ...alone]
  const folder = mkdtempSync(join(tmpdir(), 'perigee-faults-'))
  const report = join(folder, 'report')
  let failed = 0
  for (const files of runs) {
    const { code, interruptedBy } = await runTests({
      files,
      minutes,
      flags: [`--test-concurrency=${lanes}`, ...given.flags],
      environment: { [reportVariable]: report },
    })
    if (code !== 0) failed = code
    if (interruptedBy !== null) break
  }
  const lines = existsSync(report) ? readFileSync(report, 'utf8').trim().split('\n') : []
  rmSync(folder, { recursive: true, force: true })
  return { code: failed, lines: lines.map((line) => faultLineSchema.parse(JSON.parse(line))) }
}

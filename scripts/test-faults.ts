// `npm run test:faults`, as root: the service while its own ground fails. Networks are namespaces, which Linux gives to
// root. The tests run as all tests do, with an embedded PostgreSQL; files and flags may be given. At the end stands a
// table of what each fault did (docs/design/fault-tests.md).
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faultLineSchema, type FaultLine, reportVariable } from '../test/support/faults/fault-report.ts'
import { installPackages } from './debian-packages.ts'
import { runTests } from './run-tests.ts'

/** Faults last for most of the time, so there are more lanes than cores. */
const lanes = 7
const minutes = 8
/** Each alone: one is about times, and the others keep the machine busy. */
const alone = [
  ['test/faults/hostile-targets.test.ts'],
  ['test/faults/storm.test.ts'],
  ['test/faults/service-killed.test.ts', 'test/faults/database-killed.test.ts'],
]

installPackages(['iproute2', 'nats-server', 'faketime'])
const given = process.argv.slice(2)
const flags = given.filter((argument) => argument.startsWith('-'))
const files = given.filter((argument) => !argument.startsWith('-'))
const others = globSync('test/faults/*.test.ts').filter((file) => !alone.flat().includes(file))
const runs = files.length > 0 ? [files] : [others, ...alone]
const folder = mkdtempSync(join(tmpdir(), 'perigee-faults-'))
const report = join(folder, 'report')
process.exitCode = 0
for (const each of runs) {
  const { code, interruptedBy } = await runTests({
    files: each,
    minutes,
    isBundled: true,
    flags: [`--test-concurrency=${lanes}`, ...flags],
    environment: { [reportVariable]: report },
  })
  if (code !== 0) process.exitCode = code
  if (interruptedBy !== null) break
}
if (existsSync(report)) console.log(tableOf(readFileSync(report, 'utf8').trim().split('\n')))
rmSync(folder, { recursive: true, force: true })

function tableOf(lines: readonly string[]): string {
  const rows = lines.map((line) => rowOf(faultLineSchema.parse(JSON.parse(line))))
  const heads = ['while', 'false incidents', 'told late', 'lost', 'test', 'the operator was told']
  return ['', heads, ...rows].map((row) => (typeof row === 'string' ? row : `| ${row.join(' | ')} |`)).join('\n')
}

function rowOf({ fault, falseIncidents, late, lost, told, skipped, isPassed }: FaultLine): string[] {
  const figures = [falseIncidents.length, late?.length ?? '-', lost ?? '-'].map(String)
  return [
    fault,
    ...figures,
    isPassed ? (skipped === null ? 'passed' : `SKIPPED: ${skipped}`) : 'FAILED',
    [...new Set(told)].join(' / ') || 'nothing',
  ]
}

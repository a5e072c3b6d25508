// `npm run test:faults`, as root: the service while its own ground fails. Networks are namespaces, which Linux gives to
// root. The tests run as all tests do, with an embedded PostgreSQL; files and flags may be given. At the end stands a
// table of what each fault did (docs/design/fault-tests.md).
import type { FaultLine } from '../test/support/faults/fault-report.ts'
import { runFaults } from './fault-runs.ts'

const given = process.argv.slice(2)
const { code, lines: played } = await runFaults({
  files: given.filter((argument) => !argument.startsWith('-')),
  flags: given.filter((argument) => argument.startsWith('-')),
})
if (played.length > 0) console.log(tableOf(played))
process.exitCode = code

function tableOf(lines: readonly FaultLine[]): string {
  const heads = ['while', 'false incidents', 'told late', 'lost', 'test', 'the operator was told']
  return ['', ...[heads, ...lines.map(rowOf)].map((row) => `| ${row.join(' | ')} |`)].join('\n')
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

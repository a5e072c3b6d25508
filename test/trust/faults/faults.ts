// The proof by faults: the service while its own ground fails, as `npm run test:faults` plays it
// (docs/design/fault-tests.md).
import { runFaults } from '../../../scripts/fault-runs.ts'
import type { FaultLine } from '../../support/faults/fault-report.ts'
import type { Finding, Order, Outcome, Proof } from '../proof.ts'

/** Faults take their own time, and are the same each time. */
export const faults: Proof = { name: 'faults', takesItsTime: true, run }

/** The case of a finding, because a fault does not say in which file it is played; a file may be given in its place. */
const allFaults = 'all'

const notTried: Outcome = { load: 'not tried: it needs Linux and root', survived: null, findings: [], lost: null }

async function run({ only }: Order): Promise<Outcome> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return notTried
  const { code, lines } = await runFaults({ files: only === null || only === allFaults ? [] : [only], flags: [] })
  const findings = lines.flatMap(findingsOf)
  if (code !== 0 && findings.length === 0)
    findings.push({ what: 'A test of faults failed without a word of its fault: see above.', case: allFaults })
  const played = lines.filter(({ skipped }) => skipped === null)
  const lost = lines.reduce((sum, line) => sum + (line.lost ?? 0), 0)
  const passedOver = lines.length - played.length
  const load = `${lines.length} faults${passedOver > 0 ? `, ${passedOver} of them not judged here` : ''}`
  return { load, survived: played.filter(({ isPassed }) => isPassed).length, findings, lost }
}

function findingsOf({ fault, falseIncidents, late, lost, isPassed }: FaultLine): Finding[] {
  if (isPassed) return []
  const what = `While ${fault}: ${falseIncidents.length} false incidents, ${late?.length ?? 0} told late, ${lost ?? 0} lost.`
  return [{ what, case: allFaults }]
}

// `npm run trust`: proofs of what the product promises, each of them looking for the contrary for as long as it is given.
// Every one draws what it does from the seed, and a failure names the command that plays it again.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Outcome, type Proof } from '../test/trust/proof.ts'
import { proofs } from '../test/trust/proofs.ts'

/** Simulation and inputs share these minutes, as they could go on for ever. Faults and load take some 17 beside them. */
const usualMinutes = 12
/** All proofs together, as a change has to pass them. */
const shortMinutes = 4
const largestSeed = 2 ** 31 - 1

type Played = { proof: Proof; outcome: Outcome; seconds: number }

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    case: { type: 'string' },
  },
})
const chosen = proofs.filter((proof) =>
  values.only === undefined ? isUsual(proof) : values.only.split(',').includes(proof.name),
)
if (chosen.length === 0) throw new Error(`There are these proofs: ${proofs.map(({ name }) => name).join(', ')}.`)
const seed = numberOf(values.seed, randomInt(1, largestSeed))
const minutes = numberOf(values.minutes, values.short ? shortMinutes : usualMinutes)
console.log(`The seed is ${seed}.`)
const played: Played[] = []
const bounded = chosen.filter(({ takesItsTime, longMinutes }) => takesItsTime !== true && longMinutes === undefined)
for (const proof of chosen) played.push(await play(proof, minutesOf(proof) * 60_000))
for (const { proof, outcome } of played) printFindings(proof, outcome)
console.log(tableOf(played))
process.exitCode = played.some(({ outcome }) => outcome.findings.length > 0 || (outcome.lost ?? 0) > 0) ? 1 : 0

function isUsual({ takesItsTime, longMinutes }: Proof): boolean {
  if (longMinutes !== undefined) return values.long
  return takesItsTime !== true || !values.short
}

/** The minutes of a run are shared; a long proof has its own. */
function minutesOf({ longMinutes }: Proof): number {
  if (longMinutes === undefined) return minutes / Math.max(1, bounded.length)
  return values.minutes === undefined ? longMinutes : minutes
}

function numberOf(text: string | undefined, usual: number): number {
  const number = Number(text ?? usual)
  if (!(number > 0)) throw new Error(`${text} is no positive number.`)
  return number
}

async function play(proof: Proof, budgetMs: number): Promise<Played> {
  const began = performance.now()
  const report = (line: string): void => console.log(`${proof.name}: ${line}`)
  const outcome = await proof.run({ seed, budgetMs, isShort: values.short, report, only: values.case ?? null })
  return { proof, outcome, seconds: (performance.now() - began) / 1000 }
}

function printFindings({ name }: Proof, { findings }: Outcome): void {
  for (const { what, case: shown } of findings)
    console.log(
      `\nFOUND: ${what}\n  npm run trust -- --only ${name} --seed ${seed} --case '${shown.replaceAll("'", "'\\''")}'`,
    )
}

function tableOf(all: readonly Played[]): string {
  const heads = ['proof', 'tried', 'faults survived', 'findings', 'lost', 'seconds']
  const rows = all.map(({ proof, outcome: { load, survived, findings, lost }, seconds }) => [
    proof.name,
    load,
    survived ?? '-',
    findings.length,
    lost ?? '-',
    Math.round(seconds),
  ])
  return ['', ...[heads, heads.map(() => '-'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
}

import { readFileSync } from 'node:fs'
import { idOf, type Mutant, mutatedLine } from './mutant.ts'
import type { ProductFile } from './own-tests.ts'
import type { Verdict } from './play.ts'

/** The share of changes, in per cent, that tests have to find. */
const wantedPerCent = 95

export function changeOf(mutant: Mutant): string {
  return `${idOf(mutant)}  ${mutant.before || '(nothing)'} → ${mutant.after || '(nothing)'}`
}

export function printVerdict({ mutant, outcome }: Verdict): void {
  console.log(`${outcome.padEnd(9)}  ${changeOf(mutant)}`)
  if (outcome === 'SURVIVED') console.log(`${' '.repeat(11)}${mutatedLine(readFileSync(mutant.file, 'utf8'), mutant)}`)
}

/** Whether enough of them were found. */
export function printSum(verdicts: readonly Verdict[], tookMs: number): boolean {
  const found = verdicts.filter(({ outcome }) => outcome !== 'SURVIVED').length
  const perCent = verdicts.length === 0 ? 0 : (100 * found) / verdicts.length
  const isEnough = perCent >= wantedPerCent
  console.log(
    `\n${verdicts.length} changes, ${found} found, ${verdicts.length - found} survived: ${perCent.toFixed(1)} % in ` +
      `${(tookMs / 1000).toFixed(0)} s${isEnough ? '' : `, where ${wantedPerCent} % are wanted`}`,
  )
  return isEnough
}

export function printUntested(files: readonly ProductFile[], isNamed: boolean): void {
  console.log(
    `${files.length} files have no test of their own, and are left out${isNamed ? ':' : '; --list names them'}`,
  )
  if (isNamed) for (const { file } of files) console.log(`  ${file}`)
}

// Plays stories of the simulation, a line each, until a rule is broken or all are over: `play-stories.ts <first seed>
// <stories>`. A run of mutants gives it the changed source (`mutated-source.ts`).
import { optionsOf } from '../../test/simulation/seeds.ts'
import { run } from '../../test/simulation/simulate.ts'

/** A line of the output. The rule is that which was broken, without the names of what broke it; null where all held. */
export interface Story {
  seed: number
  rule: string | null
}

const [first = 1, stories = 1] = process.argv.slice(2).map(Number)
for (let seed = first; seed < first + stories; seed += 1) {
  const { failure } = await run(seed, optionsOf(seed))
  const story: Story = { seed, rule: failure === null ? null : ruleOf(failure) }
  console.log(JSON.stringify(story))
  if (failure !== null) break
}

function ruleOf(failure: unknown): string {
  const [line = ''] = (failure instanceof Error ? failure.message : String(failure)).split('\n')
  return line
    .replace(/[:,]? *[[{"].*/, '')
    .replaceAll(/\S*[\da-f]{8}-[\da-f-]{27}\S*/g, '…')
    .replaceAll(/\d{6,}/g, '…')
}

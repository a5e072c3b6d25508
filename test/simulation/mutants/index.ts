// The defects that the simulation has to find, one at a time (`npm run mutants -- --simulation`).
import { deliveries } from './deliveries.ts'
import { folds } from './folds.ts'
import { locations } from './locations.ts'
import { partitions } from './partitions.ts'
import { results } from './results.ts'
import { schedule } from './schedule.ts'
import { sqlRules } from './sql-rules.ts'
import type { StoryMutant } from './story-mutant.ts'

export const storyMutants: readonly StoryMutant[] = [
  ...results,
  ...folds,
  ...partitions,
  ...schedule,
  ...locations,
  ...deliveries,
  ...sqlRules,
]

/** The source with the defect in it. Throws where the place of it is not there, or is not the only one. */
export function changedSource({ name, file, text, replacement }: StoryMutant, source: string): string {
  const [before = '', after, ...more] = source.split(text)
  if (after === undefined || more.length > 0)
    throw new Error(
      `${name}: the text to change occurs ${more.length + (after === undefined ? 0 : 1)} times in ${file}.`,
    )
  return `${before}${replacement}${after}`
}

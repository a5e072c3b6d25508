import { createHash } from 'node:crypto'
import { idOf, type Mutant } from './mutant.ts'

/**
 * The same mutants for the same seed and the same tree. A larger sample begins with the smaller one, and a change
 * elsewhere in the tree leaves most of it as it was.
 */
export function draw(mutants: readonly Mutant[], { sample, seed }: { sample: number; seed: number }): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, place: placeOf(`${seed} ${idOf(mutant)}`) }))
    .toSorted((one, other) => (one.place < other.place ? -1 : 1))
    .slice(0, sample)
    .map(({ mutant }) => mutant)
}

function placeOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

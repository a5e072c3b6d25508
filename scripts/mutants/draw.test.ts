import assert from 'node:assert/strict'
import { it } from 'node:test'
import { draw } from './draw.ts'
import type { Mutant } from './mutant.ts'

const all: readonly Mutant[] = Array.from({ length: 50 }, (_, index) => ({
  file: 'a.ts',
  offset: index,
  before: '<',
  after: '<=',
  line: index + 1,
  column: 1,
}))

it('a seed draws the same, in whatever order the files are read', () => {
  assert.deepEqual(draw(all, { sample: 10, seed: 3 }), draw(all.toReversed(), { sample: 10, seed: 3 }))
})

it('another seed draws others', () => {
  assert.notDeepEqual(draw(all, { sample: 10, seed: 3 }), draw(all, { sample: 10, seed: 4 }))
})

it('a larger sample begins with the smaller one', () => {
  assert.deepEqual(draw(all, { sample: 20, seed: 3 }).slice(0, 10), draw(all, { sample: 10, seed: 3 }))
})

it('a sample larger than all is all of them', () => {
  assert.equal(draw(all, { sample: 51, seed: 3 }).length, 50)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { it } from 'node:test'
import { changedSource, storyMutants } from './index.ts'

it('every defect of the list still has its place in the source, and leaves a source that can be read', () => {
  for (const mutant of storyMutants) {
    const source = readFileSync(mutant.file, 'utf8')
    const changed = changedSource(mutant, source)
    assert.notEqual(changed, source, mutant.name)
    assert.doesNotThrow(() => stripTypeScriptTypes(changed), mutant.name)
  }
})

it('the list has names of its own for at least thirty defects, and says of each what it is', () => {
  assert.ok(storyMutants.length >= 30, `${storyMutants.length} defects`)
  assert.equal(new Set(storyMutants.map(({ name }) => name)).size, storyMutants.length)
  for (const { name, defect } of storyMutants) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/)
    assert.match(defect, /^[A-Z].+\.$/)
  }
})

it('a text that is not there, or is there twice, is refused', () => {
  const mutant = { name: 'example', file: 'a.ts', text: 'a', replacement: 'b', defect: 'An example.' }
  assert.equal(changedSource(mutant, 'xay'), 'xby')
  assert.throws(() => changedSource(mutant, 'xy'), /occurs 0 times/)
  assert.throws(() => changedSource(mutant, 'xaya'), /occurs 2 times/)
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { equivalents, withoutEquivalents } from './equivalents.ts'
import { makeMutants } from './make-mutants.ts'

const file = 'scripts/mutants/draw.ts'
const source = '\n\nf(a < b, c > d)'
const entry = { file, line: 'f(a <= b, c > d)', because: 'It is an example.' }
const read = (): string => source

it('a change that is listed does not count, and others of its line do', () => {
  const { counted, stale } = withoutEquivalents(makeMutants(file, source), { entries: [entry], read })
  assert.deepEqual(
    counted.map(({ after }) => after),
    ['>='],
  )
  assert.deepEqual(stale, [])
})

it('an entry is stale when no change leaves its line', () => {
  const other = { ...entry, line: 'f(a <= b, c >= d)' }
  assert.deepEqual(withoutEquivalents(makeMutants(file, source), { entries: [other], read }).stale, [other])
})

it('every entry gives its reason in a sentence', () => {
  for (const { because } of equivalents) assert.match(because, /^[A-Z].+\.$/)
})

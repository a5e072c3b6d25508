import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inWords } from './in-words.ts'

describe('a list in words', () => {
  for (const [words, last, expected] of [
    [[], 'and', ''],
    [['a'], 'or', 'a'],
    [['a', 'b'], 'and', 'a and b'],
    [['a', 'b', 'c'], 'or', 'a, b or c'],
  ] as const)
    it(`of ${words.length} reads "${expected}"`, () => assert.equal(inWords(words, last), expected))
})

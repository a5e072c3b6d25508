import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inWords, spanInWords } from './in-words.ts'

describe('a list in words', () => {
  for (const [words, last, expected] of [
    [[], 'and', ''],
    [['a'], 'or', 'a'],
    [['a', 'b'], 'and', 'a and b'],
    [['a', 'b', 'c'], 'or', 'a, b or c'],
  ] as const)
    it(`of ${words.length} reads "${expected}"`, () => assert.equal(inWords(words, last), expected))
})

describe('a time in words', () => {
  const cases: [seconds: number, expected: string][] = [
    [0, '0 s'],
    [0.4, '0 s'],
    [-0.4, '0 s'],
    [1, '1 s'],
    [-1, '-1 s'],
    [119, '119 s'],
    [120, '2 min'],
    [-120, '-2 min'],
    [179, '2 min'],
    [7199, '119 min'],
    [7200, '2 h'],
    [10_800, '3 h'],
    [172_799, '47 h'],
    [172_800, '2 d'],
    [-864_000, '-10 d'],
  ]
  for (const [seconds, expected] of cases)
    it(`of ${seconds} s reads "${expected}"`, () => assert.equal(spanInWords(seconds), expected))
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sizeInWords } from './size-in-words.ts'

describe('a size in words', () => {
  const cases: [number, string][] = [
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [9_940, '9.9 kB'],
    [10_400, '10 kB'],
    [3_200_000_000, '3.2 GB'],
    [5_000_000_000_000_000, '5000 TB'],
  ]
  for (const [bytes, words] of cases) it(`of ${bytes} is ${words}`, () => assert.equal(sizeInWords(bytes), words))
})

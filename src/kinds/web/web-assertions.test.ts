import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cutText } from './web-assertions.ts'

describe('a text of which 5 characters are shown', () => {
  const cases: [text: string, shown: string][] = [
    ['', ''],
    ['abcd', 'abcd'],
    ['abcde', 'abcde'],
    ['abcdef', 'ab...'],
  ]
  for (const [text, shown] of cases) it(`is "${shown}" for "${text}"`, () => assert.equal(cutText(text, 5), shown))
})

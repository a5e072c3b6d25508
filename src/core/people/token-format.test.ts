import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { createTokenText, isAgentTokenText, isTokenText } from './token-format.ts'

describe('a token', () => {
  it('is pgk_ and 40 letters and digits', () => {
    for (let count = 0; count < 100; count += 1) assert.match(createTokenText(randomBytes), /^pgk_[A-Za-z0-9]{40}$/)
  })

  it('uses all letters and digits alike', () => {
    let text = ''
    for (let count = 0; count < 2000; count += 1) text += createTokenText(randomBytes).slice(4)
    const counts = [...Map.groupBy(text, (letter) => letter).values()].map(({ length }) => length)
    assert.equal(counts.length, 62)
    // 80,000 letters: 1,290 of each on average, with a deviation of 36.
    assert.ok(
      Math.min(...counts) > 1000 && Math.max(...counts) < 1600,
      `${Math.min(...counts)}..${Math.max(...counts)}`,
    )
  })

  it('draws again where a byte would favour some letters', () => {
    const draws = [new Uint8Array(40).fill(255), new Uint8Array(40).fill(247), new Uint8Array(0)]
    assert.equal(
      createTokenText(() => draws.shift() ?? assert.fail()),
      `pgk_${'9'.repeat(40)}`,
    )
  })

  const cases = [
    ['pgk_' + 'a'.repeat(31), false],
    ['pgk_' + 'a'.repeat(32), true],
    ['pgk_' + 'a'.repeat(128), true],
    ['pgk_' + 'a'.repeat(129), false],
    ['pga_' + 'a'.repeat(40), false],
    ['pgk_' + 'a'.repeat(39) + '-', false],
    [' pgk_' + 'a'.repeat(40), false],
    ['pgk_' + 'a'.repeat(40) + '\n', false],
    ['', false],
  ] as const
  for (const [text, expected] of cases)
    it(`${JSON.stringify(text.slice(0, 12))}, ${text.length} long, is ${expected ? '' : 'not '}one`, () =>
      assert.equal(isTokenText(text), expected))

  it('has the prefix that was asked for', () =>
    assert.match(createTokenText(randomBytes, 'pga_'), /^pga_[A-Za-z0-9]{40}$/))

  for (const [text, expected] of [
    ['pga_' + 'a'.repeat(40), true],
    ['pga_' + 'a'.repeat(39), false],
    ['pga_' + 'a'.repeat(41), false],
    ['pgk_' + 'a'.repeat(40), false],
    ['pga_' + 'a'.repeat(40) + '\n', false],
  ] as const)
    it(`${JSON.stringify(text.slice(0, 6))}, ${text.length} long, is ${expected ? '' : 'not '}an agent's`, () =>
      assert.equal(isAgentTokenText(text), expected))
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rateScore, rateVectors, rateWord, unrated } from './severity.ts'

describe('rateVectors', () => {
  const cases: [string, string | null, number | null][] = [
    ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 'critical', 10],
    ['AV:L/AC:L/Au:N/C:N/I:N/A:P', 'low', 2.1],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 'medium', 6.1],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 'critical', 10],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H/E:P/RL:O/RC:X', 'high', 7.5],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 'low', 0],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 'critical', 10],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U', 'critical', 9.3],
    ['CVSS:3.1/AV:N', null, null],
    ['CVSS:3.1/AV:Q/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', null, null],
    ['CVSS:5.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', null, null],
    ['', null, null],
  ]
  for (const [vector, severity, score] of cases)
    it(`rates ${vector || 'nothing'} ${severity} ${score}`, () => {
      assert.deepEqual(rateVectors([vector]), { severity, score })
    })

  it('prefers the newest version that can be read', () => {
    const vectors = ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 'CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H', 'CVSS:4.0/AV:N']
    assert.equal(rateVectors(vectors).score, 6.2)
  })

  it('never throws', () => {
    const metric = fc.tuple(
      fc.constantFrom('AV', 'AC', 'PR', 'UI', 'S', 'C', 'I', 'A', 'E', ''),
      fc.string({ maxLength: 2 }),
    )
    const vector = fc.array(metric).map((metrics) => `CVSS:3.1/${metrics.map((one) => one.join(':')).join('/')}`)
    fc.assert(fc.property(fc.array(fc.oneof(vector, fc.string())), (vectors) => void rateVectors(vectors)))
  })
})

describe('rateScore', () => {
  for (const [score, severity] of [
    [0, 'low'],
    [3.9, 'low'],
    [4, 'medium'],
    [6.9, 'medium'],
    [7, 'high'],
    [8.9, 'high'],
    [9, 'critical'],
    [10, 'critical'],
  ] as const)
    it(`calls ${score} ${severity}`, () => assert.deepEqual(rateScore(score), { severity, score }))
  it('rates nothing that is no score', () => {
    for (const score of [-0.1, 10.1, Number.NaN, Number.POSITIVE_INFINITY]) assert.equal(rateScore(score), unrated)
  })
})

describe('rateWord', () => {
  for (const [word, severity] of [
    ['HIGH', 'high'],
    ['Moderate', 'medium'],
    ['important', 'high'],
    ['Critical', 'critical'],
    ['Low', 'low'],
    ['negligible', null],
    [undefined, null],
  ] as const)
    it(`takes ${word} for ${severity}`, () => assert.equal(rateWord(word).severity, severity))
})

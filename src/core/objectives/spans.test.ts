import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { intersectionOf, lengthWithin, type Spans, unionOf, without } from './spans.ts'

describe('spans', () => {
  const unions: [name: string, spans: Spans, union: Spans][] = [
    ['none', [], []],
    ['one', [[1, 2]], [[1, 2]]],
    ['an empty one', [[1, 1]], []],
    ['one that ends before it begins', [[2, 1]], []],
    ['two that touch', [[1, 2], [2, 3]], [[1, 3]]], // prettier-ignore
    ['two apart, in any order', [[5, 6], [1, 2]], [[1, 2], [5, 6]]], // prettier-ignore
    ['one within another', [[1, 9], [2, 3], [8, 10]], [[1, 10]]], // prettier-ignore
  ]
  for (const [name, spans, union] of unions)
    it(`are put in order: ${name}`, () => assert.deepEqual(unionOf(spans), union))

  const differences: [name: string, spans: Spans, removed: Spans, left: Spans][] = [
    ['nothing', [[1, 5]], [], [[1, 5]]],
    ['all of it', [[1, 5]], [[0, 6]], []],
    ['exactly it', [[1, 5]], [[1, 5]], []],
    ['its begin', [[1, 5]], [[0, 2]], [[2, 5]]],
    ['its end', [[1, 5]], [[4, 9]], [[1, 4]]],
    ['its middle', [[1, 5]], [[2, 3]], [[1, 2], [3, 5]]], // prettier-ignore
    ['what only touches', [[1, 5]], [[0, 1], [5, 6]], [[1, 5]]], // prettier-ignore
    ['several of several', [[0, 10], [20, 30], [40, 50]], [[1, 2], [3, 4], [10, 20], [21, 22], [30, 45]], [[0, 1], [2, 3], [4, 10], [20, 21], [22, 30], [45, 50]]], // prettier-ignore
    ['what lies before it', [[20, 30]], [[1, 2], [3, 4], [5, 6], [25, 26]], [[20, 25], [26, 30]]], // prettier-ignore
    ['one over several', [[1, 3], [4, 6], [8, 9]], [[2, 8]], [[1, 2], [8, 9]]], // prettier-ignore
  ]
  for (const [name, spans, removed, left] of differences)
    it(`lose ${name}`, () => assert.deepEqual(without(spans, removed), left))

  it('have in common what lies in both', () => {
    assert.deepEqual(intersectionOf([[1, 4], [6, 9]], [[3, 7], [8, 20]]), [[3, 4], [6, 7], [8, 9]]) // prettier-ignore
    assert.deepEqual(intersectionOf([[1, 4]], [[4, 6]]), [])
    assert.deepEqual(intersectionOf([], [[4, 6]]), [])
    assert.deepEqual(intersectionOf([[1, 4], [5, 6]], [[2, 4], [4, 9]]), [[2, 4], [5, 6]]) // prettier-ignore
  })

  const lengths: [window: [number, number], length: number][] = [
    [[0, 100], 30],
    [[0, 10], 0],
    [[10, 20], 10],
    [[15, 45], 10],
    [[20, 40], 0],
    [[50, 51], 1],
    [[60, 90], 0],
  ]
  for (const [window, length] of lengths)
    it(`are ${length} long from ${window.join(' to ')}`, () =>
      assert.equal(lengthWithin([[10, 20], [40, 60]], window), length)) // prettier-ignore
})

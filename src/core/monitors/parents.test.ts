import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { circleThrough, type ParentLink } from './parents.ts'

const link = (id: string, ...parentIds: string[]): ParentLink => ({ id, name: id.toUpperCase(), parentIds })

describe('a circle of parents', () => {
  const cases: [what: string, monitor: ParentLink, others: ParentLink[], names: string[] | null][] = [
    ['is none without parents', link('a'), [link('b', 'a')], null],
    ['is none where lines meet', link('a', 'b', 'c'), [link('b', 'd'), link('c', 'd')], null],
    ['is a monitor that names itself', link('a', 'a'), [], ['A', 'A']],
    ['is two that name each other', link('a', 'b'), [link('b', 'a')], ['A', 'B', 'A']],
    [
      'is found over several levels, the shortest',
      link('a', 'b', 'c'),
      [link('b', 'd'), link('c', 'e'), link('d', 'f'), link('e', 'a'), link('f', 'a')],
      ['A', 'C', 'E', 'A'],
    ],
    ['of others does not keep the search from ending', link('a', 'b'), [link('b', 'c'), link('c', 'b')], null],
    ['is taken by what the monitor names now', link('a', 'c'), [link('a', 'b'), link('b', 'a')], null],
  ]
  for (const [what, monitor, others, names] of cases)
    it(what, () => assert.deepEqual(circleThrough(monitor, others), names))

  it('is looked for in a chain of a thousand', () => {
    const chain = Array.from({ length: 1000 }, (_, place) => link(`m${place}`, `m${place + 1}`))
    assert.equal(circleThrough(link('m1000', 'm0'), chain)?.length, 1002)
    assert.equal(circleThrough(link('m1001', 'm0'), chain), null)
  })
})

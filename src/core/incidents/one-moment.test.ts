import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TimedView, viewsOfOneMoment } from './one-moment.ts'
import { testView } from '../../../test/support/views.ts'

const minuteMs = 60_000

/** `a 10 down` is what `a` saw after ten minutes. */
function seen(text: string): TimedView {
  const [location = '', minutes = '', status] = text.split(' ')
  return {
    location,
    at: new Date(Number(minutes) * minuteMs),
    view: testView({ status: status === 'down' ? 'down' : 'up' }),
  }
}

const cases: [what: string, list: string[], chosen: string[]][] = [
  ['nothing', [], []],
  ['what was seen in one round', ['a 10 down', 'b 10 up'], ['a 10 down', 'b 10 up']],
  ['a failure that was over when the others were asked', ['a 10 down', 'a 11 up', 'b 11 up'], ['a 10 down', 'b 11 up']],
  ['a failure that moved on', ['a 10 down', 'a 14 up', 'b 14 down', 'b 10 up'], ['a 14 up', 'b 14 down']],
  ['a failure and an answer of the same round', ['a 10 up', 'a 10 down'], ['a 10 down']],
  ['an answer and a failure of the same round', ['a 10 down', 'a 10 up'], ['a 10 down']],
  ['what was seen 12 minutes apart', ['a 10 down', 'b 22 up', 'c 0 up'], ['a 10 down', 'b 22 up', 'c 0 up']],
  ['what was seen longer apart', ['a 20 down', 'b 33 up', 'c 7 up'], ['a 20 down']],
  ['answers alone', ['a 10 up', 'b 11 up'], ['a 10 up', 'b 11 up']],
]

describe('what locations saw at one moment', () => {
  for (const [what, list, chosen] of cases)
    it(`of ${what}`, () => {
      const found = viewsOfOneMoment(list.map(seen), minuteMs)
      assert.deepEqual(found, chosen.map(seen))
    })

  it('is further apart where the rounds are', () => {
    const list = [seen('a 60 down'), seen('b 190 up')]
    assert.deepEqual(viewsOfOneMoment(list, 60 * minuteMs), list)
    assert.deepEqual(viewsOfOneMoment(list, 59 * minuteMs), list.slice(0, 1))
  })
})

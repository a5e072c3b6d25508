import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { XMLValidator } from 'fast-xml-parser'
import { tableOf, verdictOf, type Curve, type Figures } from '../bench/support/growth-table.ts'
import { drawGrowth } from './growth-charts.ts'

const figures: Figures = { checkCpu: 0.4, start: 2, list: 5, detail: 4, overview: 20, page: 30, alert: 25 }

function curve(overviews: readonly number[]): Curve {
  return {
    dimension: 'monitors',
    points: overviews.map((overview, at) => ({ value: 100 * 10 ** at, figures: { ...figures, overview } })),
  }
}

describe('the growth of figures', () => {
  it('names a curve that is worse than linear, and where', () => {
    assert.equal(
      verdictOf(curve([20, 100, 1_900])),
      'monitors: WORSE THAN LINEAR: overview, ms × 19.0 from 1,000 to 10,000',
    )
  })

  it('takes noise above a linear curve for none', () => {
    assert.equal(verdictOf(curve([20, 210, 2_300])), 'monitors: no curve is worse than linear')
  })

  it('shows each figure with its ratio to the point before', () => {
    const lines = tableOf(curve([20, 100, 1_900])).split('\n')
    assert.match(lines[0] ?? '', /^ {2}monitors +100 +1,000 +10,000$/)
    assert.match(lines.find((line) => line.includes('overview')) ?? '', /20\.0 +100 × 5\.00 +1,900 × 19\.00$/)
  })

  it('is drawn with a panel for each figure, whose points say what they are', () => {
    const json = JSON.stringify({
      figures: { overview: 'overview, ms', alert: 'alert <fast>' },
      curves: [curve([20, 1_900])],
    })
    const picture = drawGrowth(json).get('growth-monitors.svg') ?? ''
    assert.equal(XMLValidator.validate(picture), true)
    for (const text of ['overview, ms', 'alert &lt;fast>', '>20<', '>1,900<', '>100 monitors<', '>1,000<'])
      assert.ok(picture.includes(text), text)
    assert.doesNotMatch(picture, /NaN|Infinity/)
  })

  it('is drawn where a figure was not measured', () => {
    const [one, other] = curve([20, 30]).points
    const json = JSON.stringify({
      figures: { alert: 'failure to alert, ms' },
      curves: [{ dimension: 'days', points: [one, { ...other, figures: { alert: null } }] }],
    })
    const picture = drawGrowth(json).get('growth-days.svg') ?? ''
    assert.equal(XMLValidator.validate(picture), true)
    assert.doesNotMatch(picture, /NaN|Infinity/)
  })
})

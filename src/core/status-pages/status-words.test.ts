import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTexts } from '#core/language/texts.ts'
import { maintenanceNewsText, namesText, postText, postTitle, stateText } from './status-words.ts'

const i18n = createTexts()
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `M${index + 1}`)
const ten = 'M1, M2, M3, M4, M5, M6, M7, M8, M9, M10'

describe('the words of a status page', () => {
  const lists: [count: number, text: string][] = [
    [0, ''],
    [1, 'M1'],
    [2, 'M1, M2'],
    [10, ten],
    [11, `${ten} and 1 more`],
    [12, `${ten} and 2 more`],
  ]
  for (const [count, text] of lists)
    it(`name ten of ${count} at most`, () => assert.equal(namesText(i18n, names(count)), text))

  it('differ for each state, step and news', () => {
    const states = (['up', 'degraded', 'down', 'maintenance', 'pending', 'paused'] as const).map((each) =>
      stateText(i18n, each),
    )
    const steps = (['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const).map((each) =>
      postText(i18n, each),
    )
    const news = (['planned', 'changed', 'cancelled', 'begun', 'ended'] as const).flatMap((each) =>
      Object.values(maintenanceNewsText(i18n, each, 'Move')),
    )
    const all = [...states, ...steps, ...news]
    assert.equal(new Set(all).size, 6 + 5 + 10)
    assert.ok(!all.includes(''))
    assert.equal(postTitle(i18n, 'resolved', 'Shop'), 'Resolved: Shop')
  })
})

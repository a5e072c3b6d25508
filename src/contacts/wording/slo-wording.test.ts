import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AlertSlo } from '#core/contacts/alerting.ts'
import { sloAlertOf } from '../../../test/support/alerts.ts'
import { wordingOf } from './wording.ts'

const context = { publicUrl: 'https://perigee.example' }
const link = {
  label: 'Open the objective',
  url: 'https://perigee.example/objectives/5b9e8d5e-3f0a-4d3c-9c4e-0d5c55f2f6a1',
}
const wordingOfSlo = (type: 'slo.burning' | 'slo.recovered', change: Partial<AlertSlo> = {}) =>
  wordingOf(sloAlertOf(type, {}, change), context)
const valueOf = (change: Partial<AlertSlo>, label: string): string | undefined =>
  wordingOfSlo('slo.burning', change).facts.find((fact) => fact.label === label)?.value

describe('the words of an objective', () => {
  it('say how fast its budget burns, what is left and when that is used up', () =>
    assert.deepEqual(wordingOfSlo('slo.burning'), {
      tone: 'warning',
      headline: 'Error budget burning too fast: Checkout',
      lead: 'In the last 1 h, the error budget of Checkout burned at 20 times the sustainable rate. 60 % of the budget is left.',
      facts: [
        { label: 'Objective', value: '99.9 % over 30 days' },
        { label: 'Attained', value: '99.94 %' },
        { label: 'Budget left', value: '60 % (25 min)' },
        { label: 'Burn rate', value: '20 times the sustainable rate, over 1 h' },
        { label: 'Used up at this rate', value: '2026-11-22 10:00:00 UTC' },
        { label: 'Since', value: '2026-11-21 09:30:00 UTC' },
      ],
      link,
      acknowledge: null,
    }))

  it('say that its budget is used up', () => {
    const usedUp = { reason: 'used_up', budget_left_seconds: 0, budget_left_percent: 0, ends_at: null } as const
    const { tone, headline, lead, facts } = wordingOfSlo('slo.burning', usedUp)
    assert.deepEqual([tone, headline], ['bad', 'Error budget used up: Checkout'])
    assert.equal(lead, 'Checkout was down for longer than its objective of 99.9 % over 30 days allows.')
    assert.deepEqual(
      facts.map(({ label }) => label),
      ['Objective', 'Attained', 'Budget left', 'Burn rate', 'Since'],
    )
  })

  it('say that it is within its budget again, from when until when it was not, and no rate', () =>
    assert.deepEqual(wordingOfSlo('slo.recovered'), {
      tone: 'good',
      headline: 'Within budget again: Checkout',
      lead: 'The error budget of Checkout is no longer burning too fast. 60 % of the budget is left.',
      facts: [
        { label: 'Objective', value: '99.9 % over 30 days' },
        { label: 'Attained', value: '99.94 %' },
        { label: 'Budget left', value: '60 % (25 min)' },
        { label: 'From', value: '2026-11-21 09:30:00 UTC' },
        { label: 'Until', value: '2026-11-21 10:04:00 UTC' },
      ],
      link,
      acknowledge: null,
    }))

  const left: [seconds: number, percent: number, fact: string, sentence: string][] = [
    [3600, 40, '40 % (1 h)', '40 % of the budget is left.'],
    [3599, 39.9, '39.9 % (59 min)', '39.9 % of the budget is left.'],
    [1, 0.1, '0.1 % (1 s)', '0.1 % of the budget is left.'],
    [0, 0, 'none', 'None of the budget is left.'],
    [-5, -0.2, 'none', 'None of the budget is left.'],
  ]
  for (const [seconds, percent, fact, sentence] of left)
    it(`say of ${seconds} s that are left: ${fact}`, () => {
      const change = { budget_left_seconds: seconds, budget_left_percent: percent }
      assert.equal(valueOf(change, 'Budget left'), fact)
      for (const type of ['slo.burning', 'slo.recovered'] as const)
        assert.ok(wordingOfSlo(type, change).lead.endsWith(`. ${sentence}`))
    })

  it('say over which time the budget burned so, rounded down', () => {
    const rate = 'times the sustainable rate, over'
    assert.equal(valueOf({ burn_rate: 6.5, burn_seconds: 21_600 }, 'Burn rate'), `6.5 ${rate} 6 h`)
    assert.equal(valueOf({ burn_seconds: 3599 }, 'Burn rate'), `20 ${rate} 59 min`)
  })

  it('say nothing of what was attained where that is not known', () =>
    assert.equal(valueOf({ attained: null }, 'Attained'), undefined))

  for (const [days, goal] of [
    [1, '99.9 % over 1 day'],
    [2, '99.9 % over 2 days'],
  ] as const)
    it(`name the objective: ${goal}`, () => assert.equal(valueOf({ window_days: days }, 'Objective'), goal))
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { statusAlertOf } from '../../../test/support/alerts.ts'
import { wordingOf } from './wording.ts'

const publicUrl = 'https://perigee.example'

describe('what an alert says of monitors that depend on the one that is down', () => {
  const affected: [total: number, names: string[], sentence: string][] = [
    [1, ['Shop'], '1 monitor depends on it: Shop.'],
    [3, ['Shop', 'API', 'Mail'], '3 monitors depend on it: Shop, API and Mail.'],
    [12, ['Shop', 'API', 'Mail', 'Wiki'], '12 monitors depend on it: Shop, API, Mail and 9 more.'],
  ]
  for (const [total, names, sentence] of affected)
    it(`is that ${sentence}`, () => {
      for (const type of ['monitor.down', 'monitor.reminder'] as const) {
        const { data, ...alert } = statusAlertOf(type)
        const { lead } = wordingOf({ ...alert, type, data: { ...data, children: { total, names } } }, { publicUrl })
        assert.ok(lead.endsWith(`. ${sentence}`), lead)
      }
    })

  it('is nothing where none does', () =>
    assert.equal(wordingOf(statusAlertOf('monitor.down'), { publicUrl }).lead, 'Shop API is down.'))
})

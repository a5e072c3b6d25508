import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maintenanceAlertOf } from '../../../test/support/alerts.ts'
import { wordingOf } from './wording.ts'

const context = { publicUrl: 'https://perigee.example' }
const more = 'Outages that begin during the maintenance are alerted only if they outlast it.'

describe('the words of planned maintenance', () => {
  it('say what begins, for how long and of what', () =>
    assert.deepEqual(wordingOf(maintenanceAlertOf('maintenance.started'), context), {
      tone: 'plain',
      headline: 'Maintenance started: Database upgrade',
      lead: `Maintenance of Blog, Shop, Shop API and 2 more has started. ${more}`,
      facts: [
        { label: 'From', value: '2026-11-21 10:00:00 UTC' },
        { label: 'Until', value: '2026-11-21 12:00:00 UTC' },
      ],
      link: { label: 'Open the maintenance', url: 'https://perigee.example/maintenance' },
      acknowledge: null,
    }))

  it('say what is over, and when it ended', () => {
    const { tone, headline, lead, facts } = wordingOf(maintenanceAlertOf('maintenance.ended'), context)
    assert.deepEqual(
      { tone, headline, lead, until: facts.at(-1)?.value },
      {
        tone: 'plain',
        headline: 'Maintenance ended: Database upgrade',
        lead: 'Maintenance of Blog, Shop, Shop API and 2 more has ended.',
        until: '2026-11-21 10:04:00 UTC',
      },
    )
  })

  for (const [names, total, listed] of [
    [['Shop'], 1, 'Shop'],
    [['Blog', 'Shop'], 2, 'Blog and Shop'],
    [['Blog', 'Shop', 'Wiki'], 3, 'Blog, Shop and Wiki'],
    [['Blog', 'Shop', 'Web', 'Wiki'], 4, 'Blog, Shop, Web and 1 more'],
    [['Blog', 'Shop', 'Wiki'], 1000, 'Blog, Shop, Wiki and 997 more'],
  ] as const)
    it(`name ${listed}`, () => {
      const alert = maintenanceAlertOf('maintenance.ended')
      const maintenance = { ...alert.data.maintenance, monitors: { total, names: [...names] } }
      const { lead } = wordingOf({ ...alert, data: { ...alert.data, maintenance } }, context)
      assert.equal(lead, `Maintenance of ${listed} has ended.`)
    })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StatusAlert } from '#core/contacts/alerting.ts'
import { statusAlertOf } from '../../../test/support/alerts.ts'
import { wordingOf } from './wording.ts'

const told: [type: StatusAlert['type'], headline: string, lead: string][] = [
  ['monitor.down', 'Incident: Orders arrive twice', 'An incident was reported: Orders arrive twice'],
  [
    'monitor.reminder',
    'Ongoing: Orders arrive twice (for 4 min)',
    'The incident has been ongoing for 4 min: Orders arrive twice',
  ],
  [
    'monitor.up',
    'Resolved: Orders arrive twice (after 4 min)',
    'The incident was resolved after 4 min: Orders arrive twice',
  ],
]

describe('the words of an incident that was made by hand', () => {
  for (const [type, headline, lead] of told)
    it(`tell ${type} without saying that a monitor is down`, () => {
      const { data, ...rest } = statusAlertOf(type)
      const incident = { ...data.incident, title: 'Orders arrive twice', by_hand: true } as const
      const wording = wordingOf(
        { ...rest, data: { ...data, incident, result: null } },
        { publicUrl: 'https://p.example' },
      )
      assert.deepEqual([wording.headline, wording.lead], [headline, lead])
      const isOver = type === 'monitor.up'
      assert.equal(wording.tone, isOver ? 'good' : 'bad')
      assert.deepEqual(wording.facts, [
        { label: 'Monitor', value: 'Shop API' },
        { label: 'Cause', value: 'The server answered 503.' },
        { label: isOver ? 'From' : 'Since', value: '2026-11-21 10:00:00 UTC' },
        ...(isOver ? [{ label: 'Until', value: '2026-11-21 10:04:00 UTC' }] : []),
        { label: 'Address', value: 'https://shop.example/health' },
      ])
    })
})

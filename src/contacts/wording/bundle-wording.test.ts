import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BundleAlert } from '#core/contacts/alerting.ts'
import {
  alertOf,
  bundleOf,
  degradedAlertOf,
  maintenanceAlertOf,
  sloAlertOf,
  statusAlertOf,
} from '../../../test/support/alerts.ts'
import { fitBundle } from './fit-bytes.ts'
import { wordingOf } from './wording.ts'

const context = { publicUrl: 'https://perigee.example' }
const down = (name: string) => statusAlertOf('monitor.down', { name })
const up = (name: string) => statusAlertOf('monitor.up', { name })

const rows: readonly (readonly [BundleAlert, tone: string, headline: string, lead: string])[] = [
  [bundleOf([down('Shop'), down('Blog')]), 'bad', '2 monitors down: Shop and Blog', '2 monitors are down.'],
  [
    bundleOf([down('Shop'), down('Blog'), down('API')], { total: 42, down: 42 }),
    'bad',
    '42 monitors down: Shop, Blog and 40 more',
    '42 monitors are down.',
  ],
  [
    bundleOf([down('Shop')], { total: 42, down: 42 }),
    'bad',
    '42 monitors down: Shop and 41 more',
    '42 monitors are down.',
  ],
  [
    bundleOf([up('Shop'), up('Blog'), up('API')]),
    'good',
    '3 monitors up again: Shop, Blog and 1 more',
    '3 monitors are up again.',
  ],
  [
    bundleOf([down('Shop'), up('Blog')]),
    'bad',
    '1 down, 1 up again: Shop and Blog',
    '1 monitor is down and 1 is up again.',
  ],
  [
    bundleOf([statusAlertOf('monitor.reminder', { name: 'Shop' }), degradedAlertOf('monitor.degraded'), up('Blog')]),
    'bad',
    '1 down, 1 up again, 1 other alert: Shop, Shop API and 1 more',
    '1 monitor is down, 1 is up again and there is 1 other alert.',
  ],
  [
    bundleOf([down('Shop'), sloAlertOf('slo.burning', { name: 'Checkout' })]),
    'bad',
    '1 down, 1 other alert: Shop and Checkout',
    '1 monitor is down and there is 1 other alert.',
  ],
  [
    bundleOf([degradedAlertOf('monitor.degraded', { name: 'Shop' }), up('Blog')]),
    'warning',
    '1 up again, 1 other alert: Shop and Blog',
    '1 monitor is up again and there is 1 other alert.',
  ],
  [
    bundleOf([down('Shop'), maintenanceAlertOf('maintenance.ended', { name: 'Disks' })]),
    'bad',
    '1 down, 1 other alert: Shop and Disks',
    '1 monitor is down and there is 1 other alert.',
  ],
  [
    bundleOf([alertOf('certificate.expiring'), alertOf('vulnerability.found')]),
    'warning',
    '2 alerts: Shop API and Shop API',
    '2 alerts arrived shortly after one another.',
  ],
]

describe('the words of a bundle', () => {
  for (const [alert, tone, headline, lead] of rows)
    it(`are “${headline}”`, () => {
      const wording = wordingOf(alert, context)
      assert.deepEqual([wording.tone, wording.headline, wording.lead], [tone, headline, lead])
      assert.deepEqual(wording.link, { label: 'Open the incidents', url: 'https://perigee.example/incidents' })
      assert.equal(wording.acknowledge, null)
    })

  it('name each monitor with what happened, and count the others', () => {
    const reminder = statusAlertOf('monitor.reminder', { name: 'API' })
    const alerts = [down('Shop'), reminder, degradedAlertOf('monitor.degraded', { name: 'CDN' }), up('Blog')]
    assert.deepEqual(wordingOf(bundleOf(alerts, { total: 9, down: 7 }), context).facts, [
      { label: 'Shop', value: 'Down. The server answered 503.' },
      { label: 'API', value: 'Still down, for 4 min. The server answered 503.' },
      { label: 'CDN', value: 'CDN is up, but degraded.' },
      { label: 'Blog', value: 'Up again, after 4 min.' },
      { label: 'And', value: '5 more' },
    ])
  })

  it('count a single other one too', () =>
    assert.deepEqual(wordingOf(bundleOf([down('Shop'), down('Blog')], { total: 3, down: 3 }), context).facts.slice(2), [
      { label: 'And', value: '1 more' },
    ]))

  it('are those of the alert where there is only one', () => {
    const alert = up('Shop')
    assert.deepEqual(wordingOf(bundleOf([alert]), context), wordingOf(alert, context))
  })

  it('have no link that acknowledges and none of the words of templates', () => {
    const given = { ...context, acknowledgeUrl: 'https://perigee.example/x', words: { title: 'Mine', body: 'Mine' } }
    const alert = bundleOf([down('Shop'), down('Blog')])
    assert.deepEqual(wordingOf(alert, given), wordingOf(alert, context))
  })

  it('name fewer where there is less room', () => {
    const names = Array.from({ length: 50 }, (_, index) => `Shop ${index}`)
    const wording = wordingOf(bundleOf(names.map(down), { total: 500, down: 500 }), context)
    assert.equal(wording.facts.length, 51)
    const lengthOf = ({ facts }: typeof wording): number => JSON.stringify(facts).length
    for (const [room, shown, rest] of [
      [10_000, 50, 450],
      [1000, 15, 485],
      [100, 1, 499],
      [1, 1, 499],
    ] as const) {
      const { facts } = fitBundle(wording, (cut) => lengthOf(cut) <= room)
      assert.equal(facts.length, shown + 1)
      assert.deepEqual(facts.at(-1), { label: 'And', value: `${rest} more` })
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertOf, findingAlertOf, findingOf, maintenanceAlertOf, statusAlertOf } from '../../../test/support/alerts.ts'
import { toPublicAlert } from './public-alert.ts'

describe('toPublicAlert', () => {
  it('shows the address without its secrets and everything else as it is', () => {
    const alert = alertOf('monitor.down')
    const shown = toPublicAlert(alert)
    assert.equal(shown.data.monitor?.url, 'https://shop.example/health')
    assert.deepEqual({ ...shown.data, monitor: null }, { ...alert.data, monitor: null })
  })

  it('names monitors that depend on the one that is down, shortened', () => {
    const alert = statusAlertOf('monitor.down')
    const names = ['Shop\nAPI', 'x'.repeat(200)]
    const shown = toPublicAlert({ ...alert, data: { ...alert.data, children: { total: 12, names } } })
    assert.ok('children' in shown.data)
    assert.deepEqual(shown.data.children, { total: 12, names: ['Shop API', `${'x'.repeat(49)}…`] })
    assert.equal('children' in toPublicAlert(alert).data, false)
  })

  it('names a maintenance and its monitors, shortened', () => {
    const alert = maintenanceAlertOf('maintenance.started', { name: 'Disks\nof the shop' })
    const { maintenance } = alert.data
    const monitors = { total: 30, names: ['Shop\nAPI', 'x'.repeat(200)] }
    const shown = toPublicAlert({ ...alert, data: { ...alert.data, maintenance: { ...maintenance, monitors } } })
    assert.deepEqual(shown.data, {
      ...alert.data,
      maintenance: {
        ...maintenance,
        name: 'Disks of the shop',
        monitors: { total: 30, names: ['Shop API', `${'x'.repeat(49)}…`] },
      },
    })
  })

  it('shortens what is known of a finding, and leaves unknown what is not', () => {
    const long = 'x'.repeat(1000)
    const told = ['version', 'summary', 'fixed_in', 'fix_version', 'marked_fixed_version'] as const
    const shownOf = (text: string | null) => {
      const of = Object.fromEntries(told.map((field) => [field, text]))
      const { data } = toPublicAlert(findingAlertOf([findingOf(of)]))
      assert.ok('findings' in data)
      return told.map((field) => data.findings[0]?.[field])
    }
    assert.deepEqual(
      shownOf(null),
      told.map(() => null),
    )
    for (const text of shownOf(long)) assert.match(text ?? '', /^x+…$/)
  })

  it('names a comparison with what was compared, and neither alone', () => {
    const alert = findingAlertOf([findingOf()])
    const comparison = '4a3e7d1c-5c02-4f25-9a0b-7f4f6c3f0d45'
    const shownOf = (more: object) => Object.keys(toPublicAlert({ ...alert, data: { ...alert.data, ...more } }).data)
    const plain = shownOf({})
    assert.deepEqual(shownOf({ comparison, compared: 3 }), [...plain, 'comparison', 'compared'])
    assert.deepEqual(shownOf({ comparison }), plain)
    assert.deepEqual(shownOf({ compared: 3 }), plain)
  })
})

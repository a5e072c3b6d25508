import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertOf, maintenanceAlertOf, statusAlertOf } from '../../../test/support/alerts.ts'
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
})

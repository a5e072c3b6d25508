import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  alertOf,
  bundleOf,
  findingAlertOf,
  findingOf,
  maintenanceAlertOf,
  statusAlertOf,
} from '../../../test/support/alerts.ts'
import type { Alert, AlertMonitor, AlertIncident, AlertResult, SingleAlert, StatusAlert } from './alerting.ts'
import { toPublicAlert, withMonitor } from './public-alert.ts'

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

const sizeOf = (alert: Alert): number => Buffer.byteLength(JSON.stringify(alert))

/** An outage of a monitor with a runbook whose address makes the alert so long. */
function downOf(bytes: number, more: Partial<AlertMonitor> = {}, names: string[] = []): SingleAlert {
  const runbookOf = (length: number): StatusAlert => {
    const { type, timestamp, data } = statusAlertOf('monitor.down')
    const runbook_url = `https://${'x'.repeat(length)}`
    const children = { total: names.length, names }
    return { type, timestamp, data: { ...data, monitor: { ...data.monitor, ...more, runbook_url }, children } }
  }
  return runbookOf(bytes - sizeOf(toPublicAlert(runbookOf(0))))
}

const keptOf = (alert: Alert): string[] =>
  ['notes', 'runbook_url'].filter((member) => member in (toPublicAlert(alert).data.monitor ?? {}))

describe('the body of an alert', () => {
  it('has the notes and the runbook as long as it stays within 19,500 bytes', () => {
    assert.deepEqual(keptOf(downOf(19_500, { notes: 'Ask Ann.' })), ['notes', 'runbook_url'])
    assert.deepEqual(keptOf(downOf(19_501, { notes: 'Ask Ann.' })), ['runbook_url'])
    assert.deepEqual(keptOf(downOf(19_501)), [])
    assert.deepEqual(keptOf(downOf(25_000, { notes: 'Ask Ann.' })), [])
  })

  it('has no notes alone beyond that', () => {
    const { type, timestamp, data } = statusAlertOf('monitor.down')
    const names = Array.from({ length: 400 }, () => 'x'.repeat(50))
    const children = { total: names.length, names }
    const monitor = { ...data.monitor, notes: 'Ask Ann.' }
    assert.deepEqual(keptOf({ type, timestamp, data: { ...data, monitor, children } }), [])
    assert.deepEqual(keptOf({ type, timestamp, data: { ...data, monitor } }), ['notes'])
  })

  it('has its texts in single lines, and nothing where there is none', () => {
    const { type, timestamp, data } = statusAlertOf('monitor.down')
    const { incident, result } = data
    const shownOf = (told: { incident: AlertIncident; result: AlertResult | null }): unknown[] => {
      const shown = toPublicAlert({ type, timestamp, data: { ...data, ...told } }).data
      return [shown.incident?.cause, shown.result?.error]
    }
    const text = 'one\ntwo'
    const told = { incident: { ...incident, cause: text }, result: { ...result, error: text } }
    assert.deepEqual(shownOf(told), ['one two', 'one two'])
    assert.deepEqual(shownOf({ incident: { ...incident, cause: null }, result: null }), [null, undefined])
  })

  it('has the issuer of a certificate in a single line', () => {
    const alert = alertOf('certificate.expiring')
    assert.ok(alert.type === 'certificate.expiring')
    const told = toPublicAlert({ ...alert, data: { ...alert.data, cert_issuer: 'one\ntwo' } })
    assert.ok('cert_issuer' in told.data)
    assert.equal(told.data.cert_issuer, 'one two')
  })

  it('of no monitor stays of none', () => {
    const alert = alertOf('test')
    const { monitor } = statusAlertOf('monitor.down').data
    assert.equal(withMonitor(alert, monitor).data.monitor, null)
    assert.deepEqual(withMonitor(alertOf('monitor.up'), monitor).data.monitor, monitor)
  })
})

const bundledOf = (...sizes: number[]): number[] => {
  const shown = toPublicAlert(bundleOf(sizes.map((size) => downOf(size))))
  assert.ok('alerts' in shown.data)
  return shown.data.alerts.map(sizeOf)
}

describe('a bundle', () => {
  it('has the alerts that fit into 19,000 bytes with their commas', () => {
    assert.deepEqual(bundledOf(9_999, 8_999), [9_999, 8_999])
    assert.deepEqual(bundledOf(9_999, 9_000, 2_000), [9_999, 2_000])
  })
})

const shownOf = (...findings: ReturnType<typeof findingOf>[]): ReturnType<typeof findingOf>[] => {
  const { data } = toPublicAlert(findingAlertOf(findings))
  assert.ok('findings' in data)
  return [...data.findings]
}

const urlOf = (length: number): string => `https://${'x'.repeat(length - 8)}`

describe('findings', () => {
  const [plain = assert.fail()] = shownOf(findingOf({ summary: '' }))
  const plainBytes = Buffer.byteLength(JSON.stringify(plain))

  it('are those that fit into 13,500 bytes', () => {
    const count = Math.ceil(13_500 / (plainBytes + 200))
    const left = 13_500 - count * plainBytes
    const lengths = Array.from({ length: count }, (_, index) => Math.floor((left + index) / count))
    const fitting = lengths.map((length) => findingOf({ summary: 'x'.repeat(length) }))
    assert.equal(shownOf(...fitting, findingOf()).length, count)
    const [first = 0, ...others] = lengths
    const tooLong = [first + 1, ...others].map((length) => findingOf({ summary: 'x'.repeat(length) }))
    assert.equal(shownOf(...tooLong).length, count - 1)
  })

  it('have five other names, and an address where it is short enough', () => {
    const aliases = ['a', 'b', 'c', 'd', 'e', 'f']
    assert.deepEqual(shownOf(findingOf({ aliases }))[0]?.aliases, ['a', 'b', 'c', 'd', 'e'])
    assert.deepEqual(
      [null, urlOf(200), urlOf(201)].map((url) => shownOf(findingOf({ url }))[0]?.url),
      [null, urlOf(200), null],
    )
  })
})

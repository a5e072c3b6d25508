import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings } from '#core/imports/findings.ts'
import { gatusAlerting } from './gatus-alerts.ts'
import type { GatusProvider } from './gatus-contacts.ts'
import type { GatusAlert } from './gatus-rows.ts'

const providers = new Map<string, GatusProvider>([
  ['slack', { keys: ['slack'], defaults: {} }],
  ['email', { keys: ['ada', 'bob', 'slack'], defaults: { 'failure-threshold': '5', 'send-on-resolved': 'true' } }],
  ['quiet', { keys: ['quiet'], defaults: { enabled: 'false' } }],
])

function alert(type: string, changed: Partial<GatusAlert> = {}): GatusAlert {
  return {
    type,
    enabled: null,
    'failure-threshold': null,
    'success-threshold': null,
    'send-on-resolved': null,
    'minimum-reminder-interval': null,
    description: null,
    ...changed,
  }
}

function alerting(...alerts: GatusAlert[]) {
  const findings = createFindings()
  const made = gatusAlerting(alerts, providers, { place: 'a', findings })
  return { made, notes: findings.file().notes.map(({ effect, place }) => `${effect} ${place}`) }
}

const noRecoveries = { events: ['down', 'degraded', 'expiry'] }
const told = { 'send-on-resolved': 'true' }

describe('alerts of Gatus', () => {
  it('are those of contacts, each of them once, with what Gatus uses by itself', () => {
    assert.deepEqual(alerting(), { made: { contacts: [] }, notes: [] })
    assert.deepEqual(alerting(alert('slack')), {
      made: { contacts: ['slack'], failure_threshold: 3, recovery_threshold: 2, alert_rules: noRecoveries },
      notes: [],
    })
    assert.deepEqual(alerting(alert('slack', told), alert('email', { 'failure-threshold': '3' })).made, {
      contacts: ['slack', 'ada', 'bob'],
      failure_threshold: 3,
      recovery_threshold: 2,
    })
  })

  it('of a type without settings are lost, and those that are off are none', () => {
    assert.deepEqual(alerting(alert('slack', { enabled: 'false' }), alert('pager')), {
      made: { contacts: [] },
      notes: ['lost a.alerts[1]'],
    })
    assert.deepEqual(alerting(alert('quiet')).made.contacts, [])
    assert.deepEqual(alerting(alert('quiet', { enabled: 'true' })).made.contacts, ['quiet'])
  })

  it('lose what they say of their provider', () => {
    assert.deepEqual(alerting(alert('slack', { 'provider-override': {} })).notes, [
      'lost a.alerts[0].provider-override',
    ])
    for (const override of [null, undefined])
      assert.deepEqual(alerting(alert('slack', { 'provider-override': override })).notes, [])
  })

  const thresholds: [what: string, one: Partial<GatusAlert>, failures: number, recoveries: number, notes: string[]][] =
    [
      ['of one failure and one success', { 'failure-threshold': '1', 'success-threshold': '1' }, 1, 1, []],
      ['of ten each', { 'failure-threshold': '10', 'success-threshold': '10' }, 10, 10, []],
      ['of eleven each', { 'failure-threshold': '11', 'success-threshold': '11' }, 10, 10, ['changed a.alerts']],
      ['of 99,999', { 'failure-threshold': '99999', 'success-threshold': '99999' }, 10, 10, ['changed a.alerts']],
      ['that are no counts', { 'failure-threshold': '0', 'success-threshold': '100000' }, 3, 2, []],
    ]
  for (const [what, one, failures, recoveries, notes] of thresholds)
    it(`have thresholds ${what}`, () => {
      const { made, notes: found } = alerting(alert('slack', one))
      assert.deepEqual([made.failure_threshold, made.recovery_threshold, found], [failures, recoveries, notes])
    })

  it('have the lowest of different thresholds, which is told', () => {
    assert.equal(alerting(alert('email')).made.failure_threshold, 5)
    const failures = alerting(alert('email'), alert('email', { 'failure-threshold': '4' }))
    assert.deepEqual([failures.made.failure_threshold, failures.notes], [4, ['changed a.alerts']])
    const successes = alerting(alert('slack', { 'success-threshold': '7' }), alert('slack'))
    assert.deepEqual([successes.made.recovery_threshold, successes.notes], [2, ['changed a.alerts']])
    assert.deepEqual(alerting(alert('slack'), alert('slack')).notes, [])
  })

  it('tell of recoveries where one of them does, which is told where others do not', () => {
    const some = alerting(alert('slack', told), alert('slack'))
    assert.deepEqual([some.made.alert_rules, some.notes], [undefined, ['changed a.alerts']])
    const all = alerting(alert('slack', told), alert('slack', told))
    assert.deepEqual([all.made.alert_rules, all.notes], [undefined, []])
    const none = alerting(alert('slack'), alert('slack', { 'send-on-resolved': 'false' }))
    assert.deepEqual([none.made.alert_rules, none.notes], [noRecoveries, []])
  })

  const changed = ['changed a.alerts']
  const reminders: [every: string | null, minutes: number | null, notes: string[]][] = [
    [null, null, []],
    ['0', null, []],
    ['soon', null, []],
    ['1m', 5, changed],
    ['5m', 5, []],
    ['329s', 5, changed],
    ['330s', 6, changed],
    ['30m', 30, []],
    ['24h', 1440, []],
    ['25h', 1440, changed],
  ]
  for (const [every, minutes, notes] of reminders)
    it(`are repeated every ${minutes} minutes where they say ${every}`, () => {
      const found = alerting(alert('slack', { ...told, 'minimum-reminder-interval': every }))
      const rules = minutes === null ? undefined : { remind_every_minutes: minutes }
      assert.deepEqual([found.made.alert_rules, found.notes], [rules, notes])
    })

  it('are repeated as the first of them says that says anything', () => {
    const [one, other] = ['10m', '20m'].map((every) => alert('slack', { 'minimum-reminder-interval': every }))
    assert.ok(one !== undefined && other !== undefined)
    const rules = { ...noRecoveries, remind_every_minutes: 10 }
    assert.deepEqual(alerting(alert('slack'), one, other).made.alert_rules, rules)
  })
})

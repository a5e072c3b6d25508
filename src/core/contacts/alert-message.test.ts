import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type AlertMessage, alertMessageSchema } from './alert-message.ts'
import { type Alert, alertTypes, testAlert } from './alerting.ts'
import { exampleAlert } from './example-alert.ts'

const now = new Date('2026-11-21T10:00:00.412Z')

describe('the schema of alerts', () => {
  it('has every type that the service sends', () => {
    const types = alertMessageSchema.options.flatMap(({ shape }) => shape.type.options)
    assert.deepEqual(types.toSorted(), [...alertTypes, 'alerts.bundle'].toSorted())
  })

  it('takes what the service sends, as its types say', () => {
    for (const type of ['monitor.down', 'monitor.up', 'monitor.reminder'] as const)
      alertMessageSchema.parse(asMessage(exampleAlert(type, now)))
    const alerts = [exampleAlert('monitor.down', now), testAlert(now)]
    const data = { monitor: null, incident: null, result: null, total: 2, down: 1, up: 0, alerts }
    alertMessageSchema.parse(asMessage({ type: 'alerts.bundle', timestamp: now.toISOString(), data }))
  })

  it('says of an incident that a person created it, or nothing', () => {
    const alert = asMessage(exampleAlert('monitor.down', now))
    const byHand = (by_hand: boolean): unknown => ({
      ...alert,
      data: { ...alert.data, incident: { ...alert.data.incident, by_hand } },
    })
    assert.equal(alertMessageSchema.safeParse(byHand(true)).success, true)
    assert.equal(alertMessageSchema.safeParse(byHand(false)).success, false)
  })

  it('takes every alert that the documentation shows', () => {
    const page = readFileSync(new URL('../../../docs/alerts.md', import.meta.url), 'utf8')
    const shown = [...page.matchAll(/^```json\n(\{\n {2}"type": [\s\S]+?)^```$/gm)].map(([, text = '']) => text)
    assert.ok(shown.length >= 8)
    for (const text of shown) alertMessageSchema.parse(JSON.parse(text))
  })

  it('refuses members that it does not describe', () => {
    const alert = testAlert(now)
    assert.equal(alertMessageSchema.safeParse({ ...alert, data: { ...alert.data, more: 1 } }).success, false)
  })
})

/** Compiles only where the schema and the types of the service agree. */
function asMessage(alert: Alert): AlertMessage {
  return alert
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deliveryEvent } from './delivery-events.ts'

describe('deliveryEvent', () => {
  const contact = { id: '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11', name: 'Ops\nteam', kind: 'slack' }

  it('says that an alert was sent', () =>
    assert.deepEqual(deliveryEvent(contact, { attempt: 2, error: null }), {
      type: 'alert_sent',
      message: 'Alert sent to Ops team (slack).',
      details: { alert_channel_id: contact.id, attempt: 2 },
    }))

  for (const [others, expected] of [
    [1, 'Alert sent to Ops team (slack) together with 1 other alert.'],
    [2, 'Alert sent to Ops team (slack) together with 2 other alerts.'],
  ] as const)
    it(`reads: ${expected}`, () =>
      assert.equal(deliveryEvent(contact, { attempt: 1, error: null, others }).message, expected))

  it('says why an alert failed', () =>
    assert.deepEqual(deliveryEvent(contact, { attempt: 7, error: 'The contact answered 500.' }), {
      type: 'alert_failed',
      message: 'Alert to Ops team (slack) failed: The contact answered 500.',
      details: { alert_channel_id: contact.id, attempt: 7, error: 'The contact answered 500.' },
    }))
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { alertOf, statusAlertOf } from '../../../test/support/alerts.ts'
import { oneLine, toPublicAlert, toPublicUrl } from './alerting.ts'
import { deliveryEvent } from './delivery-events.ts'

describe('toPublicUrl', () => {
  const cases = [
    ['https://shop.example/health', 'https://shop.example/health'],
    ['https://shop.example/health?token=1', 'https://shop.example/health'],
    ['https://shop.example/#token', 'https://shop.example/'],
    ['https://user:secret@shop.example/a@b', 'https://shop.example/a@b'],
    ['https://user:se@cret@shop.example/', 'https://shop.example/'],
    ['HTTPS://user@shop.example', 'HTTPS://shop.example'],
    ['user:secret@shop.example:25', 'shop.example:25'],
    ['https://user:secret@shop.example\\path', 'https://shop.example\\path'],
    ['shop.example:5432', 'shop.example:5432'],
    ['2001:db8::1', '2001:db8::1'],
    ['', ''],
  ] as const
  for (const [url, shown] of cases) it(`shows ${url} as "${shown}"`, () => assert.equal(toPublicUrl(url), shown))

  it('never shows a user, a password, a query or a fragment of a URL', () =>
    fc.assert(
      fc.property(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        fc.stringMatching(/^[\w:!$]+$/),
        (url, user) => {
          const parsed = new URL(toPublicUrl(url.replace('://', `://${user}@`)))
          assert.deepEqual([parsed.username, parsed.password, parsed.search, parsed.hash], ['', '', '', ''])
          assert.equal(parsed.host, new URL(url).host)
        },
      ),
    ))
})

describe('oneLine', () => {
  it('has no control characters, whatever it is given, and at most 1,000 characters', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const line = oneLine(text)
        assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}]/u)
        assert.ok(line.length <= 1000 && line.isWellFormed())
      }),
    ))

  it('puts a space where a line broke', () =>
    assert.equal(oneLine('Shop\r\nBcc: all@example.com'), 'Shop Bcc: all@example.com'))

  it('does not let a text turn the direction of writing', () => assert.equal(oneLine('a\u202eb'), 'a b'))
})

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
})

describe('deliveryEvent', () => {
  const contact = { id: '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11', name: 'Ops\nteam', kind: 'slack' }

  it('says that an alert was sent', () =>
    assert.deepEqual(deliveryEvent(contact, { attempt: 2, error: null }), {
      type: 'alert_sent',
      message: 'Alert sent to Ops team (slack).',
      details: { alert_channel_id: contact.id, attempt: 2 },
    }))

  it('says why an alert failed', () =>
    assert.deepEqual(deliveryEvent(contact, { attempt: 7, error: 'The contact answered 500.' }), {
      type: 'alert_failed',
      message: 'Alert to Ops team (slack) failed: The contact answered 500.',
      details: { alert_channel_id: contact.id, attempt: 7, error: 'The contact answered 500.' },
    }))
})

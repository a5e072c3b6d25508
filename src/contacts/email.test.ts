import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AlertType } from '#core/contacts/alerting.ts'
import { alertOf } from '../../test/support/alerts.ts'
import { emailMessage } from './email.ts'

const context = {
  deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
  sentAt: new Date(),
  destination: 'ops@example.com',
  signingSecrets: [],
  publicUrl: 'https://perigee.example',
  unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
}

describe('the thread of a mail', () => {
  const incident = '<incident-6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22@perigee.example>'
  const episode = '<episode-9f2d6c1e-1b7a-4c0d-8d55-2f1f7d8b9a33@perigee.example>'
  const threads: [type: AlertType, thread: string | undefined][] = [
    ['monitor.down', incident],
    ['monitor.reminder', incident],
    ['monitor.up', incident],
    ['monitor.slow', episode],
    ['monitor.slow_ended', episode],
    ['certificate.expiring', undefined],
    ['test', undefined],
  ]
  for (const [type, thread] of threads)
    it(`of ${type} is ${thread ?? 'none'}`, () =>
      assert.equal(emailMessage(alertOf(type), context).headers['References'], thread))
})

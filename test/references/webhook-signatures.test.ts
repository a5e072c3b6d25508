import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { signingSecretOf, webhookMessage } from '#contacts/webhook.ts'
import { alertOf } from '../support/alerts.ts'
import { verifySigned } from '../support/signed-message.ts'

describe('the signature of a webhook', () => {
  const secrets = [signingSecretOf(randomBytes(32)), signingSecretOf(randomBytes(32))]
  const message = webhookMessage(alertOf('monitor.down'), {
    deliveryId: '7d3f2a10-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
    sentAt: new Date(),
    destination: 'https://alerts.example/in?key=1',
    signingSecrets: secrets,
    publicUrl: 'https://perigee.example',
    unsubscribeUrl: 'https://perigee.example/contacts/unsubscribe/c/s',
  })

  for (const [index, secret] of secrets.entries())
    it(`is verified by the public library with key ${index + 1} of 2 while a secret is replaced`, () => {
      const verified = new Webhook(secret).verify(message.body, message.headers)
      assert.deepEqual(verified, JSON.parse(message.body))
    })

  it('is refused with another key, another id, another time and another body', () => {
    const { body, headers } = message
    const verifier = new Webhook(secrets[0] ?? '')
    assert.throws(() => new Webhook(signingSecretOf(randomBytes(32))).verify(body, headers))
    assert.throws(() => verifier.verify(body, { ...headers, 'webhook-id': 'other' }))
    assert.throws(() =>
      verifier.verify(body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }),
    )
    assert.throws(() => verifier.verify(body.replace('down', 'up'), headers))
  })

  it('is judged by our other tests as by the public library', () => {
    for (const secret of [...secrets, signingSecretOf(randomBytes(32))])
      assert.equal(
        isTaken(() => verifySigned(secret, message)),
        isTaken(() => new Webhook(secret).verify(message.body, message.headers)),
      )
  })
})

function isTaken(verify: () => unknown): boolean {
  try {
    verify()
    return true
  } catch {
    return false
  }
}

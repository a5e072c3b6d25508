import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createSecrets } from '#store/database/secrets.ts'
import { confirmationUrl, isUnsubscribeLink, readConfirmationToken, unsubscribeUrl } from './links.ts'

const secrets = createSecrets(randomBytes(32))
const others = createSecrets(randomBytes(32))
const contactId = '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'
const token = confirmationUrl('https://perigee.example', contactId, secrets).split('/').at(-1) ?? ''
const signature = unsubscribeUrl('https://perigee.example', contactId, secrets).split('/').at(-1) ?? ''

describe('links of contacts', () => {
  it('lead to the contact they were made for', () => {
    assert.equal(readConfirmationToken(token, secrets), contactId)
    assert.ok(isUnsubscribeLink({ contactId, signature }, secrets))
  })

  it('are worth nothing for another contact, another purpose or another key', () => {
    const another = contactId.replace('0b0e', '0b0f')
    assert.equal(readConfirmationToken(token.replace('0b0e', '0b0f'), secrets), null)
    assert.equal(readConfirmationToken(`${contactId}.${signature}`, secrets), null)
    assert.equal(readConfirmationToken(token, others), null)
    assert.ok(!isUnsubscribeLink({ contactId: another, signature }, secrets))
    assert.ok(!isUnsubscribeLink({ contactId, signature: token.split('.')[1] ?? '' }, secrets))
    assert.ok(!isUnsubscribeLink({ contactId, signature }, others))
  })

  it('are not found by guessing', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(readConfirmationToken(text, secrets), null)
        assert.equal(readConfirmationToken(`${contactId}.${text}`, secrets), null)
        assert.ok(!isUnsubscribeLink({ contactId: text, signature: text }, secrets))
      }),
    ))
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createSecrets } from '#store/database/secrets.ts'
import { confirmationUrl, linkIdOf, readConfirmationToken, readUnsubscribeLink, unsubscribeUrl } from './links.ts'

const secrets = createSecrets(randomBytes(32))
const others = createSecrets(randomBytes(32))
const contactId = '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11'
const token = confirmationUrl('https://perigee.example', contactId, secrets).split('/').at(-1) ?? ''
const signature = unsubscribeUrl('https://perigee.example', contactId, secrets).split('/').at(-1) ?? ''

describe('links of contacts', () => {
  it('lead to the contact they were made for', () => {
    const first = { id: contactId, addressNumber: 0 }
    assert.deepEqual(readConfirmationToken(token, secrets), first)
    assert.deepEqual(readUnsubscribeLink({ contactId, signature }, secrets), first)
  })

  it('name a contact alone at its first address, and with the number at each other one', () => {
    const idOf = (addressNumber: number): string => linkIdOf({ id: contactId, addressNumber })
    assert.deepEqual([idOf(0), idOf(1), idOf(12)], [contactId, `${contactId}~1`, `${contactId}~12`])
  })

  it('say at which of its addresses', () => {
    const addressee = { id: contactId, addressNumber: 12 }
    const named = linkIdOf(addressee)
    const confirming = confirmationUrl('https://perigee.example', named, secrets).split('/').at(-1) ?? ''
    assert.deepEqual(readConfirmationToken(confirming, secrets), addressee)
    const ending = new URL(unsubscribeUrl('https://perigee.example', named, secrets)).pathname.split('/')
    const link = { contactId: ending[3] ?? '', signature: ending[4] ?? '' }
    assert.deepEqual(readUnsubscribeLink(link, secrets), addressee)
    for (const other of [contactId, `${contactId}~1`, `${contactId}~012`]) {
      assert.equal(readConfirmationToken(confirming.replace(named, other), secrets), null)
      assert.equal(readUnsubscribeLink({ ...link, contactId: other }, secrets), null)
    }
  })

  it('are worth nothing for another contact, another purpose or another key', () => {
    const another = contactId.replace('0b0e', '0b0f')
    assert.equal(readConfirmationToken(token.replace('0b0e', '0b0f'), secrets), null)
    assert.equal(readConfirmationToken(`${contactId}.${signature}`, secrets), null)
    assert.equal(readConfirmationToken(token, others), null)
    assert.equal(readUnsubscribeLink({ contactId: another, signature }, secrets), null)
    assert.equal(readUnsubscribeLink({ contactId, signature: token.split('.')[1] ?? '' }, secrets), null)
    assert.equal(readUnsubscribeLink({ contactId, signature }, others), null)
  })

  it('are not found by guessing', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(readConfirmationToken(text, secrets), null)
        assert.equal(readConfirmationToken(`${contactId}.${text}`, secrets), null)
        assert.equal(readUnsubscribeLink({ contactId: text, signature: text }, secrets), null)
      }),
    ))
})

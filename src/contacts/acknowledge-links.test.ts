import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createSecrets } from '#store/database/secrets.ts'
import { acknowledgeUrl, formTokenOf, isFormToken, readAcknowledgeToken } from './acknowledge-links.ts'
import { confirmationUrl } from './links.ts'

const secrets = createSecrets(randomBytes(32))
const others = createSecrets(randomBytes(32))
const incidentId = '6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22'
const contact = { id: '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11', addressNumber: 2 }
const alertAt = new Date('2026-11-21T10:04:00.123Z')
const url = acknowledgeUrl('https://perigee.example', { incidentId, contact, alertAt }, secrets)
const token = url.split('/').at(-1) ?? ''

describe('a link that acknowledges', () => {
  it('names incident, contact and the number of its address, and ends after seven days', () => {
    const endsAt = new Date('2026-11-28T10:04:00.123Z')
    assert.deepEqual(readAcknowledgeToken(token, secrets), { incidentId, contact, endsAt })
    assert.match(url, /^https:\/\/perigee\.example\/incidents\/acknowledge\/[\w-]{78}$/)
  })

  it('says whatever it was made of', () =>
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.record({ id: fc.uuid(), addressNumber: fc.nat() }, { noNullPrototype: true }),
        fc.date({ min: new Date(0), max: new Date('4000-01-01'), noInvalidDate: true }),
        (incident, addressee, at) => {
          const made = acknowledgeUrl('', { incidentId: incident, contact: addressee, alertAt: at }, secrets)
          const read = readAcknowledgeToken(made.split('/').at(-1) ?? '', secrets)
          const endsAt = new Date(at.getTime() + 7 * 86_400_000)
          assert.deepEqual(read, { incidentId: incident, contact: addressee, endsAt })
        },
      ),
    ))

  it('is worth nothing once any of its characters is another one', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let place = 0; place < token.length; place += 1)
      for (const character of alphabet)
        if (character !== token[place]) {
          const changed = token.slice(0, place) + character + token.slice(place + 1)
          assert.equal(readAcknowledgeToken(changed, secrets), null, changed)
        }
  })

  it('is not found by guessing, cutting or adding, nor with another key or purpose', () => {
    assert.equal(readAcknowledgeToken(token, others), null)
    const confirming = confirmationUrl('', contact.id, secrets).split('.').at(-1) ?? ''
    assert.equal(readAcknowledgeToken(token.slice(0, 56) + confirming.slice(0, 22), secrets), null)
    for (let length = 0; length < token.length; length += 1)
      assert.equal(readAcknowledgeToken(token.slice(0, length), secrets), null)
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(readAcknowledgeToken(text, secrets), null)
        if (text !== '') assert.equal(readAcknowledgeToken(token + text, secrets), null)
      }),
    )
  })
})

describe('the token of its form', () => {
  const now = new Date('2026-11-21T10:10:00Z')
  const form = formTokenOf(token, now, secrets)
  const isGood = (given: string, afterMs = 0, of = token): boolean =>
    isFormToken(given, { token: of, now: new Date(now.getTime() + afterMs) }, secrets)

  it('is good for ten minutes, and for its own link', () => {
    assert.deepEqual([isGood(form), isGood(form, 599_999), isGood(form, 600_000)], [true, true, false])
    const other = acknowledgeUrl('', { incidentId: contact.id, contact, alertAt }, secrets)
    assert.equal(isGood(form, 0, other.split('/').at(-1)), false)
    assert.equal(isFormToken(form, { token, now }, others), false)
  })

  it('cannot be made longer lived, nor guessed', () => {
    const [end = '', signature = ''] = form.split('.')
    assert.equal(isGood(`${Number(end) + 1}.${signature}`), false)
    assert.equal(isGood(`${end}.${token.slice(56)}`), false)
    fc.assert(fc.property(fc.string(), (text) => assert.equal(isGood(text) || isGood(`${end}.${text}`), false)))
  })
})

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createSecrets, hashToken } from './secrets.ts'

const key = randomBytes(32)
const secrets = createSecrets(key)

describe('secrets', () => {
  it('come back as they were, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(secrets.decrypt(secrets.encrypt(text)), text)
      }),
    )
  })

  it('never look the same twice, and show nothing of the text', () => {
    const [first, second] = [secrets.encrypt('password'), secrets.encrypt('password')]
    assert.ok(!first.equals(second))
    assert.ok(!first.includes('password'))
  })

  it('are refused when a single bit has changed', () => {
    const sealed = secrets.encrypt('password')
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8((changed[index] ?? 0) ^ 1, index)
      assert.throws(() => secrets.decrypt(changed), `byte ${index}`)
    }
  })

  it('of another key are named as such', () => {
    const other = createSecrets(randomBytes(32))
    assert.notEqual(other.identity, secrets.identity)
    assert.throws(() => other.decrypt(secrets.encrypt('a')), /encrypted with another key/)
  })

  it('are refused with a clear error whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        assert.throws(() => secrets.decrypt(Buffer.from(bytes)), Error)
      }),
    )
  })

  it('can be read by a later process with the same key', () => {
    const later = createSecrets(Buffer.from(key))
    assert.equal(later.identity, secrets.identity)
    assert.equal(later.decrypt(secrets.encrypt('a')), 'a')
  })

  it('need 32 bytes', () => assert.throws(() => createSecrets(randomBytes(31)), /31 bytes/))
})

describe('signatures', () => {
  const signature = secrets.sign('unsubscribe', 'contact-1')

  it('are 43 letters that a link can carry', () => assert.match(signature, /^[\w-]{43}$/))

  const cases = [
    ['the same', 'unsubscribe', 'contact-1', signature, true],
    ['another text', 'unsubscribe', 'contact-2', signature, false],
    ['another purpose', 'confirm', 'contact-1', signature, false],
    ['letters moved from text to purpose', 'unsubscribec', 'ontact-1', signature, false],
    ['a shorter signature', 'unsubscribe', 'contact-1', signature.slice(1), false],
    ['no signature', 'unsubscribe', 'contact-1', '', false],
    ['garbage', 'unsubscribe', 'contact-1', '§'.repeat(43), false],
  ] as const
  for (const [what, purpose, text, given, expected] of cases)
    it(`${expected ? 'hold' : 'do not hold'} for ${what}`, () =>
      assert.equal(secrets.isSigned(purpose, text, given), expected))
})

it('a token is stored as its SHA-256', () => {
  assert.equal(hashToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

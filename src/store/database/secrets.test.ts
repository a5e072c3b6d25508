import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createSecrets, hashToken } from './secrets.ts'

const key = randomBytes(32)
const secrets = createSecrets(key)
const place = { column: 'monitors.content', id: 'a' } as const
const seal = (text: string): Buffer => secrets.encrypt(text, place)
const open = (sealed: Buffer): string => secrets.decrypt(sealed, place)

describe('secrets', () => {
  it('come back as they were, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.equal(open(seal(text)), text)
      }),
    )
  })

  it('never look the same twice, and show nothing of the text', () => {
    const [first, second] = [seal('password'), seal('password')]
    assert.ok(!first.equals(second))
    assert.ok(!first.includes('password'))
  })

  it('are refused when a single bit has changed', () => {
    const sealed = seal('password')
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8((changed[index] ?? 0) ^ 1, index)
      assert.throws(() => open(changed), `byte ${index}`)
    }
  })

  it('of another key are named as such', () => {
    const other = createSecrets(randomBytes(32))
    assert.notEqual(other.identity, secrets.identity)
    const id = secrets.identity.slice(0, 8)
    const expected = new RegExp(`encrypted with the key ${id}, which .* PERIGEE_FORMER_SECRET_KEYS`)
    assert.throws(() => other.decrypt(seal('a'), place), expected)
  })

  it('are refused with a clear error whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        assert.throws(() => open(Buffer.from(bytes)), Error)
      }),
    )
  })

  it('can be read by a later process with the same key', () => {
    const later = createSecrets(Buffer.from(key))
    assert.equal(later.identity, secrets.identity)
    assert.equal(later.decrypt(seal('a'), place), 'a')
  })

  const elsewhere = [
    ['of another row', { ...place, id: 'b' }],
    ['of another column', { ...place, column: 'monitors.secret_options' }],
    ['of another table', { ...place, column: 'idempotency_keys.last_content' }],
  ] as const
  for (const [what, other] of elsewhere)
    it(`do not open in the place ${what}`, () => {
      assert.throws(() => secrets.decrypt(seal('password'), other))
      assert.equal(secrets.decrypt(secrets.encrypt('password', other), other), 'password')
    })

  describe('of an earlier release, which knew no places', () => {
    const earlier = createSecrets(key, () => false)
    const sealed = earlier.encrypt('password', place)

    it('are as it wrote them: key id, nonce, tag and text', () => {
      assert.equal(sealed.subarray(0, 4).toString('hex'), secrets.identity.slice(0, 8))
      assert.equal(sealed.length, 4 + 12 + 16 + 'password'.length)
    })

    it('open still, and are refused when a single bit has changed', () => {
      assert.equal(open(sealed), 'password')
      const changed = Buffer.from(sealed)
      changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1)
      assert.throws(() => open(changed))
    })

    it('are read while new ones are not written yet', () => assert.equal(earlier.decrypt(seal('a'), place), 'a'))
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

describe('several keys', () => {
  const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const [one, two] = [createSecrets(first), createSecrets(second)]
  const both = createSecrets({ current: second, former: [first] })

  it('open what each of them sealed, and seal with the current one', () => {
    assert.equal(both.decrypt(one.encrypt('a', place), place), 'a')
    assert.equal(both.decrypt(two.encrypt('b', place), place), 'b')
    assert.equal(two.decrypt(both.encrypt('c', place), place), 'c')
    assert.throws(() => one.decrypt(both.encrypt('c', place), place))
  })

  it('vouch for what each of them signed, and sign with the current one', () => {
    assert.ok(both.isSigned('p', 'text', one.sign('p', 'text')))
    assert.equal(both.sign('p', 'text'), two.sign('p', 'text'))
    assert.deepEqual(both.signatures('p', 'text'), [two.sign('p', 'text'), one.sign('p', 'text')])
    assert.ok(!both.isSigned('p', 'text', createSecrets(third).sign('p', 'text')))
  })

  it('are named by what they are known as', () => {
    const known = createSecrets({ current: first, next: second, former: [third, first, second] })
    const [a, b, c] = [first, second, third].map((each) => createSecrets(each).identity)
    assert.deepEqual(known.identities, { current: a, next: b, former: [c], known: [a, b, c] })
    const alone = createSecrets({ current: first, next: first, former: [first] })
    assert.deepEqual(alone.identities, { current: a, next: null, former: [], known: [a] })
  })

  it('a next one opens, and neither seals nor signs', () => {
    const before = createSecrets({ current: first, next: second })
    assert.equal(before.decrypt(two.encrypt('a', place), place), 'a')
    assert.equal(one.decrypt(before.encrypt('b', place), place), 'b')
    assert.ok(before.isSigned('p', 'text', two.sign('p', 'text')))
    assert.equal(before.sign('p', 'text'), one.sign('p', 'text'))
  })

  it('change while they are used', () => {
    const changing = createSecrets(first)
    const { encrypt, sign, decrypt } = changing
    const sealed = encrypt('a', place)
    changing.change({ current: second, former: [first] })
    assert.equal(changing.identity, two.identity)
    assert.equal(decrypt(sealed, place), 'a')
    assert.equal(two.decrypt(encrypt('b', place), place), 'b')
    assert.equal(sign('p', 'text'), two.sign('p', 'text'))
  })
})

it('a token is stored as its SHA-256', () => {
  assert.equal(hashToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { encodeObjectId, parseObjectId, readObjectId } from './object-id.ts'
import { snmp } from './snmp.ts'
import { localizedKey } from './usm.ts'

type Options = Record<string, unknown>

describe('the options of an agent', () => {
  const cases: [name: string, options: Options, field: string, message: RegExp][] = [
    ['encryption without a key', { priv_password: 'long enough' }, 'priv_password', /^Needs an auth_password\.$/],
    ['a short password', { auth_password: '1234567' }, 'auth_password', /^Must have at least 8 characters\.$/],
    ['a value without a variable', { expected_value: 'a' }, 'expected_value', /^Needs an oid\.$/],
    ['a limit without a variable', { max_value: 1 }, 'max_value', /^Needs an oid\.$/],
    [
      'limits that cross',
      { oid: '1.3', min_value: 2, max_value: 1 },
      'min_value',
      /^Must not be larger than max_value/,
    ],
    ['a name instead of numbers', { oid: 'sysUpTime.0' }, 'oid', /^Must be numbers with dots/],
    ['a community with an end of line', { community: 'a\n' }, 'community', /^Must have no control characters\.$/],
    ['version 1', { version: '1' }, 'version', /./],
  ]
  for (const [name, options, field, message] of cases)
    it(`refuse ${name}`, () => {
      const issues = snmp.options.safeParse(options).error?.issues ?? []
      assert.deepEqual(
        issues.map((issue) => issue.path.join('.')),
        [field],
      )
      assert.match(issues[0]?.message ?? '', message)
    })
})

describe('an object identifier', () => {
  const cases: [text: string, hex: string | null][] = [
    ['1.3.6.1.2.1.1.3.0', '2b06010201010300'],
    ['.1.3.6.1', '2b0601'],
    ['0.0', '00'],
    ['2.999.3', '883703'],
    ['1.3.4294967295', '2b8fffffff7f'],
    ['1.3.4294967296', null],
    ['1.40.1', null],
    ['3.1', null],
    ['1', null],
    ['1..3', null],
    ['1.3.', null],
    ['1.-3', null],
    ['', null],
    [`1.3${'.1'.repeat(126)}`, `2b${'01'.repeat(126)}`],
    [`1.3${'.1'.repeat(127)}`, null],
  ]
  for (const [text, hex] of cases)
    it(`${text.slice(0, 20)} is ${hex === null ? 'refused' : 'encoded'}`, () => {
      const numbers = parseObjectId(text)
      assert.equal(numbers === null ? null : encodeObjectId(numbers).toString('hex'), hex)
    })

  it('is what was written', () => {
    const number = fc.nat(0xffffffff)
    const rest = fc.array(number, { maxLength: 100 })
    const first = fc.oneof(fc.tuple(fc.nat(1), fc.nat(39)), fc.tuple(fc.constant(2), number))
    fc.assert(
      fc.property(first, rest, (head, tail) => {
        const text = [...head, ...tail].join('.')
        assert.equal(readObjectId(encodeObjectId(parseObjectId(text) ?? [])), text)
      }),
    )
  })

  it('is not read where it has no end, or is too long', () => {
    for (const hex of ['', '2b86', '2bffffffffffff7f', '01'.repeat(129)])
      assert.equal(readObjectId(Buffer.from(hex, 'hex')), null)
  })
})

describe('the key of a password', () => {
  it('is that of RFC 3414 A.3.2', () => {
    const engine = Buffer.from('000000000000000000000002', 'hex')
    assert.equal(
      localizedKey('SHA-1', 'maplesyrup', engine).toString('hex'),
      '6695febc9288e36282235fc7151f128497b38f3f',
    )
  })

  it('is made of a password of any length', () => {
    const keys = [8, 1024].map((length) => localizedKey('SHA-256', 'x'.repeat(length), Buffer.alloc(5)))
    assert.deepEqual(keys[0], keys[1])
    assert.notDeepEqual(localizedKey('SHA-256', 'x'.repeat(8), Buffer.alloc(6)), keys[0])
  })
})

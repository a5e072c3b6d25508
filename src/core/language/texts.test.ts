import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { type Values, createTexts, messageKey } from './texts.ts'

const english = createTexts()
const polish = createTexts('pl', {
  '{count, plural, one {# day} other {# days}}':
    '{count, plural, one {# dzień} few {# dni} many {# dni (wiele)} other {# dnia}}',
  Open: 'Otwarte',
  [messageKey('Open', 'button')]: 'Otwórz',
  '{first} of {second}': '{second}: {first}',
})

describe('a message', () => {
  const days = '{count, plural, one {# day} other {# days}}'
  for (const [message, values, text] of [
    ['Paused', {}, 'Paused'],
    ['', {}, ''],
    ['{first} of {second}', { first: 1, second: 'two' }, '1 of two'],
    ['{first} and {missing}.', { first: 1234 }, '1234 and .'],
    [days, { count: 1 }, '1 day'],
    [days, { count: 0 }, '0 days'],
    [days, { count: 1440 }, '1,440 days'],
    ['{n, plural, =1 {a minute} one {# minute} other {# minutes}}', { n: 1 }, 'a minute'],
    ['{n, plural, one {# of {all}} other {# of {all} all}}', { n: 2, all: 3 }, '2 of 3 all'],
    ['{n, plural, offset:1 =1 {you} one {you and # other} other {you and # others}}', { n: 2 }, 'you and 1 other'],
    ["It’s {n} o'clock", { n: 5 }, "It’s 5 o'clock"],
    ["'{n}' is written so", { n: 5 }, '{n} is written so'],
  ] as const satisfies [string, Values, string][])
    it(`${JSON.stringify(message)} with ${JSON.stringify(values)} is ${JSON.stringify(text)}`, () =>
      assert.equal(english._(message, values), text))

  it('has its own words, order and plurals in another language, and is English where that lacks it', () => {
    assert.equal(polish._('{first} of {second}', { first: 1, second: 2 }), '2: 1')
    for (const [count, text] of [
      [1, '1 dzień'],
      [2, '2 dni'],
      [5, '5 dni (wiele)'],
    ] as const)
      assert.equal(polish._('{count, plural, one {# day} other {# days}}', { count }), text)
    assert.equal(polish._('Nothing'), 'Nothing')
  })

  it('is another one in another context', () => {
    assert.deepEqual([polish._('Open'), polish._('Open', {}, { context: 'button' })], ['Otwarte', 'Otwórz'])
    assert.equal(polish._('Open', {}, { context: 'shop' }), 'Open')
  })

  it('shows whatever fills it as it is: nothing in it is a place, a plural or an escape', () => {
    for (const name of ['\\u003cb\\u003e', '{name}', '#', "'", '$&'])
      assert.equal(
        english._('{name} is {count, plural, other {#: {name}}}', { name, count: 1 }),
        `${name} is 1: ${name}`,
      )
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (name) =>
        assert.equal(english._('<{name}>', { name }), `<${name}>`),
      ),
    )
  })

  it('that is none is refused with its translation', () => {
    assert.throws(
      () => createTexts('de', { Days: '{count, plural, one {# Tag}}' }),
      /\{count\} has no form for other numbers/,
    )
    assert.throws(() => createTexts('de', { Days: '{count, plural' }), /Unexpected message end/)
    assert.throws(() => createTexts('de', { Days: '{is, select, other {x}}' }), /\{is, select\}/)
  })
})

describe('numbers, months and lists', () => {
  const german = createTexts('de')
  it('are those of the language', () => {
    assert.deepEqual([0, 999, 1440, 1_234_567].map(english.count), ['0', '999', '1,440', '1,234,567'])
    assert.deepEqual([0, 99.5, 99.99].map(english.decimal), ['0.00', '99.50', '99.99'])
    assert.deepEqual([german.count(1440), german.decimal(99.5)], ['1.440', '99,50'])
    assert.equal(english.list(['Shop', 'Mail', 'Search']), 'Shop, Mail, Search')
  })

  it('say months as dates have them', () => {
    const all = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'
    assert.equal(Array.from({ length: 12 }, (_, index) => english.month(index, 'short')).join(' '), all)
    assert.deepEqual([english.month(1, 'long'), german.month(2, 'long')], ['February', 'März'])
    // Alone it would be "ноябрь".
    assert.equal(createTexts('uk').month(10, 'short'), 'лист.')
  })
})

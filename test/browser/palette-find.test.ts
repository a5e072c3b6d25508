// What the palette finds, and in which order.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Entry, entryOf, find, wordsOf } from '../../web/src/palette/find.ts'

const entries = [
  monitor('Shop', 'https://shop.example.com', 'berlin'),
  monitor('Web shop', 'https://www.example.com', ''),
  monitor('Staging database', 'db.example.com:5432', 'shop'),
  entryOf({ key: '/contacts', group: 'pages', title: 'Contacts', icon: 'contacts', goal: { href: '/contacts' } }),
]

describe('the palette', () => {
  const cases: readonly [typed: string, found: readonly string[]][] = [
    // A title that is the word, one that has it as a word, and what has it elsewhere.
    ['shop', ['Shop', 'Web shop', 'Staging database']],
    ['SHOP', ['Shop', 'Web shop', 'Staging database']],
    ['shop web', ['Web shop']],
    ['berlin', ['Shop']],
    ['5432', ['Staging database']],
    ['tabase', ['Staging database']],
    // Letters in their order, three at least, in the title alone.
    ['stgdb', ['Staging database']],
    ['sd', []],
    ['exmpl', []],
    ['shop nowhere', []],
  ]
  for (const [typed, found] of cases)
    it(`finds ${found.join(', ') || 'nothing'} by "${typed}"`, () => assert.deepEqual(titles(typed), found))

  it('puts what was looked at last before what matches as well, and nothing else', () => {
    assert.deepEqual(titles('example', ['Web shop']), ['Web shop', 'Shop', 'Staging database'])
    assert.deepEqual(titles('shop', ['Staging database']), ['Shop', 'Web shop', 'Staging database'])
  })

  it('shows eight of a group and thirty in all, however many there are', () => {
    const many = Array.from({ length: 5000 }, (_, index) => monitor(`Shop ${index}`, 'https://example.com', ''))
    assert.equal(find(many, ['shop'], []).flatMap((group) => group.entries).length, 8)
    const groups = (['pages', 'settings', 'actions', 'others', 'incidents'] as const).flatMap((group) =>
      many.slice(0, 10).map((entry) => Object.assign({}, entry, { group })),
    )
    assert.equal(find(groups, ['shop'], []).flatMap((group) => group.entries).length, 30)
  })
})

function monitor(title: string, url: string, tags: string): Entry {
  return entryOf({
    key: title,
    group: 'monitors',
    title,
    detail: url,
    also: tags,
    icon: 'monitors',
    goal: { href: '/' },
  })
}

function titles(typed: string, recent: readonly string[] = []): string[] {
  return find(entries, wordsOf(typed), recent).flatMap((group) => group.entries.map(({ title }) => title))
}

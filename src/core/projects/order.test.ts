import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { sections } from './entries.ts'
import { inOrder, labelOf, namedBy } from './order.ts'
import type { Reference } from './references.ts'

/** Ids are the keys themselves. */
const find = (id: string): Reference | null => (id.startsWith('#') ? { to: 'monitors', key: id.slice(1) } : null)
const entry = (key: string, names: string[]) => ({
  section: 'monitors' as const,
  key,
  fields: { name: key, depends_on: names.map((name) => `#${name}`) },
})

describe('the order of entries', () => {
  const cases: [what: string, given: [string, string[]][], order: string][] = [
    [
      'stays where nothing is named',
      [
        ['a', []],
        ['b', []],
      ],
      'ab',
    ],
    [
      'puts the named before',
      [
        ['a', ['b']],
        ['b', ['c']],
        ['c', []],
      ],
      'cba',
    ],
    [
      'puts what several name once',
      [
        ['a', ['c', 'b']],
        ['b', ['c']],
        ['c', []],
      ],
      'cba',
    ],
    [
      'leaves out what is there already',
      [
        ['a', ['x']],
        ['b', []],
      ],
      'ab',
    ],
    [
      'has all of a circle',
      [
        ['a', ['b']],
        ['b', ['a']],
      ],
      'ba',
    ],
    ['has what names itself', [['a', ['a']]], 'a'],
  ]
  for (const [what, given, order] of cases)
    it(what, () => {
      const entries = given.map(([key, names]) => entry(key, names))
      assert.equal(
        inOrder(entries, find)
          .map(({ key }) => key)
          .join(''),
        order,
      )
    })

  it('has room for a chain as long as a project', () => {
    const chain = Array.from({ length: 5000 }, (_, at) => entry(`m${at}`, at === 4999 ? [] : [`m${at + 1}`]))
    assert.equal(inOrder(chain, find)[0]?.key, 'm4999')
  })

  it('puts each after all that it names, whatever the sections', () => {
    // Each names some of those before it; then they are shuffled.
    const labels = fc.array(fc.constantFrom(...sections), { minLength: 1, maxLength: 30 })
    const naming = fc.array(fc.array(fc.nat(29), { maxLength: 4 }), { minLength: 30, maxLength: 30 })
    const project = fc.tuple(labels, naming).chain(([places, names]) => {
      const entries = places.map((section, at) => ({
        section,
        key: `k${at}`,
        fields: { steps: [{ ids: (names[at] ?? []).filter((other) => other < at).map((other) => `#${other}`) }] },
      }))
      return fc.tuple(fc.constant(places), fc.shuffledSubarray(entries, { minLength: entries.length }))
    })
    fc.assert(
      fc.property(project, ([places, entries]) => {
        const findAt = (id: string): Reference | null => {
          const to = id.startsWith('#') ? places[Number(id.slice(1))] : undefined
          return to === undefined ? null : { to, key: `k${id.slice(1)}` }
        }
        const ordered = inOrder(entries, findAt)
        assert.equal(new Set(ordered).size, entries.length)
        const seen = new Set<string>()
        for (const next of ordered) {
          for (const label of namedBy(next, findAt)) assert.ok(seen.has(label), `${label} before ${next.key}`)
          seen.add(labelOf(next))
        }
      }),
    )
  })

  it('knows what is named at any depth', () => {
    const fields = { sections: [{ monitors: [{ monitor_id: '#a' }, { monitor_id: '#b' }] }], title: 'a' }
    assert.deepEqual(namedBy({ fields }, find), ['monitors.a', 'monitors.b'])
  })
})

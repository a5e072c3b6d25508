import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type ListedSoftware, type NamedSoftware, distinctSoftware, softwareChange } from './software-change.ts'

function named(text: string, evidence: string | null = null): NamedSoftware {
  const [product = '', version = null] = text.split(' ')
  return { product, name: product, version, evidence }
}

function listed(text: string, id: string, ignored = false): ListedSoftware {
  return { ...named(text), id, ignored }
}

describe('what one scan or import found', () => {
  it('has each product and version once, the first that names it', () =>
    assert.deepEqual(distinctSoftware([named('a 1', 'x'), named('b 1'), named('a 1', 'y'), named('a 2')]), [
      named('a 1', 'x'),
      named('b 1'),
      named('a 2'),
    ]))

  it('names nothing without a version that has one elsewhere', () =>
    assert.deepEqual(distinctSoftware([named('a'), named('b'), named('a 1')]), [named('b'), named('a 1')]))
})

describe('a list', () => {
  it('keeps the entry of a product in another version, by product and version first', () => {
    const change = softwareChange([listed('a 1', '1'), listed('a 2', '2')], [named('a 3'), named('a 2')])
    assert.deepEqual(change, { added: [], changed: [listed('a 3', '1')], removed: [] })
  })

  it('adds what is new, and removes what is gone and not ignored', () => {
    const before = [listed('a 1', '1'), listed('b 1', '2'), listed('c 1', '3', true)]
    assert.deepEqual(softwareChange(before, [named('b 1'), named('d 1')]), {
      added: [named('d 1')],
      changed: [],
      removed: [listed('a 1', '1')],
    })
  })

  it('says where the same is seen now', () =>
    assert.deepEqual(softwareChange([listed('a 1', '1', true)], [named('a 1', 'script')]).changed, [
      { ...listed('a 1', '1', true), evidence: 'script' },
    ]))

  it('becomes what was found, whatever it was, and what is ignored', () =>
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.array(entry, { maxLength: 12 }), (earlier, found) => {
        const before = distinctSoftware(earlier.map(({ text }) => named(text))).map((one, index) =>
          Object.assign(one, { id: String(index), ignored: earlier[index]?.ignored ?? false }),
        )
        const wanted = distinctSoftware(found.map(({ text }) => named(text)))
        const { added, changed, removed } = softwareChange(before, wanted)
        const kept = new Map(before.map((one): [string, ListedSoftware] => [one.id, one]))
        for (const { id } of removed) kept.delete(id)
        for (const one of changed) kept.set(one.id, one)
        const after = new Set([...kept.values(), ...added].map(identity))
        assert.equal(after.size, kept.size + added.length)
        for (const one of wanted) assert.ok(after.has(identity(one)))
        for (const one of kept.values())
          assert.ok(one.ignored || wanted.some((other) => identity(other) === identity(one)))
      }),
    ))
})

const entry = fc.record({
  text: fc.constantFrom('a', 'a 1', 'a 2', 'a 3', 'b', 'b 1', 'c 1'),
  ignored: fc.boolean(),
})

function identity({ product, version }: NamedSoftware): string {
  return `${product} ${version}`
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { followPath, isSameJson, pathProblem, shownJson } from './json-path.ts'

describe('a JSON path', () => {
  const document: unknown = JSON.parse(
    `{"status":"ok","none":null,"list":[10,{"name":"x"},[true]],"a.b":{"c.d":1,"c":{"d":2}},"a":{"b":{"e":3}},"":{"":4},"0":"zero","__proto__":{"own":5}}`,
  )
  const cases: readonly [string, unknown][] = [
    ['status', 'ok'],
    ['none', null],
    ['list', [10, { name: 'x' }, [true]]],
    ['list.0', 10],
    ['list.1.name', 'x'],
    ['list.2.0', true],
    ['a.b.c.d', 1],
    ['a.b.e', 3],
    ['.', 4],
    ['0', 'zero'],
    ['__proto__.own', 5],
  ]
  for (const [path, value] of cases)
    it(`"${path}" is found`, () => assert.deepEqual(followPath(document, path), { isFound: true, value }))

  const missing = [
    '',
    'x',
    'status.length',
    'none.x',
    'list.3',
    'list.-1',
    'list.01',
    'list.length',
    'list.0x1',
    'list.1.name.0',
    'constructor',
    'toString',
    'a.b.c.x',
    'list.__proto__',
  ]
  for (const path of missing)
    it(`"${path}" is not found`, () =>
      assert.deepEqual(followPath(path === '' ? { a: 1 } : document, path), { isFound: false, isGivenUp: false }))

  it('finds every value of any document under the path that leads to it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        for (const [path, value] of leaves(JSON.parse(JSON.stringify(json)), []))
          assert.deepEqual(followPath(JSON.parse(JSON.stringify(json)), path.join('.')), { isFound: true, value })
      }),
    )
  })

  it('follows any path in any document without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (json, path) => typeof followPath(json, path).isFound === 'boolean'),
    )
  })
})

describe('a JSON path that a caller gives', () => {
  const empty = 'Must have a name between two dots, before the first and after the last.'
  const long = 'Must have at most 32 segments, separated by dots.'
  const cases: readonly [what: string, path: string, problem: string | null][] = [
    ['one segment', 'status', null],
    ['32 segments', segments(32), null],
    ['33 segments', segments(33), long],
    ['nothing before the first dot', '.a', empty],
    ['nothing after the last dot', 'a.', empty],
    ['nothing between two dots', 'a..b', empty],
    ['a dot alone', '.', empty],
    ['dots alone', '.'.repeat(499), empty],
  ]
  for (const [what, path, problem] of cases)
    it(`${problem === null ? 'may' : 'may not'} have ${what}`, () => assert.equal(pathProblem(path), problem))
})

describe('a JSON path of before', () => {
  it('is followed to its end through 250 segments, the most that 500 characters hold', () => {
    const path = segments(250)
    const nested = path.split('.').reduce<unknown>((inner, key) => ({ [key]: inner }), 'end')
    assert.deepEqual(followPath(nested, path), { isFound: true, value: 'end' })
  })

  it('is given up in an answer that offers more ways than are tried', () => {
    const tree = (depth: number): unknown =>
      depth === 0 ? {} : { a: tree(depth - 1), 'a.a': tree(depth - 1), 'a.a.a': tree(depth - 1) }
    assert.deepEqual(followPath(tree(9), segments(32)), { isFound: false, isGivenUp: true })
  })
})

describe('equality of JSON', () => {
  const same = [
    [1, 1],
    ['a', 'a'],
    [null, null],
    [
      [1, [2]],
      [1, [2]],
    ],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [{}, {}],
    [[], []],
  ] as const
  for (const [left, right] of same)
    it(`${JSON.stringify(left)} is ${JSON.stringify(right)}`, () => assert.equal(isSameJson(left, right), true))

  const different = [
    [1, '1'],
    [0, false],
    [null, 0],
    [null, {}],
    [[], {}],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: null }, {}],
  ] as const
  for (const [left, right] of different)
    it(`${JSON.stringify(left)} is not ${JSON.stringify(right)}`, () => {
      assert.equal(isSameJson(left, right), false)
      assert.equal(isSameJson(right, left), false)
    })

  it('holds for any value and its copy, and agrees with node:assert', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
    fc.assert(fc.property(json, (value) => isSameJson(value, structuredClone(value))))
    fc.assert(fc.property(json, json, (left, right) => isSameJson(left, right) === isDeepEqual(left, right)))
  })

  it('holds for lists longer than the arguments of a call', () => {
    assert.equal(
      isSameJson(
        Array.from({ length: 500_000 }, () => 0),
        Array.from({ length: 500_000 }, () => 0),
      ),
      true,
    )
  })

  it('does not run out of stack on what is nested deeply', () => {
    assert.equal(isSameJson(deep(), deep()), true)
  })
})

describe('a JSON value in a sentence', () => {
  it('is its JSON, cut at 200 characters', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        const expected = text.length > 200 ? `${text.slice(0, 197)}...` : text
        assert.equal(shownJson(value), expected)
      }),
    )
    const long = { a: [1, { b: 'x"'.repeat(300), c: null }], d: true }
    assert.equal(shownJson(long), `${JSON.stringify(long).slice(0, 197)}...`)
    for (const length of [196, 197, 198, 199, 200, 201]) {
      const text = JSON.stringify(['x'.repeat(length - 4)])
      assert.equal(shownJson(['x'.repeat(length - 4)]), length > 200 ? `${text.slice(0, 197)}...` : text)
    }
  })

  it('may be nested deeper than the stack is', () => {
    assert.equal(shownJson(deep()), `${'['.repeat(197)}...`)
  })
})

/** Paths without dots in their keys, where a key cannot be mistaken for a longer one. */
function leaves(value: unknown, path: readonly string[]): [string[], unknown][] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [[[...path], value]]
  if (Object.keys(value).some((key) => key.includes('.'))) return []
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

function segments(count: number): string {
  return Array.from({ length: count }, () => 'a').join('.')
}

function isDeepEqual(left: unknown, right: unknown): boolean {
  try {
    assert.deepEqual(left, right)
    return true
  } catch {
    return false
  }
}

function deep(): unknown {
  return JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
}

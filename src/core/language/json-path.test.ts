import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { followPath, isSameJson } from './json-path.ts'

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
      assert.deepEqual(followPath(path === '' ? { a: 1 } : document, path), { isFound: false }))

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

  it('does not run out of stack on what is nested deeply', () => {
    assert.equal(isSameJson(deep(), deep()), true)
  })
})

/** Paths without dots in their keys, where a key cannot be mistaken for a longer one. */
function leaves(value: unknown, path: readonly string[]): [string[], unknown][] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [[[...path], value]]
  if (Object.keys(value).some((key) => key.includes('.'))) return []
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
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

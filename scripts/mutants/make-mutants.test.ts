import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeMutants } from './make-mutants.ts'
import { mutate } from './mutant.ts'

/** A source, and every source that differs from it by one changed token. */
const cases: readonly [name: string, source: string, ...mutants: string[]][] = [
  ['a comparison takes its edge in, or leaves it out', 'f(a < b)', 'f(a <= b)'],
  ['at least becomes more than', 'f(a >= b)', 'f(a > b)'],
  ['equal becomes unequal', 'f(a === b)', 'f(a !== b)'],
  ['both becomes either', 'f(a && b)', 'f(a || b)'],
  ['each operator of a longer condition is changed alone', 'f(a && b || c)', 'f(a || b || c)', 'f(a && b && c)'],
  ['the operator is found behind parentheses and comments', 'f((a /* < */) < b)', 'f((a /* < */) <= b)'],
  ['a negation goes away', 'f(!a)', 'f(a)'],
  ['true becomes false', 'f(true)', 'f(false)'],
  ['a number becomes the next one', 'f(1_000)', 'f(1001)'],
  ['a sum with a number becomes a difference', 'f(a + b.length)', 'f(a - b.length)'],
  ['a unit in a name says that it is a number', 'f(startMs + b)', 'f(startMs - b)'],
  ['a product becomes a quotient', 'f(a * b)', 'f(a / b)'],
  ['a sum of which nothing tells the type stays', 'f(a + b)'],
  ['a text that is put together stays', "f('a' + b.length)"],
  ['a longer text stays', 'f(`a` + b.length + c.length)'],
  ['a default that is not for an element counts', 'f(a ?? 0)', 'f(a ?? 1)'],
  ['a default for an element is left out', 'f(a[b] ?? 0, c.at(d) ?? true)'],
  ['a default for a member of an element is left out', 'f(a[b]?.c ?? 0, d?.e ?? 0)', 'f(a[b]?.c ?? 0, d?.e ?? 1)'],
  [
    'a default for an element that is taken apart is left out',
    'const [a = 0] = b, { c = 1 } = d',
    'const [a = 0] = b, { c = 2 } = d',
  ],
  ['the smaller of both sides is the same at the edge', 'f(a < b.c ? a : b.c, d >= e ? d : e)'],
  ['a choice of something else counts', 'f(a < b ? a : c)', 'f(a <= b ? a : c)'],
  ['an early end is turned round', 'if (a) throw b', 'if (!a) throw b'],
  ['an early end in braces too', 'if (a.b) { f()\nthrow c }', 'if (!a.b) { f()\nthrow c }'],
  ['a condition that only chooses stays', 'if (a) f()'],
  ['types are left out', "type A = 1 | true\nconst a: 2 | 'b' = b as 3\ninterface C { d: 4 }\nf<5>(c satisfies 6)"],
  ['imports are left out', "import a from './a.json' with { type: 'json' }"],
  ['messages of errors are left out', "throw new StartError(`${a + 1}`, !b)\nfail('a', `${c * 2}`)"],
  ['descriptions are left out', 'z.number().meta({ example: 3 }).describe(`${a - 1}`)'],
  [
    'examples are left out',
    'f({ example: { a: 3, b: true }, examples: 4 })',
    'f({ example: { a: 3, b: true }, examples: 5 })',
  ],
  ['what a schema allows counts', 'z.number().max(3)', 'z.number().max(4)'],
  ['a number with a name is left out', 'export const maxA = 3 * 1024\nconst b = 4 * maxA'],
  ['a number below zero is one, too', 'const a = -3\nconst b = { c: -4 }'],
  ['numbers with names in an object are left out', 'export const most = { a: 3, b: 4 * dayMs } as const'],
  ['an object with something else counts', 'const a = { b: 3, c: f() }', 'const a = { b: 4, c: f() }'],
  ['a number in a function counts', 'function f() { const a = 3 }', 'function f() { const a = 4 }'],
]
for (const [name, source, ...mutants] of cases)
  it(name, () => {
    const made = makeMutants('a.ts', source).map((mutant) => mutate(source, mutant))
    assert.deepEqual(made, mutants)
  })

it('a mutant says in which line and column its change begins', () => {
  const [mutant] = makeMutants('a.ts', 'f()\n  f(a <\n b)')
  assert.deepEqual(mutant, { file: 'a.ts', offset: 10, before: '<', after: '<=', line: 2, column: 7 })
})

it('a file that cannot be read is no file without mutants', () => {
  assert.throws(() => makeMutants('a.ts', 'f('), /a\.ts cannot be read/)
})

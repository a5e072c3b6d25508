import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ProjectError } from './project-error.ts'
import { placeAlong, plainValue } from './tree.ts'
import { readYaml } from './yaml-tree.ts'

const read = (text: string) => {
  const tree = readYaml({ file: 'a.yaml', text })
  return tree === null ? null : plainValue(tree)
}

const ones = (length: number): string => `[${Array.from({ length }, () => 1).join(',')}]`

describe('a YAML file of a project', () => {
  const meanings: [text: string, value: unknown][] = [
    ['', null],
    ['false', false],
    ['~', null],
    ['# nothing\n', null],
    ['a: 1', { a: 1 }],
    ['a: [1, -2, 0x1f, 0o17, 1.5, 1e3]', { a: [1, -2, 31, 15, 1.5, 1000] }],
    [
      'a: [~, null, "null", true, FALSE, yes, on, .inf, 1e999]',
      { a: [null, null, 'null', true, false, 'yes', 'on', '.inf', '1e999'] },
    ],
    ['a:\nb: 2026-01-31', { a: null, b: '2026-01-31' }],
    ['a: |\n  one\n  two\n', { a: 'one\ntwo\n' }],
    ['&a {b: 1}', { b: 1 }],
    ['x-a: &a {b: 1}\nc: *a', { 'x-a': { b: 1 }, c: { b: 1 } }],
    ['1: a\ntrue: b', { 1: 'a', true: 'b' }],
    ['url: https://${host}/a', { url: 'https://${host}/a' }],
    ['a: "1"\nb: \'~\'', { a: '1', b: '~' }],
  ]
  for (const [text, value] of meanings)
    it(`${JSON.stringify(text)} is understood`, () => assert.deepEqual(read(text), value))

  it('keeps a member of any name', () => {
    const value = read('__proto__: 1\nconstructor: 2')
    assert.deepEqual(Object.entries(Object(value)), [
      ['__proto__', 1],
      ['constructor', 2],
    ])
  })

  const refusals: [name: string, text: string, told: string][] = [
    ['half a list at once', '[1', 'a.yaml:1: Is not valid YAML: '],
    ['a tag at the very beginning', '!!str a', 'a.yaml:1: Tags such as'],
    ['a line that ends with a carriage return and a line feed', 'a: 1\r\nb: 2\r\na: 3', 'a.yaml:3: Names "a" twice.'],
    ['half a list', 'a: [1,\nb: 2', 'a.yaml:2: Is not valid YAML: '],
    ['a name twice', 'a: 1\nb: 2\na: 3', 'a.yaml:3: Names "a" twice.'],
    ['a list as a name', '? [1]\n: 2', 'a.yaml:1: A name must be a text.'],
    ['an unknown alias at the end of a line', 'a: *c\nb: 1', 'a.yaml:1: There is no anchor &c before.'],
    ['an unknown alias', 'a: 1\nb: *c', 'a.yaml:2: There is no anchor &c before.'],
    ['a value that holds itself', 'a: &a\n  b: *a', 'a.yaml:2: There is no anchor &a before.'],
    ['a tag', 'a: 1\nb: !!str 1', 'a.yaml:2: Tags such as !!str have no meaning here; quote a text instead.'],
    ['two documents', 'a: 1\n---\nb: 2', 'a.yaml:1: Has more than one YAML document.'],
    [
      'what is too long',
      ' '.repeat(1_000_001),
      'a.yaml:1: Is longer than 1000000 characters; divide it into several files.',
    ],
    ['what is too deep', '['.repeat(100), 'a.yaml:1: Is not valid YAML: '],
    ['aliases of aliases', bomb(), 'values, with what aliases repeat.'],
  ]
  for (const [name, text, told] of refusals)
    it(`${name} is refused with its line`, () => {
      assert.throws(
        () => read(text),
        (error) => error instanceof ProjectError && error.message.includes(told),
      )
    })

  it('may have a million characters, and 200,000 values', () => {
    assert.equal(readYaml({ file: 'a.yaml', text: ' '.repeat(1_000_000) }), null)
    assert.equal(readYaml({ file: 'a.yaml', text: '~' }), null)
    assert.equal(readYaml({ file: 'a.yaml', text: ones(199_999) })?.type, 'list')
    assert.throws(() => readYaml({ file: 'a.yaml', text: ones(200_000) }), /Has more than 200000 values/)
  })

  it('tells where a path leads, or how far it does', () => {
    const tree = readYaml({ file: 'a.yaml', text: 'a:\n  - b: 1\n  -\n    c: 2\n' })
    assert.ok(tree !== null)
    const places = [['a', '1', 'c'], ['a', '0', 'x', 'y'], ['z']].map((path) => placeAlong(tree, path))
    assert.deepEqual(
      places.map(({ place, path }) => `${place.line} ${path}`),
      ['4 a.1.c', '2 a.0.x.y', '1 z'],
    )
  })

  it('throws nothing but its own error', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'a: ',
        '- ',
        '\n',
        '  ',
        '[',
        ']',
        '{',
        '}',
        '&a ',
        '*a',
        '"',
        "'",
        '|',
        '>',
        '? ',
        ': ',
        '---\n',
        '!!str ',
        '%YAML 1.2\n',
        '${x}',
        '#',
        ',',
        '\t',
        '\r',
        '\u2028',
        '\0',
      ),
      fc.string({ maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          read(pieces.join(''))
        } catch (error) {
          assert.ok(error instanceof ProjectError, String(error))
        }
      }),
      { numRuns: 2000 },
    )
  })
})

/** Each line doubles the one before. */
function bomb(): string {
  const lines = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`)
  return ['a0: &a0 [1]', ...lines].join('\n')
}

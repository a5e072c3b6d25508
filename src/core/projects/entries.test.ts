import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { idRule, readEntries, sections } from './entries.ts'
import { ProjectError } from './project-error.ts'
import { plainValue } from './tree.ts'

const around = { environment: () => null, readFile: () => null }

/** The project, and each entry as its section, its key and its fields. */
function read(...texts: string[]): unknown[] {
  const sources = texts.map((text, index) => ({ file: `${index}.yaml`, text }))
  const { id, entries } = readEntries(sources, around)
  return [id, ...entries.map(({ section, key, fields }) => [section, key, plainValue(fields)])]
}

/** A project with so many monitors, of one list. */
function repeating(count: number): string {
  const list = Array.from({ length: count }, (_, index) => index).join(',')
  return `project: shop\nmonitors:\n- {for_each: [${list}], key: "\${each}"}\n`
}

describe('the entries of a project', () => {
  const cases: [what: string, texts: string[], expected: unknown[]][] = [
    ['may be none', ['project: shop\n'], ['shop']],
    ['may be none of a section that is empty', ['project: shop\nmonitors:\n'], ['shop']],
    [
      'are in the order of the sections, and in each as they are written',
      ['project: shop\nmonitors: [{key: b, url: x}, {key: a}]\ncontacts: [{key: a}]\n'],
      ['shop', ['contacts', 'a', {}], ['monitors', 'b', { url: 'x' }], ['monitors', 'a', {}]],
    ],
    [
      'are those of all files, of which some may be empty',
      ['', 'project: shop\nmonitors: [{key: a}]\n', 'project: shop\nmonitors: [{key: b}]\n'],
      ['shop', ['monitors', 'a', {}], ['monitors', 'b', {}]],
    ],
    [
      'have what defaults say, and their own in place of that',
      [
        'project: shop\ndefaults: {monitors: {tags: [x], name: D}}\nmonitors: [{key: a, name: A}]\ncontacts: [{key: a}]\n',
      ],
      ['shop', ['contacts', 'a', {}], ['monitors', 'a', { tags: ['x'], name: 'A' }]],
    ],
    [
      'have what variables say',
      ['project: shop\nvariables: {host: shop.example}\nmonitors: [{key: a, url: "https://${host}/"}]\n'],
      ['shop', ['monitors', 'a', { url: 'https://shop.example/' }]],
    ],
    [
      'are one for each of a list',
      ['project: shop\nmonitors: [{for_each: [a, b], key: "m-${each}"}]\n'],
      ['shop', ['monitors', 'm-a', {}], ['monitors', 'm-b', {}]],
    ],
    ['may have keys that are numbers', ['project: 1\nmonitors: [{key: 2}]\n'], ['1', ['monitors', '2', {}]]],
    [
      'may be of anchors that a section of another name holds',
      ['project: shop\nx-one: &one {name: A}\nmonitors: [{key: a, nested: *one}]\n'],
      ['shop', ['monitors', 'a', { nested: { name: 'A' } }]],
    ],
  ]
  for (const [what, texts, expected] of cases) it(what, () => assert.deepEqual(read(...texts), expected))

  const noSection = `Is no section. There are project, variables, defaults, ${sections.join(', ')}.`
  const refusals: [what: string, texts: string[], told: string[]][] = [
    ['no files', [], ['.:1: project: One of the files must name the project, as in "project: shop".']],
    [
      'files without a name',
      [''],
      ['0.yaml:1: project: One of the files must name the project, as in "project: shop".'],
    ],
    ['a name that is none', ['\nproject: -shop\n'], [`0.yaml:2: project: ${idRule}`]],
    ['a list as a name', ['project: [shop]\n'], [`0.yaml:1: project: ${idRule}`]],
    ['two names', ['project: shop\n', 'project: blog\n'], ['1.yaml:1: project: Is shop in another file.']],
    ['a file that is a list', ['- project\n'], ['0.yaml:1: Must be a map with sections such as monitors.']],
    ['an unknown section', ['project: shop\n', 'monitor: []\n'], [`1.yaml:1: monitor: ${noSection}`]],
    ['a section that is no list', ['project: shop\nmonitors: {key: a}\n'], ['0.yaml:2: monitors: Must be a list.']],
    ['a section that is a text', ['project: shop\nmonitors: a\n'], ['0.yaml:2: monitors: Must be a list.']],
    ['an entry that is a text', ['project: shop\nmonitors: [a]\n'], ['0.yaml:2: monitors: Must be a map with a key.']],
    [
      'an entry without a key',
      ['project: shop\nmonitors:\n  - name: A\n'],
      ['0.yaml:3: key: This field is required. It must be unique within monitors.'],
    ],
    ['a key that is none', ['project: shop\nmonitors: [{key: A b}]\n'], [`0.yaml:2: key: ${idRule}`]],
    ['a list as a key', ['project: shop\nmonitors: [{key: [a]}]\n'], [`0.yaml:2: key: ${idRule}`]],
    [
      'a key twice',
      ['project: shop\nmonitors:\n  - key: a\n', 'monitors:\n  - key: a\ncontacts: [{key: a}]\n'],
      ['1.yaml:2: key: a is the key of another of monitors, at 0.yaml:3.'],
    ],
    [
      'a variable twice',
      ['project: shop\nvariables: {a: 1}\n', 'variables: {a: 2}\n'],
      ['1.yaml:1: variables: Sets a again.'],
    ],
    [
      'defaults that are no map',
      ['project: shop\ndefaults: [a]\n'],
      ['0.yaml:2: defaults: Must be a map with sections such as monitors.'],
    ],
    [
      'defaults of nothing, of no fields, and of two files',
      ['project: shop\ndefaults: {shops: {}, monitors: [a], contacts: {}}\n', 'defaults: {contacts: {}}\n'],
      [
        `0.yaml:2: defaults.shops: Must be one of ${sections.join(', ')}.`,
        '0.yaml:2: defaults.monitors: Must be a map of fields.',
        '1.yaml:1: defaults.contacts: Is also in another file.',
      ],
    ],
    [
      'a text in place of a list to repeat',
      ['project: shop\nmonitors: [{for_each: a, key: a}]\n'],
      ['0.yaml:2: for_each: Must be a list of at most 5000.'],
    ],
  ]
  for (const [what, texts, told] of refusals)
    it(`are not read of ${what}`, () => {
      assert.throws(
        () => read(...texts),
        (error) => {
          assert.ok(error instanceof ProjectError)
          assert.equal(error.message, told.join('\n'))
          return true
        },
      )
    })

  it('are of 500 files at most', () => {
    const files = ['project: shop\n', ...Array.from({ length: 499 }, () => '')]
    assert.deepEqual(read(...files), ['shop'])
    assert.throws(() => read(...files, ''), /^ProjectError: 0\.yaml:1: There are more than 500 files\.$/)
  })

  it('are 5,000 at most', () => {
    assert.equal(read(repeating(5000)).length, 5001)
    assert.throws(() => read(repeating(5001)), /for_each: Must be a list of at most 5000\.$/)
    assert.throws(
      () => read(`${repeating(5000)}- key: more\n`),
      /^ProjectError: 0\.yaml:4: The project has more than 5000 entries\.$/,
    )
  })
})

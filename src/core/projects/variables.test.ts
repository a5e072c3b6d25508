import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProjectProblem } from './project-error.ts'
import { holdsOutside, plainValue, type Scalar, type Tree, withMembers } from './tree.ts'
import { fillIn, readVariables, type Scope, withoutVariables } from './variables.ts'

const place = { file: 'a.yaml', line: 1 }

function scalar(value: Scalar['value'], isPlain = true): Scalar {
  return { type: 'scalar', place, value, isPlain }
}

function fields(members: Record<string, Tree>): Tree {
  const named = Object.entries(members).map(([written, tree]) => [written, { written, place, tree }] as const)
  return withMembers({ type: 'fields', place, members: new Map() }, named)
}

const around = {
  environment: (name: string) => (name === 'TOKEN' ? 'secret' : null),
  readFile: (path: string, from: string) => (path === 'key.txt' && from === 'a.yaml' ? 'line\n\n' : null),
}
const scope: Scope = {
  ...around,
  variables: new Map([
    ['port', scalar(80)],
    ['nothing', scalar(null)],
    ['each_one', scalar('one')],
  ]),
  each: fields({ name: scalar('shop'), ports: { type: 'list', place, items: [scalar(1), scalar(2)] } }),
}

/** What a value becomes, whether a part of it is from outside, and what is told. */
function filled(tree: Tree, around_ = scope): [value: unknown, isFromOutside: boolean, told: string[]] {
  const problems: ProjectProblem[] = []
  const found = fillIn(tree, around_, problems)
  return [plainValue(found), holdsOutside(found), problems.map(({ message }) => message)]
}

describe('variables of a project', () => {
  const cases: [what: string, tree: Tree, value: unknown, isFromOutside?: boolean][] = [
    ['are none in a number', scalar(1), 1],
    ['are none in a text', scalar('$port {port}'), '$port {port}'],
    ['are numbers where they stand alone', scalar('${port}'), 80],
    ['are texts in quotes', scalar('${port}', false), '80'],
    ['are texts in a text', scalar('a:${port}/${ port }'), 'a:80/80'],
    ['are empty where they are nothing', scalar('a${nothing}b'), 'ab'],
    ['may begin like what for_each is at', scalar('${each_one}'), 'one'],
    ['are written with two dollars', scalar('$${port} ${port}'), '${port} 80'],
    ['are of the environment', scalar('${TOKEN}'), 'secret', true],
    ['are of the environment in a text', scalar('a ${TOKEN} ${port}'), 'a secret 80', true],
    ['are of a file, without its last line end', scalar('${file:key.txt}'), 'line\n', true],
    ['are a member of what for_each is at', scalar('${each.name}'), 'shop'],
    ['are a list where they stand alone', scalar('${each.ports}'), [1, 2]],
    ['are filled in everywhere', fields({ a: { type: 'list', place, items: [scalar('${port}')] } }), { a: [80] }],
  ]
  for (const [what, tree, value, isFromOutside = false] of cases)
    it(what, () => assert.deepEqual(filled(tree), [value, isFromOutside, []]))

  const refused: [value: string, told: string][] = [
    ['${OTHER}', 'The variable OTHER is not set.'],
    ['a ${OTHER}', 'The variable OTHER is not set.'],
    ['${a-b}', '${a-b} is no variable; write $${ for the characters themselves.'],
    ['${file:other.txt}', 'The file other.txt cannot be read.'],
    ['a ${each.ports}', '${each.ports} is no text, so it cannot be a part of one.'],
    ['${each.other}', '${each.other}: this one of for_each has no other.'],
    ['${each.name.first}', '${each.name.first}: this one of for_each has no first.'],
  ]
  for (const [value, told] of refused)
    it(`stay as they are written where ${told}`, () => assert.deepEqual(filled(scalar(value)), [value, false, [told]]))

  it('have nothing to be at outside of for_each', () => {
    const outside = { ...scope, each: null }
    assert.deepEqual(filled(scalar('${each}'), outside)[2], ['${each} has a meaning only beside for_each.'])
  })

  it('have names and single values', () => {
    const problems: ProjectProblem[] = []
    const section = fields({
      a: scalar('${TOKEN}'),
      'b-c': scalar(1),
      each: scalar(1),
      d: { type: 'list', place, items: [] },
      e: scalar('${a}'),
    })
    const found = readVariables(section, around, problems)
    assert.deepEqual(
      found.map(([name, { value }]) => [name, value]),
      [
        ['a', 'secret'],
        ['e', '${a}'],
      ],
    )
    assert.deepEqual(
      problems.map(({ path, message }) => `${path}: ${message}`),
      [
        'variables: "b-c" is no name of a variable.',
        'variables: "each" is no name of a variable.',
        'variables.d: Must be a text, a number, true or false.',
        ': The variable a is not set.',
      ],
    )
    assert.throws(() => readVariables(scalar('a'), around, []), /variables: Must be names with values\./)
  })

  it('are none in what is written by the service', () => {
    const value = { a: ['${port}', null, 1, true], b: { c: 'a $${port} $' } }
    const written = { a: ['$${port}', null, 1, true], b: { c: 'a $$${port} $' } }
    assert.deepEqual(withoutVariables(value), written)
  })
})

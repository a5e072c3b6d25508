import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CommandDefinition, usageOf } from './definition.ts'
import { definitions } from './index.ts'

const example: CommandDefinition = {
  name: 'feed',
  summary: 'feed an animal',
  synopsis: ['feed <animal> [options]', '             [--quietly]'],
  about: [`Feeds ${'again and '.repeat(12)}again.`, '  keeps   its spaces'],
  terms: { '<animal>': 'which one' },
  options: {
    food: { type: 'string', short: 'f', value: '<food>', help: `of ${'any kind, '.repeat(12)}or none` },
    portions: { type: 'boolean', value: '[=<number>]', help: 'how much' },
    'portions-at-most': { type: 'string', help: null },
    'from-the-list-of': { type: 'string', value: '<a shop nearby>', help: 'has a label of its own' },
  },
  remarks: ['Exit code: 0.'],
}

describe('the help of a command', () => {
  it('has what the command is made of, in lines of at most 120 characters', () =>
    assert.equal(
      usageOf(example),
      `perigee feed <animal> [options]
             [--quietly]

Feeds again and again and again and again and again and again and again and again and again and again and again and
again and again.

  keeps   its spaces

  <animal>               which one
  -f, --food <food>      of any kind, any kind, any kind, any kind, any kind, any kind, any kind, any kind, any kind,
                         any kind, any kind, any kind, or none
  --portions[=<number>]  how much
  --from-the-list-of <a shop nearby>   has a label of its own

Exit code: 0.
`,
    ))
})

describe('the commands', () => {
  for (const definition of definitions) {
    const { name, options, verbs = {}, synopsis, about } = definition
    it(`have a whole definition of ${synopsis[0]}`, () => {
      assert.ok(synopsis[0]?.startsWith(name))
      for (const paragraph of about) assert.match(paragraph, /[.:]$|^ |the line$/)
      const shorts = Object.values(options).flatMap(({ short }) => short ?? [])
      assert.equal(new Set(shorts).size, shorts.length)
      for (const [option, { type, value, of = [], help }] of Object.entries(options)) {
        if (type === 'string' && help !== null) assert.ok(value !== undefined, `--${option} names its value`)
        for (const verb of of) assert.ok(Object.hasOwn(verbs, verb), `--${option} is of ${verb}, which is no verb`)
      }
    })
  }
})

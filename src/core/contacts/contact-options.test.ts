import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mask } from '#core/language/mask.ts'
import { type ContactOptionRules, decideContactOptions } from './contact-options.ts'

type Options = Record<string, unknown>

const rules: ContactOptionRules = {
  secretOptions: ['token'],
  parseOptions: (options, before) =>
    options['server'] === 'private' && before['server'] !== 'private'
      ? { ok: false, fields: { 'options.server': ['Is private.'] } }
      : { ok: true, value: options },
}

const decide = (given: Options | undefined, held: [open: Options, secret: Options] | null) => {
  const before = held === null ? null : { publicOptions: held[0], secretOptions: held[1] }
  const { publicOptions, secretOptions, fields } = decideContactOptions(given, before, rules)
  return [publicOptions, secretOptions, Object.keys(fields)]
}

describe('decideContactOptions', () => {
  const held: [Options, Options] = [{ server: 'a', priority: 4 }, { token: 'tk' }]
  const cases = [
    ['are none where none are given', undefined, null, [{}, {}, []]],
    ['are split from their secrets', { server: 'a', token: 'tk' }, null, [{ server: 'a' }, { token: 'tk' }, []]],
    ['stay where a change leaves them out', undefined, held, [...held, []]],
    ['are replaced whole, but for a secret that is left out', { server: 'b' }, held, [{ server: 'b' }, held[1], []]],
    ['lose a secret by null', { server: 'a', token: null }, held, [{ server: 'a' }, {}, []]],
    ['get another secret', { token: 'new' }, held, [{}, { token: 'new' }, []]],
    ['are refused by their kind', { server: 'private' }, held, [{}, {}, ['options.server']]],
    ['are not refused for what they were before', { server: 'private' }, [{ server: 'private' }, {}], null],
    ['hold no mask', { server: `a${mask}`, token: mask }, held, [{}, {}, ['options.server', 'options.token']]],
    ['hold no mask anywhere', { list: [{ a: mask }] }, null, [{}, {}, ['options.list.0.a']]],
  ] as const
  for (const [what, given, before, expected] of cases)
    it(what, () =>
      assert.deepEqual(
        decide(given, before === null ? null : [before[0], before[1]]),
        expected ?? [{ server: 'private' }, {}, []],
      ),
    )
})

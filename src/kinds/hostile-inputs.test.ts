// What callers and targets send is worked on by threads that everybody shares. Each of these readers gets the largest
// hostile input that is allowed, and may take 50 ms of CPU for it; most take a tenth, so that a slow machine has room.
// hostile-answers.test.ts has the parsers of what targets answer.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { followPath, isSameJson, shownJson } from '#core/language/json-path.ts'
import { type OptionRules, decideOptions } from '#core/monitors/monitor-options.ts'
import { issueFields, sentence } from '#operations/pipeline/validation.ts'
import { assertQuick } from '../../test/support/quick.ts'
import { kinds } from './index.ts'
import { declaredCharset, headerCharset } from './web/charset.ts'
import { createKeywordSearch } from './web/keyword-search.ts'

const answerBytes = 2 * 1024 * 1024
const optionBytes = 65_536

/** An answer as large as one may be: nested objects, each with these members. */
function treeOf(keys: readonly string[]): unknown {
  let nodes = Math.floor(answerBytes / keys.reduce((bytes, key) => bytes + key.length + 6, 2))
  const root: Record<string, unknown> = {}
  for (let level: Record<string, unknown>[] = [root]; nodes > 0 && level.length > 0;) {
    const next: Record<string, unknown>[] = []
    for (const node of level)
      for (const key of keys) {
        if (nodes-- <= 0) break
        next.push((node[key] = {}))
      }
    level = next
  }
  return root
}

describe('a JSON path', () => {
  const paths: readonly [what: string, path: string, keys: string[]][] = [
    ['32 segments', segments('a', 32), ['a', 'a.a', 'a.a.a']],
    ['32 long segments', segments('x'.repeat(14), 32), [1, 2, 3].map((count) => segments('x'.repeat(14), count))],
    ['250 segments of before', segments('a', 250), ['a', 'a.a', 'a.a.a']],
    ['499 dots of before', '.'.repeat(499), ['', '.', '..']],
  ]
  for (const [what, path, keys] of paths)
    it(`of ${what} ends in an answer made to lead it astray`, () => {
      const tree = treeOf(keys)
      assertQuick(what, () => assert.equal(followPath(tree, path).isFound, false))
    })

  it('is compared and shown whatever it leads to', () => {
    const values = [
      JSON.parse(`[${'0,'.repeat(answerBytes / 2 - 2)}0]`),
      JSON.parse(`[${'{},'.repeat(answerBytes / 3 - 2)}{}]`),
      JSON.parse(`${'['.repeat(answerBytes / 2)}${']'.repeat(answerBytes / 2)}`),
      treeOf(['a', 'b']),
      '\u0001'.repeat(answerBytes / 6),
      Object.fromEntries(Array.from({ length: answerBytes / 16 }, (_, index) => [`k${index}`, 0])),
    ] satisfies unknown[]
    const expected: unknown = JSON.parse(`[${'0,'.repeat(optionBytes / 2 - 16)}0]`)
    for (const [index, value] of values.entries()) {
      assertQuick(`comparing value ${index}`, () => assert.equal(isSameJson(value, expected), false))
      assertQuick(`showing value ${index}`, () => assert.ok(shownJson(value).length <= 200))
    }
  })
})

describe('the options of a kind', () => {
  const given = hostileValues()
  for (const [name, kind] of Object.entries(kinds))
    it(`of ${name} are read, whatever a caller sends`, () => {
      const rules: OptionRules = {
        secretOptions: kind.secretOptions,
        parseOptions: (options) => {
          const parsed = kind.options.safeParse(options, { error: sentence })
          return parsed.success
            ? { ok: true, value: parsed.data }
            : { ok: false, fields: issueFields(parsed.error.issues, 'check_options') }
        },
      }
      const steps = Array.from({ length: 20 }, (_, index) => ({ url: `/${index}`, method: 'POST' }))
      const held = { check_options: { steps }, secret_options: { steps: steps.map(() => ({ headers: { a: 'b' } })) } }
      for (const option of ['unknown', ...optionNames(kind.options)])
        for (const [what, value] of given)
          assertQuick(`${option}: ${what}`, () => void decideOptions({ [option]: value }, held, rules))
    })
})

describe('a body', () => {
  it('is searched for its charset and a keyword, whatever it holds', () => {
    for (const piece of ['<meta ', '<meta charset=', '<meta charset= " ', 'a', 'é', '\u0000']) {
      const body = Buffer.from(piece.repeat(answerBytes / Buffer.byteLength(piece)))
      assertQuick(`the charset in ${piece}`, () => void declaredCharset(body))
      const header = { 'content-type': `;charset=${piece}`.repeat(4000).slice(0, 65_536) }
      assertQuick(`the header ${piece}`, () => void headerCharset(header))
      for (const charset of ['utf-8', 'utf-16le', 'shift_jis', 'gb18030'])
        for (const keyword of [`${'a'.repeat(1999)}b`, `b${'a'.repeat(1999)}`, `${'é'.repeat(1999)}x`])
          assertQuick(`a keyword in ${piece} as ${charset}`, () => {
            const search = createKeywordSearch(keyword)
            for (let from = 0; from < body.length; from += 65_536)
              search.look(body.subarray(from, from + 65_536), { 'content-type': `text/html; charset=${charset}` })
            assert.equal(search.isFound(), false)
          })
    }
  })
})

function segments(segment: string, count: number): string {
  return Array.from({ length: count }, () => segment).join('.')
}

/** The largest values that an option may have before its kind looks at it, each of one sort. */
function hostileValues(): [what: string, value: unknown][] {
  const room = optionBytes - 64
  const texts = ['a', '.', 'a.', '0', '-', ' ', '1.', ':', '/', '"', '\\', '%', 'xn--', '*', '(', 'ä', '\u200d', '\n']
  const items = ['{}', '[]', '0', '""', 'null', '{"url":"/"}', '{"method":"GET"}', '{"json_path":"."}', '{"body":""}']
  const pairs = Array.from({ length: room / 16 }, (_, index) => [`k${index}`, 'v'])
  return [
    ...texts.map((text): [string, unknown] => [
      `text of ${text}`,
      text.repeat(Math.floor(room / (JSON.stringify(text).length - 2))).slice(0, room / 3),
    ]),
    ...items.map((item): [string, unknown] => [
      `a list of ${item}`,
      JSON.parse(`[${`${item},`.repeat(room / (item.length + 1) - 1)}${item}]`),
    ]),
    ['an object of many members', Object.fromEntries(pairs)],
    ['a list of objects of many members', [Object.fromEntries(pairs)]],
    ['nesting', JSON.parse(`${'[{"steps":'.repeat(30)}0${'}]'.repeat(30)}`)],
  ]
}

function optionNames(schema: unknown): string[] {
  return typeof schema === 'object' && schema !== null && 'shape' in schema ? Object.keys(Object(schema.shape)) : []
}

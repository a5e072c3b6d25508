import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFindings, type Where } from './findings.ts'
import {
  failuresOf,
  graceOf,
  headersOf,
  hostPortOf,
  intervalOf,
  methodOf,
  nameOf,
  notesOf,
  noteRedirects,
  oneLine,
  shown,
  statusesOf,
  tagsOf,
  timeoutOf,
} from './monitor-parts.ts'
import type { StatusRange } from '#core/monitors/expected-statuses.ts'

/** What is made, and how many things are told of it. */
function made<T>(make: (where: Where) => T): [made: T, told: string[]] {
  const findings = createFindings()
  const result = make({ place: 'p', findings })
  return [result, findings.file().notes.map(({ effect }) => effect)]
}

describe('a number of another tool', () => {
  const bounds: [what: string, read: (value: number, where: Where) => number, least: number, most: number][] = [
    ['seconds between two checks', intervalOf, 10, 86_400],
    ['milliseconds of a check', timeoutOf, 500, 60_000],
    ['failures in a row', failuresOf, 1, 10],
    ['seconds by which a call may be late', graceOf, 0, 86_400],
  ]
  for (const [what, read, least, most] of bounds)
    it(`is brought within ${least} to ${most} ${what}`, () => {
      const asked = [least, most, least - 1, most + 1, least + 0.6]
      assert.deepEqual(
        asked.map((value) => made((where) => read(value, where))),
        [
          [least, []],
          [most, []],
          [least, ['changed']],
          [most, ['changed']],
          [least + 1, ['changed']],
        ],
      )
    })
})

describe('statuses of another tool', () => {
  const every = Array.from({ length: 21 }, (_, at): StatusRange => [200 + 2 * at, 200 + 2 * at])
  const cases: [ranges: StatusRange[], min: number, max: number, told: string[], list?: string[]][] = [
    [[[200, 200]], 200, 200, []],
    [[[200, 299], [300, 301]], 200, 301, []], // prettier-ignore
    [[[200, 299], [301, 302]], 200, 302, [], ['200-299', '301-302']], // prettier-ignore
    [[[401, 401], [200, 299], [250, 300]], 200, 401, [], ['200-300', '401']], // prettier-ignore
    [every.slice(1), 202, 240, [], every.slice(1).map(([status]) => String(status))],
    [every, 200, 240, ['changed']],
    [[[404, 404], [200, 499]], 200, 499, []], // prettier-ignore
    [[[0, 100]], 100, 100, []],
    [[[599, 1000]], 599, 599, []],
    [[[0, 99]], 200, 399, ['changed']],
    [[[600, 700]], 200, 399, ['changed']],
    [[], 200, 399, ['changed']],
  ]
  for (const [ranges, min, max, told, list] of cases)
    it(`${JSON.stringify(ranges).slice(0, 60)} are ${min} to ${max}`, () => {
      const bounds = { expected_status_min: min, expected_status_max: max }
      const expected = list === undefined ? bounds : { ...bounds, expected_statuses: list }
      assert.deepEqual(
        made((where) => statusesOf(ranges, where)),
        [expected, told],
      )
    })

  const redirects: [min: number, max: number, isTold: boolean][] = [
    [300, 399, false],
    [299, 399, true],
    [300, 400, true],
  ]
  for (const [min, max, isTold] of redirects)
    it(`of ${min} to ${max} ${isTold ? 'are not' : 'are'} those of redirects alone`, () => {
      const [, told] = made((where) => noteRedirects({ expected_status_min: min, expected_status_max: max }, where))
      assert.equal(told.length > 0, isTold)
    })
})

function notes(words: string | null) {
  return made((where) => notesOf(words, where))
}

describe('texts of another tool', () => {
  it('are names of one line of 160 characters, or the name of last resort', () => {
    assert.equal(nameOf(' a\n b ', 'c'), 'a b')
    for (const name of [null, '', ' \n']) assert.equal(nameOf(name, 'c'), 'c')
    assert.deepEqual([nameOf('n'.repeat(161), 'c').length, nameOf('', 'n'.repeat(161)).length], [160, 160])
    assert.equal(oneLine('😀😀😀', 2), '😀😀')
    assert.equal(oneLine(`${' '.repeat(8)}a`, 2), '')
    assert.equal(oneLine(`${' '.repeat(7)}a`, 2), 'a')
  })

  it('are notes of 10,000 characters', () => {
    assert.deepEqual(notes(null), [{}, []])
    assert.deepEqual(notes(' \n'), [{}, []])
    assert.deepEqual(notes(' a\nb '), [{ notes: 'a\nb' }, []])
    const [{ notes: cut }, told] = notes(`a${'n'.repeat(20_000)}`)
    assert.deepEqual([cut?.[0], told], ['a', ['lost']])
    assert.deepEqual(notes(cut ?? ''), [{ notes: cut }, []])
  })

  it('are shown up to 80 characters', () => {
    assert.equal(shown('a'.repeat(80)), 'a'.repeat(80))
    assert.equal(shown('a'.repeat(81)), `${'a'.repeat(80)}…`)
    assert.equal(shown(' a '), 'a')
  })
})

describe('parts of a monitor of another tool', () => {
  it('are tags, each of them once', () => {
    assert.deepEqual(
      made((where) => tagsOf(['eu', 'EU', 'a,b', ',', 'c'], where)),
      [['eu', 'a b', 'c'], ['changed']],
    )
  })

  it('are a method that checks use', () => {
    assert.deepEqual(
      made((where) => methodOf('post', where)),
      ['POST', []],
    )
    assert.deepEqual(
      made((where) => methodOf(null, where)),
      ['GET', []],
    )
    assert.deepEqual(
      made((where) => methodOf('BREW', where)),
      ['GET', ['changed']],
    )
  })

  it('are a hundred headers', () => {
    const headers = Array.from({ length: 101 }, (_, at): [string, string] => [`x-${at}`, '1'])
    const [found, told] = made((where) => headersOf(headers, where))
    assert.deepEqual([Object.keys(found).length, told], [100, ['lost']])
    assert.deepEqual(
      made((where) => headersOf([['a b', '1'], ['x-one', '1']], where)), // prettier-ignore
      [{ 'x-one': '1' }, ['lost']],
    )
  })

  const places: [host: string | null, port: number | null, expected: string | null][] = [
    ['a.example', 80, 'a.example:80'],
    ['a.example', null, 'a.example'],
    ['::1', 80, '[::1]:80'],
    ['[::1]', 80, '[::1]:80'],
    ['::1', null, '[::1]'],
    [' a.example ', 80, 'a.example:80'],
    ['a b', 80, null],
    [null, 80, null],
  ]
  for (const [host, port, expected] of places)
    it(`are the place ${expected} of ${host} and ${port}`, () => assert.equal(hostPortOf(host, port), expected))
})

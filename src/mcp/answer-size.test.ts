import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { operations } from '#operations/index.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { type LongList, cutLists, longLists, pageNote, readPage, readSize, sizeParameters } from './answer-size.ts'

const numbers = (count: number, from = 1): number[] => Array.from({ length: count }, (_, at) => from + at)
const at = (path: string, member: string | null = null, isSeries = false): LongList => ({
  path: path.split('.'),
  member,
  isSeries,
})

describe('an answer that is too long', () => {
  const cases: [
    what: string,
    body: unknown,
    lists: LongList[],
    limit: number,
    offset: number,
    cut: unknown,
    notes: RegExp[],
  ][] = [
    ['is left as it is where it fits', { data: numbers(3) }, [at('data')], 3, 0, { data: [1, 2, 3] }, []],
    [
      'is cut behind the limit',
      { data: numbers(4), more: 1 },
      [at('data')],
      3,
      0,
      { data: [1, 2, 3], more: 1 },
      [/^Of 4 in data numbers 1 to 3 are shown/],
    ],
    [
      'begins at the offset, also where all would fit',
      { data: numbers(2) },
      [at('data')],
      2,
      1,
      { data: [2] },
      [/numbers 2 to 2/],
    ],
    [
      'has all of what is in its entries where that fits',
      { days: [{ problems: [1, 2] }] },
      [at('days', 'problems')],
      2,
      0,
      { days: [{ problems: [1, 2] }] },
      [],
    ],
    ['begins at the offset', { data: numbers(4) }, [at('data')], 2, 1, { data: [2, 3] }, [/numbers 2 to 3/]],
    [
      'has the newest of days, which stand last',
      { days: numbers(5) },
      [at('days', null, true)],
      2,
      0,
      { days: [4, 5] },
      [/^Of 5 in days numbers 4 to 5 are shown\. Ask for others with offset, counted from the end/],
    ],
    [
      'counts days from the end',
      { days: numbers(5) },
      [at('days', null, true)],
      2,
      3,
      { days: [1, 2] },
      [/numbers 1 to 2/],
    ],
    [
      'has the rest of days',
      { days: numbers(5) },
      [at('days', null, true)],
      2,
      4,
      { days: [1] },
      [/numbers 1 to 1 are/],
    ],
    ['has no days before the first', { days: [1] }, [at('days', null, true)], 2, 4, { days: [] }, [/in days none are/]],
    ['has nothing beyond its end', { data: numbers(4) }, [at('data')], 2, 4, { data: [] }, [/in data none are shown/]],
    [
      'is cut inside an object',
      { data: { events: numbers(3), id: 7 } },
      [at('data.events')],
      2,
      0,
      { data: { events: [1, 2], id: 7 } },
      [/^Of 3 in data\.events numbers 1 to 2/],
    ],
    [
      'has what is in its entries share the limit, the last of it first',
      { days: [{ day: 1, problems: [1, 2] }, { day: 2, problems: [3, 4] }, { day: 3, problems: [5] }, { day: 4 }] },
      [at('days', 'problems')],
      2,
      0,
      { days: [{ day: 1, problems: [] }, { day: 2, problems: [4] }, { day: 3, problems: [5] }, { day: 4 }] },
      [/^Of 5 in days\.problems the last 2 are shown/],
    ],
    ['may lack what its schema has', { other: 1 }, [at('data.events'), at('days', 'problems')], 1, 0, { other: 1 }, []],
    ['may be no object', null, [at('data')], 1, 0, null, []],
  ]
  for (const [what, body, lists, limit, offset, cut, notes] of cases)
    it(what, () => {
      const answer = cutLists(body, lists, { limit, offset })
      assert.deepEqual(answer.body, cut)
      assert.equal(answer.notes.length, notes.length)
      for (const [index, note] of notes.entries()) assert.match(answer.notes[index] ?? '', note)
    })

  it('is found by its schema', () => {
    const tools = operations.flatMap((operation) =>
      operation.actsFor === 'workspace' && operation.surface === 'api' ? [operation] : [],
    )
    const pathsOf = (tool: (typeof tools)[number]): string[] =>
      longLists(tool).map(({ path, member }) => [...path, ...(member === null ? [] : [member])].join('.'))
    const named = new Map(tools.map((tool) => [tool.name, pathsOf(tool)]))
    assert.deepEqual(named.get('list_monitors'), ['data'])
    const series = tools.filter((tool) => longLists(tool).some(({ isSeries }) => isSeries))
    assert.deepEqual(
      series.map(({ name }) => name),
      ['get_monitor', 'get_uptime'],
    )
    assert.deepEqual(named.get('get_incident'), ['data.events'])
    assert.deepEqual(named.get('create_monitor'), [])
    assert.deepEqual(named.get('list_results'), [])
    for (const list of ['results', 'incidents', 'days', 'days.problems', 'all_time.periods'])
      assert.ok(named.get('get_monitor')?.includes(list), list)
    for (const list of ['software', 'findings', 'import.unrecognized'])
      assert.ok(named.get('import_software')?.includes(list), list)
  })
})

/** The long lists of an answer of this schema. */
function listsOf(schema: z.ZodType): string[] {
  const operation = defineOperation({
    name: 'get_thing',
    method: 'GET',
    path: '/thing',
    scope: 'read',
    tag: 'Account',
    summary: 'Shows a thing',
    errors: [],
    success: { status: 200, description: 'A thing.', schema },
    run: () => Promise.reject(new Error('No test calls it.')),
  })
  return longLists(operation).map(({ path, member }) => [...path, ...(member === null ? [] : [member])].join('.'))
}

describe('the lists of an answer that may be long', () => {
  const texts = z.array(z.string())
  const things = z.array(z.object({ id: z.string() }))
  const cases: [what: string, schema: z.ZodType, lists: string[]][] = [
    ['are those of 26 entries and more', z.object({ data: z.array(z.string()).max(26) }), ['data']],
    ['are none of 25 entries at most', z.object({ data: z.array(z.string()).max(25) }), []],
    [
      'are those of an object, where they are of objects',
      z.object({ data: z.object({ events: things }) }),
      ['data.events'],
    ],
    ['are no few words of one thing', z.object({ data: z.object({ tags: texts }) }), []],
    [
      'are then the few words, too, where there is a long one beside them',
      z.object({ data: z.object({ tags: texts, events: things }) }),
      ['data.tags', 'data.events'],
    ],
    [
      'are those in the entries of a short one',
      z.object({ days: z.array(z.object({ problems: things })).max(7) }),
      ['days.problems'],
    ],
    ['are none of texts in entries', z.object({ days: z.array(z.object({ tags: texts })).max(7) }), []],
    ['are none of deeper objects', z.object({ data: z.object({ more: z.object({ events: things }) }) }), []],
    ['are none where there is no list', z.object({ id: z.string() }), []],
  ]
  for (const [what, schema, lists] of cases) it(what, () => assert.deepEqual(listsOf(schema), lists))
})

describe('the part of a list that a model asks for', () => {
  it('is described as it is read', () => {
    const sizes = Object.entries(sizeParameters)
    const defaults = sizes.map(([name, { default: usual }]) => [name, usual])
    assert.deepEqual(readSize({}).size, Object.fromEntries(defaults))
    for (const [name, { minimum, maximum }] of sizes) {
      const least = Number(minimum)
      assert.deepEqual(Object.keys(readSize({ [name]: least }).problems), [])
      assert.deepEqual(Object.keys(readSize({ [name]: least - 1 }).problems), [name])
      if (maximum === undefined) continue
      assert.deepEqual(Object.keys(readSize({ [name]: Number(maximum) }).problems), [])
      assert.deepEqual(Object.keys(readSize({ [name]: Number(maximum) + 1 }).problems), [name])
    }
  })

  const none = { rest: {}, problems: {} }
  it('is the first 25, or what is asked for', () => {
    assert.deepEqual(readSize({}), { ...none, size: { limit: 25, offset: 0 } })
    assert.deepEqual(readSize({ limit: 1, offset: 0, q: 'x' }), {
      ...none,
      size: { limit: 1, offset: 0 },
      rest: { q: 'x' },
    })
    assert.deepEqual(readSize({ limit: 500, offset: 3 }), { ...none, size: { limit: 500, offset: 3 } })
  })

  it('is not read of what is no size', () => {
    for (const wrong of [{ limit: 0 }, { limit: 501 }, { offset: -1 }]) {
      const { size, problems } = readSize(wrong)
      assert.deepEqual([size, Object.keys(problems)], [{ limit: 25, offset: 0 }, Object.keys(wrong)])
    }
  })

  it('is a page without an offset, and with one is counted through alone', () => {
    assert.deepEqual(readPage({ cursor: 'x' }), {
      ...none,
      size: { limit: 500, offset: 0 },
      rest: { limit: 25, cursor: 'x' },
    })
    assert.deepEqual(readPage({ limit: 3, offset: 2 }), { ...none, size: { limit: 3, offset: 2 } })
    const problem = 'Only works with `limit`. Use `cursor` to go from page to page.'
    assert.deepEqual(readPage({ offset: 2, cursor: 'x' }).problems, { offset: [problem] })
    assert.equal(readPage({ offset: -2, cursor: 'x' }).problems['offset']?.at(-1), problem)
  })

  it('says that more follow where there is a cursor', () => {
    assert.equal(pageNote({ next_cursor: 'x' }).length, 1)
    for (const body of [null, {}, { next_cursor: null }]) assert.deepEqual(pageNote(body), [])
  })
})

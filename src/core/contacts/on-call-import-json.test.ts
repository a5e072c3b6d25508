import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { OnCallImportError } from './on-call-import.ts'
import {
  createFindings,
  formOf,
  hasEnded,
  idSchema,
  instantSchema,
  localTimeSchema,
  minuteIn,
  nameSchema,
  noteHours,
  parseExport,
  wholeMinute,
} from './on-call-import-json.ts'

const now = new Date('2026-10-20T00:00:00Z')

describe('what is read of an export', () => {
  const values: [schema: z.ZodType, value: unknown, isValid: boolean][] = [
    [nameSchema, '', true],
    [nameSchema, 'n'.repeat(1_000), true],
    [nameSchema, 'n'.repeat(1_001), false],
    [idSchema, 'i', true],
    [idSchema, '', false],
    [idSchema, 'i'.repeat(200), true],
    [idSchema, 'i'.repeat(201), false],
    [instantSchema, '1970-01-01T00:00:00Z', true],
    [instantSchema, '1969-12-31T23:59:59Z', false],
    [instantSchema, '2099-12-31T23:59:59+02:00', true],
    [instantSchema, '2100-01-01T00:00:00Z', false],
    [instantSchema, '2026-05-04T09:00:00', false],
    [localTimeSchema, '2026-05-04T09:00:00', true],
    [localTimeSchema, '2100-01-01T00:00:00', false],
  ]
  for (const [schema, value, isValid] of values)
    it(`${isValid ? 'takes' : 'refuses'} ${String(value).slice(0, 30)} of ${String(value).length} letters`, () =>
      assert.equal(schema.safeParse(value).success, isValid))

  it('has local times as they stand there, whatever zone they name', () => {
    for (const time of ['2026-05-04T09:00:01', '2026-05-04T09:00:01Z', '2026-05-04T09:00:01+02:00'])
      assert.equal(localTimeSchema.parse(time), Date.UTC(2026, 4, 4, 9, 0, 1))
  })

  it('is refused with the place of what is wrong', () => {
    const schema = z.object({ list: z.array(z.object({ name: nameSchema })) })
    assert.deepEqual(parseExport('{"list":[{"name":"a"}]}', schema), { list: [{ name: 'a' }] })
    assert.throws(
      () => parseExport('{"list":[{"name":5}]}', schema),
      (error) => {
        assert.ok(error instanceof OnCallImportError)
        assert.match(error.message, /^list\[0\]\.name: /)
        return true
      },
    )
    assert.throws(
      () => parseExport('[]', schema),
      new OnCallImportError('Invalid input: expected object, received array'),
    )
    assert.throws(() => parseExport('{', schema), new OnCallImportError('It is not JSON.'))
  })

  it('has the form that a look at it tells, with the places in that form', () => {
    const schema = formOf<object>((value) =>
      'many' in value ? z.object({ many: z.array(z.number()) }) : z.object({ one: z.number() }),
    )
    assert.deepEqual([schema.parse({ many: [1] }), schema.parse({ one: 1 })], [{ many: [1] }, { one: 1 }])
    assert.deepEqual(
      schema.safeParse({ many: ['1'] }).error?.issues.map(({ path }) => path),
      [['many', 0]],
    )
    for (const value of [null, 5, 'many', undefined]) assert.equal(schema.safeParse(value).success, false)
  })
})

describe('what is found in an export', () => {
  it('is what each place tells of a person, the newest last', () => {
    const findings = createFindings(now)
    assert.equal(findings.meet({ id: 'a', name: null, mail: null }), 'a')
    findings.meet({ id: 'a', name: 'Ann', mail: null })
    findings.meet({ id: 'a', name: null, mail: 'ann@a.example' })
    assert.deepEqual(findings.source([]).people, new Map([['a', { id: 'a', name: 'Ann', mail: 'ann@a.example' }]]))
    findings.meet({ id: 'a', name: 'Anna', mail: null })
    assert.equal(findings.source([]).people.get('a')?.name, 'Anna')
  })

  const ends: [endsAt: string | null, isOver: boolean, effect: 'changed' | 'lost' | null][] = [
    [null, false, null],
    ['2026-10-20T00:00:00.001Z', false, 'changed'],
    ['2026-10-20T00:00:00.000Z', true, 'lost'],
    ['2026-10-19T23:59:59.999Z', true, 'lost'],
  ]
  for (const [endsAt, isOver, effect] of ends)
    it(`${isOver ? 'has ended' : 'goes on'} with an end of ${endsAt ?? 'none'}`, () => {
      const findings = createFindings(now)
      assert.equal(hasEnded(endsAt === null ? null : new Date(endsAt), { place: 'a', findings }), isOver)
      const { notes } = findings.source([])
      assert.deepEqual(
        notes.map((note) => note.effect),
        effect === null ? [] : [effect],
      )
      if (endsAt !== null) assert.match(notes[0]?.message ?? '', new RegExp(` on ${endsAt.slice(0, 10)}[. ]`))
    })

  it('begins at a whole minute, which is noted where it had seconds', () => {
    const findings = createFindings(now)
    const minute = Date.UTC(2026, 4, 4, 9)
    assert.equal(wholeMinute(minute, { place: 'a', findings }), minute)
    assert.equal(findings.source([]).notes.length, 0)
    assert.equal(wholeMinute(minute + 59_999, { place: 'a', findings }), minute)
    assert.equal(findings.source([]).notes.length, 1)
    assert.equal(minuteIn('Europe/Sofia', new Date(minute), { place: 'a', findings }), minute + 3 * 3_600_000)
  })

  const zones: [zone: string, changes: boolean][] = [
    ['UTC', false],
    ['Europe/Sofia', true],
    ['Australia/Sydney', true],
    ['Asia/Tokyo', false],
  ]
  for (const [zone, changes] of zones)
    it(`${changes ? 'is' : 'is not'} told that clocks change in ${zone}`, () => {
      const findings = createFindings(now)
      noteHours(zone, { place: 'a', findings })
      assert.equal(findings.source([]).notes.length, changes ? 1 : 0)
    })
})
